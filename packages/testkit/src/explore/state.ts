// What is in the API at a moment, and the same without what every run names anew.
import { isEqualJson, parseRecord, REQUEST_NAMES, type VersionRecord } from '@pawl/reconciler';
import { ANNOTATIONS, LABELS, requestAnnotation, type KubernetesObject } from '@pawl/reconciler/kubernetes';
import type { Ground } from './ground.ts';
import { withoutAdditions } from '../world/webhook.ts';
import type { Collection, Subject } from './subject.ts';

export type Json = Readonly<Record<string, unknown>>;

/** Objects by `Kind namespace/name`, in order. */
export type State = ReadonlyMap<string, KubernetesObject>;

/** Changes a value before states are compared, such as a password that is made up once. */
export interface Mask {
  /** What is left out and why, for the report. */
  readonly says: string;
  readonly apply: (object: Json) => Json;
}

/** Everything of the kinds that the package touches. */
export async function readState(ground: Pick<Ground, 'api'>, { collections }: Pick<Subject, 'collections'>): Promise<State> {
  const answers = await Promise.all(
    collections.map(async (collection) => ({
      collection,
      answer: await ground.api.request({ method: 'GET', path: collectionPath(collection) }),
    })),
  );
  const state = new Map<string, KubernetesObject>();
  for (const { collection, answer } of answers) {
    const { items = [] } = answer.body as { readonly items?: readonly KubernetesObject[] };
    for (const item of answer.status === 200 ? items : []) {
      const object = { ...item, apiVersion: collection.apiVersion, kind: collection.kind };
      state.set(keyOf(object), object);
    }
  }
  return state;
}

/** Path of all objects of a kind, or of those of a namespace. */
export function collectionPath({ apiVersion, plural }: Pick<Collection, 'apiVersion' | 'plural'>, namespace?: string): string {
  const root = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
  return namespace === undefined ? `${root}/${plural}` : `${root}/namespaces/${namespace}/${plural}`;
}

export function keyOf({ kind, metadata }: Pick<KubernetesObject, 'kind' | 'metadata'>): string {
  return `${kind} ${metadata.namespace === undefined ? '' : `${metadata.namespace}/`}${metadata.name}`;
}

/** The object's version record; undefined if there is none. */
export function recordOf(object: unknown): VersionRecord | undefined {
  const { status } = (object ?? {}) as { readonly status?: { readonly procedure?: { readonly record?: unknown } } };
  return parseRecord(status?.procedure?.record);
}

/** What people see of where an object stands. */
export function standingOf(object: KubernetesObject): {
  readonly phase: string | undefined;
  readonly version: string | undefined;
  readonly summary: string | undefined;
  readonly isReady: boolean;
  readonly isCurrent: boolean;
} {
  const { status = {} } = object as KubernetesObject & { readonly status?: Json };
  const procedure = (status['procedure'] ?? {}) as { readonly phase?: string; readonly version?: string; readonly summary?: string };
  const conditions = (status['conditions'] ?? []) as readonly { readonly type: string; readonly status: string }[];
  return {
    phase: procedure.phase,
    version: procedure.version,
    summary: procedure.summary,
    isReady: conditions.some(({ type, status: value }) => type === 'Ready' && value === 'True'),
    isCurrent: status['observedGeneration'] === object.metadata.generation,
  };
}

/** Why an object does not go on to a newer version, in the words of its status; undefined if nothing keeps it. */
export function blockedOf(object: KubernetesObject): string | undefined {
  const { status = {} } = object as KubernetesObject & { readonly status?: Json };
  const conditions = (status['conditions'] ?? []) as readonly { readonly type: string; readonly reason?: string; readonly message?: string }[];
  const found = conditions.find(({ type }) => type === 'UpgradeBlocked');
  return found === undefined ? undefined : `${found.reason ?? ''}: ${found.message ?? ''}`;
}

/** Whether the objects are owned by some object of the package. */
export function isOwned(object: KubernetesObject): boolean {
  return object.metadata.labels?.[LABELS.owner] !== undefined;
}

const REQUESTS: readonly string[] = REQUEST_NAMES.map(requestAnnotation);
/** Annotations that differ between runs, that the exploring itself has made, or that a part of the cluster writes. */
const UNCOMPARED: ReadonlySet<string> = new Set([ANNOTATIONS.mirror, ANNOTATIONS.ownerUid, ANNOTATIONS.action, ...REQUESTS, 'deployment.kubernetes.io/revision']);
/** What the exploring itself writes on objects; what a webhook of it adds is checked apart. */
const isOurs = (name: string): boolean => name.startsWith('explore.pawl.dev/');

/** What is always left out when states are compared. */
export const STANDARD_MASKS: readonly string[] = [
  'uid, resourceVersion, generation, timestamps and managedFields of every object',
  "status of objects that the package does not reconcile itself",
  'of the own status: all but version, Ready, Actions, applied versions, and fields that Actions set',
  'the revision that Kubernetes counts on Deployments, and which Action wrote an object last',
  'addresses, ports of nodes and volumes that the cluster hands out',
  'objects that no procedure owns or edits',
];

