// Putting a state from a file into an API in memory, as it is: checked first, so that nothing wrong is explored.
import { createApiServer } from '@pawl/kube-api';
import { parseSettings } from '@pawl/reconciler';
import { DOMAIN, FINALIZER, LABELS, ownerHashOf, type ExampleObject, type KubernetesObject, type ProcedurePackage } from '@pawl/reconciler/kubernetes';
import type { ExternalFake } from '../world/external-fake.ts';
import { randomStream } from '../world/sim-random.ts';
import type { Snapshot } from '../world/world.ts';
import { checkObjects, type Kinds } from './check-objects.ts';
import { StartStateError, titleOf, type StartState } from './start-state.ts';

/** A state that a run can begin in. */
export interface LoadedState {
  readonly state: StartState;
  /** Everything as it was. */
  readonly whole: Snapshot;
  /** What others had made, and nothing of the package: where a fresh install begins. */
  readonly surroundings: Snapshot;
  /** The objects of the package's kinds, as a person would create them. */
  readonly objects: readonly ExampleObject[];
  /** The objects of the package's kinds, as they were. */
  readonly owners: readonly KubernetesObject[];
  /** They were being deleted. */
  readonly isGoing: boolean;
  /** The same for states whose fresh installs are the same. */
  readonly key: string;
}

/** Loaded states whose fresh installs are the same. */
export interface Starts {
  readonly byName: ReadonlyMap<string, LoadedState>;
  readonly surroundings: Snapshot;
  /** Secrets of which only the names of values are known, as `namespace/name`. */
  readonly redacted: ReadonlySet<string>;
}

const CRD = { apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition' };

/**
 * Checks and loads a state for the operators of a package. The definitions of the package's own kinds are those of the
 * package, for they are applied before a new release starts; others are taken from the file.
 *
 * @throws {StartStateError} with every fault
 */
export async function loadStartState(from: ProcedurePackage, state: StartState, fakes: readonly ExternalFake[], seed: number): Promise<LoadedState> {
  const random = randomStream(seed, `start state ${state.name}`);
  const objects = state.objects.map((object) => withUid(object, random.uuid));
  const own = new Set(from.kinds.map(({ resource }) => `${resource.apiVersion} ${resource.kind}`));
  const isOwner = ({ apiVersion, kind }: KubernetesObject): boolean => own.has(`${apiVersion} ${kind}`);
  const owners = objects.filter(isOwner);
  const definitions = definitionsFor(from, objects);
  const kinds: Kinds = { definitions, isOwner, ownerKinds: from.kinds.map(({ resource }) => `${resource.apiVersion} ${resource.kind}`) };
  const faults = [...(await checkObjects(objects, kinds)), ...owners.flatMap(heldBack), ...fateFaults(owners)];
  if (owners.length === 0) faults.push(`objects: found none of ${kinds.ownerKinds.join(', ')}; allowed is a state with one at least`);
  if (faults.length > 0) throw new StartStateError(faults.map((fault) => `${state.name}: ${fault}`));

  const hashes = new Set(owners.map(ownerHashOf));
  const isOurs = (object: KubernetesObject): boolean => isOwner(object) || hashes.has(object.metadata.labels?.[LABELS.owner] ?? '');
  const others = objects.filter((object) => object.kind !== CRD.kind && !isOurs(object));
  const namespaces = namespacesOf(objects);
  const nowMs = Math.max(Date.parse(state.takenAt), ...objects.map(({ metadata }) => Date.parse(timeOf(metadata)) || 0));
  const clock = { now: () => nowMs, setTimer: () => () => {} };
  const snapshot = (wanted: readonly unknown[], externals: Snapshot['externals']): Snapshot => ({
    api: createApiServer({ clock, random, logLimit: 0, objects: [...definitions, ...namespaces, ...wanted] }),
    nowMs,
    externals,
  });
  const initial = Object.fromEntries(fakes.map(({ key, initial: first }) => [key, first]));
  const bare = owners.map(bareObject);
  return {
    state,
    whole: snapshot(objects.filter(({ kind }) => kind !== CRD.kind), { ...initial, ...state.externals }),
    surroundings: snapshot(others, initial),
    objects: bare,
    owners,
    isGoing: owners.some(isGoing),
    key: JSON.stringify([bare, others, state.redacted ?? []]),
  };
}

/** The package's own, and those of the file for all other kinds. */
function definitionsFor({ crds }: ProcedurePackage, objects: readonly KubernetesObject[]): readonly object[] {
  const own = crds.map((crd) => ({ ...CRD, ...crd }));
  const names = new Set(own.map(({ metadata }) => metadata.name));
  return [...own, ...objects.filter(({ kind, metadata }) => kind === CRD.kind && !names.has(metadata.name))];
}

/** Those that the objects are in and the file does not hold. */
function namespacesOf(objects: readonly KubernetesObject[]): readonly object[] {
  const known = new Set(objects.filter(({ apiVersion, kind }) => apiVersion === 'v1' && kind === 'Namespace').map(({ metadata }) => metadata.name));
  const named = new Set(objects.flatMap(({ metadata: { namespace } }) => (namespace === undefined ? [] : [namespace])));
  return [...named]
    .filter((name) => name !== 'default' && !known.has(name))
    .map((name) => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name, uid: `namespace-${name}` }, spec: { finalizers: ['kubernetes'] }, status: { phase: 'Active' } }));
}