/** An object without what every run names anew. */
export function canonical(object: KubernetesObject, isOwner: boolean, masks: readonly Mask[]): Json {
  const plain = isOwner ? canonicalOwner(object) : canonicalChild(object);
  return masks.reduce((masked, mask) => mask.apply(masked), plain);
}

function canonicalChild(object: KubernetesObject): Json {
  const { metadata, status: _, ...found } = withoutAdditions(object) as KubernetesObject & { readonly status?: unknown };
  const { spec, ...rest } = (object.kind === 'Job' ? withoutOwnUid(found, metadata.uid) : found) as Pick<KubernetesObject, 'apiVersion' | 'kind'> & { readonly spec?: Json };
  return { ...rest, ...(spec === undefined ? {} : { spec: canonicalSpec(spec) }), metadata: canonicalMetadata(metadata) };
}

/** A Job finds its pods by its own uid, which the server writes into selector and labels. */
const withoutOwnUid = (object: object, uid: string): object => JSON.parse(JSON.stringify(object).replaceAll(uid, 'own uid')) as object;

/** What the server hands out, to whoever comes first. */
const HANDED_OUT: ReadonlySet<string> = new Set(['clusterIP', 'clusterIPs', 'volumeName', 'healthCheckNodePort']);

function canonicalSpec(spec: Json): Json {
  const { ports } = spec;
  const kept = Object.fromEntries(Object.entries(spec).filter(([name]) => !HANDED_OUT.has(name)));
  if (!Array.isArray(ports)) return kept;
  return { ...kept, ports: ports.map((port: Json) => Object.fromEntries(Object.entries(port).filter(([name]) => name !== 'nodePort'))) };
}

function canonicalOwner(object: KubernetesObject): Json {
  const { metadata, status = {}, ...rest } = object as KubernetesObject & { readonly status?: Json };
  const { conditions: _c, procedure: _p, observedGeneration: _o, verifiedGeneration: _v, actions = [], ...own } = status;
  const { version, isReady } = standingOf(object);
  const record = recordOf(object);
  return {
    ...rest,
    metadata: canonicalMetadata(metadata),
    status: {
      ...own,
      version,
      ready: isReady,
      actions: Object.fromEntries(
        (actions as readonly { readonly name: string; readonly status: string }[]).map(({ name, status: value }) => [name, value]),
      ),
      applied: record?.applied.map((entry) => `${entry.version} ${entry.state}`),
      target: record?.target,
    },
  };
}

function canonicalMetadata(metadata: KubernetesObject['metadata']): Json {
  const { name, namespace, labels = {}, annotations = {}, finalizers = [], ownerReferences = [], deletionTimestamp } = metadata;
  return {
    name,
    namespace,
    labels: Object.fromEntries(Object.entries(labels).filter(([key]) => !isOurs(key))),
    annotations: Object.fromEntries(Object.entries(annotations).filter(([key]) => !UNCOMPARED.has(key) && !isOurs(key))),
    finalizers: [...finalizers].sort(),
    owners: ownerReferences.map(({ kind, name: owner, controller }) => `${kind} ${owner}${controller === true ? ' (controller)' : ''}`),
    ...(deletionTimestamp === undefined ? {} : { deleting: true }),
  };
}

/** One difference between what is and what should be. */
export interface Difference {
  readonly object: string;
  readonly says: string;
  readonly path?: string;
}

/** How a state differs from the one that a fresh install leads to; only objects that procedures own or reconcile. */
export function differences(
  found: State,
  wanted: State,
  isOwner: (object: KubernetesObject) => boolean,
  masks: readonly Mask[],
): readonly Difference[] {
  const result: Difference[] = [];
  const counts = (object: KubernetesObject): boolean => isOwner(object) || isOwned(object);
  for (const [key, object] of wanted)
    if (counts(object) && !found.has(key)) result.push({ object: key, says: 'is missing' });
  for (const [key, object] of found) {
    const other = wanted.get(key);
    if (other === undefined) {
      if (counts(object)) result.push({ object: key, says: 'is there, and a fresh install has none' });
      continue;
    }
    if (!counts(object) && !counts(other) && isEqualJson(object, other)) continue;
    const [a, b] = [canonical(object, isOwner(object), masks), canonical(other, isOwner(other), masks)];
    for (const { path, is, should } of valueDifferences(a, b, ''))
      result.push({ object: key, path, says: `${path} is ${shown(is)}, a fresh install has ${shown(should)}` });
  }
  return result;
}

interface ValueDifference {
  readonly path: string;
  readonly is: unknown;
  readonly should: unknown;
}

function valueDifferences(is: unknown, should: unknown, path: string): readonly ValueDifference[] {
  if (isEqualJson(is, should)) return [];
  if (!isRecord(is) || !isRecord(should)) return [{ path, is, should }];
  const names = [...new Set([...Object.keys(is), ...Object.keys(should)])].sort();
  return names.flatMap((name) => valueDifferences(is[name], should[name], `${path}.${name}`));
}

const isRecord = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value);

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? 'absent';
  return text.length > 120 ? `${text.slice(0, 117)}...` : text;
}