function withUid(object: KubernetesObject, uuid: () => string): KubernetesObject {
  const { uid } = object.metadata as { readonly uid?: string };
  return uid === undefined ? { ...object, metadata: { ...object.metadata, uid: uuid() } } : object;
}

const timeOf = (metadata: object): string => (metadata as { readonly creationTimestamp?: string }).creationTimestamp ?? '';
const isGoing = ({ metadata }: KubernetesObject): boolean => metadata.deletionTimestamp !== undefined;

/** What a person holds back does not move, and there is nothing to explore. */
function heldBack(object: KubernetesObject): readonly string[] {
  const { spec } = object as KubernetesObject & { readonly spec?: { readonly procedure?: unknown } };
  const { paused, policy, version } = parseSettings(spec?.procedure);
  const fault = (field: string, found: string, allowed: string): string =>
    `${titleOf(object)}: spec.procedure.${field}: found ${found}, which keeps the newest release from taking over; allowed is ${allowed}`;
  return [
    ...(paused === true ? [fault('paused', 'true', 'false, or nothing')] : []),
    ...(policy === 'Manual' ? [fault('policy', 'Manual', 'Automatic, or nothing')] : []),
    ...(version === undefined ? [] : [fault('version', version, 'nothing')]),
  ];
}

/** Either all of them are being deleted or none is, for a run has one end. */
function fateFaults(owners: readonly KubernetesObject[]): readonly string[] {
  const going = owners.filter(isGoing);
  if (going.length === 0 || going.length === owners.length) return [];
  return going.map((object) => `${titleOf(object)}: metadata.deletionTimestamp: found ${object.metadata.deletionTimestamp ?? ''}, while other objects stay; allowed is that all are being deleted or none`);
}

/** As a person would create it: without what operators and the server have added. */
function bareObject(object: KubernetesObject): ExampleObject {
  const { metadata, status: _, ...rest } = object as KubernetesObject & { readonly status?: unknown };
  const { name, namespace, labels, annotations = {}, finalizers = [], ownerReferences } = metadata;
  const kept = Object.entries(annotations).filter(([key]) => !OURS.some((prefix) => key.startsWith(prefix)));
  const foreign = finalizers.filter((finalizer) => finalizer !== FINALIZER && !FOR_DELETION.has(finalizer));
  return {
    ...rest,
    metadata: {
      name,
      ...(namespace === undefined ? {} : { namespace }),
      ...(labels === undefined ? {} : { labels }),
      ...(kept.length === 0 ? {} : { annotations: Object.fromEntries(kept) }),
      ...(foreign.length === 0 ? {} : { finalizers: foreign }),
      ...(ownerReferences === undefined ? {} : { ownerReferences }),
    },
  } as ExampleObject;
}

const OURS: readonly string[] = [`procedures.${DOMAIN}/`, 'kubectl.kubernetes.io/last-applied-configuration'];
const FOR_DELETION: ReadonlySet<string> = new Set(['foregroundDeletion', 'orphan']);
