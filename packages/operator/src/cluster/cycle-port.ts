// The port of one cycle: reads from caches (or live, to verify), and changes that the guard admits, the server acknowledges
// and later reads see.
import { RetryError, type ScopeEntry } from '@pawl/reconciler';
import {
  ANNOTATIONS,
  groupOf,
  LABELS,
  ApiError,
  type Applied,
  type ApplyRequest,
  type ClusterPort,
  type KubernetesObject,
  type ObjectRef,
  type RemoveOptions,
  type ResourceType,
  type Selector,
} from '@pawl/reconciler/kubernetes';

import { isForbidden, isNotFound, isTooManyRequests } from '../client/error-kinds.ts';
import type { KubeClient } from '../client/kube-client.ts';
import type { WriteGuard } from '../controller/guard.ts';
import type { Repairs } from '../controller/repairs.ts';
import type { ReadLog } from '../controller/read-index.ts';
import { beginReplacement, isImmutableChange } from './immutable.ts';
import { appliedFieldsOf, holdsNothingElse, ownsAllOf, type ManagedFieldsEntry } from './managed-fields.ts';
import { containsJson } from './merge-diff.ts';
import { controllerOf, isBoundThoughKept, isLabelLost, outliving } from './owner-marks.ts';
import type { Spellings } from './spellings.ts';
import type { ClusterView } from './view.ts';

export interface CyclePortParts {
  readonly client: KubeClient;
  readonly view: ClusterView;
  readonly guard: WriteGuard;
  readonly reads: ReadLog;
  /** Absent: every repair is made at once. */
  readonly repairs?: Repairs | undefined;
  /** Absent: a value that the server spells in another way is sent each time. */
  readonly spellings?: Spellings | undefined;
  readonly ownerHash: string;
  readonly signal: AbortSignal;
  /** Where owned objects may be created: the recorded scope. */
  readonly mayCreateIn: (place: ScopeEntry) => boolean;
  /** An Action wants to create outside of the recorded scope: it has to be recorded first. */
  readonly widen: (place: ScopeEntry) => void;
  /** While a hop is open every owned object is brought to the target's stamp. */
  readonly restamp: boolean;
  /** To verify: the owned objects as one live list found them. All other reads are live then. */
  readonly snapshot?: ReadonlyMap<string, KubernetesObject> | undefined;
  /** Told when an object is about to be deleted, to be created anew. */
  readonly onReplaced?: ((object: KubernetesObject) => void) | undefined;
  /** For a plan that people read: told of each dry run. With it, one that is forbidden is worked out here instead. */
  readonly onDryRun?: ((run: DryRun) => void) | undefined;
}

/** What a dry run of one object showed. */
export interface DryRun {
  readonly request: ApplyRequest;
  readonly before: KubernetesObject | undefined;
  readonly after: KubernetesObject;
  /** The server was not asked, for the caller may not write this kind: defaults and refusals are not in `after`. */
  readonly isGuess: boolean;
}

type Fields = Readonly<Record<string, unknown>>;

/** The key of an object in a snapshot. */
export function snapshotKey({ apiVersion, kind }: ResourceType, { namespace = '', name }: ObjectRef): string {
  return `${groupOf(apiVersion)}/${kind}/${namespace}/${name}`;
}

export class CyclePort implements ClusterPort {
  readonly #parts: CyclePortParts;

  constructor(parts: CyclePortParts) {
    this.#parts = parts;
  }

  get = async (type: ResourceType, ref: ObjectRef): Promise<KubernetesObject | undefined> => {
    const { view, reads, snapshot } = this.#parts;
    reads.named(type, ref);
    const holding = snapshot === undefined ? view.holds(type, ref.namespace) : 'nothing';
    if (holding === 'nothing') return this.#find(type, ref);
    const known = view.get(type, ref);
    // An object without an owner label is in no cache of owned objects, and may be there all the same.
    return known === undefined && holding === 'owned' ? this.#find(type, ref) : known;
  };

  live = async (type: ResourceType, ref: ObjectRef): Promise<KubernetesObject | undefined> => {
    this.#parts.reads.named(type, ref);
    return this.#find(type, ref);
  };

  list = async (type: ResourceType, selector: Selector): Promise<readonly KubernetesObject[]> => {
    const { view, reads, snapshot, client, signal } = this.#parts;
    const namespace = selector.namespace === '*' ? undefined : selector.namespace;
    reads.listed(type, selector);
    const { labels, fields } = selector;
    const holding = snapshot === undefined ? view.holds(type, namespace) : 'nothing';
    if (holding === 'all' || (holding === 'owned' && labels?.[LABELS.owner] !== undefined)) return view.list(type, selector);
    const page = await client.list(type, {
      namespace,
      labelSelector: equalities(labels),
      fieldSelector: equalities(fields),
      signal,
    });
    return page.items;
  };

  apply = async (asked: ApplyRequest): Promise<Applied> => {
    const { type, dryRun } = asked;
    const known = await this.#knownFor(asked);
    const request = outliving(known, asked);
    if (known !== undefined && this.#isAsDesired(known, request)) return { operation: 'none', object: known };
    this.#assertOurs(known, request);
    if (known === undefined && !dryRun) this.#assertInScope(type, request);
    const { guard, view, repairs, spellings } = this.#parts;
    if (!dryRun) repairs?.assertCalm(placeOf(request), contentOf(request));
    if (!dryRun) await guard.admit();
    const sent = await this.#send(known, request);
    const object = sent ?? guessOf(known, request);
    if (dryRun) this.#parts.onDryRun?.({ request, before: known, after: object, isGuess: sent === undefined });
    else view.wrote(object);
    if (!dryRun && request.mode === 'fields') spellings?.learn(placeOf(request), request.body, object);
    const isSame = object.metadata.resourceVersion === known?.metadata.resourceVersion;
    if (!dryRun && !isSame) repairs?.applied(placeOf(request), contentOf(request));
    if (known === undefined) return { operation: 'create', object };
    return { operation: isSame && !dryRun ? 'none' : 'update', object };
  };

  remove = async (type: ResourceType, observed: KubernetesObject, options: RemoveOptions): Promise<void> => {
    const { client, guard, view, signal } = this.#parts;
    await guard.admit();
    const { uid, resourceVersion } = observed.metadata;
    try {
      const removal = await client.remove(type, observed.metadata, { uid, resourceVersion, ...options, signal });
      if (removal.gone) view.removed(observed);
      else view.wrote(removal.object);
    } catch (error) {
      if (!isNotFound(error)) throw error;
      view.removed(observed);
    }
  };

  evict = async (pod: KubernetesObject): Promise<'evicted' | 'refused'> => {
    const { client, guard, signal } = this.#parts;
    await guard.admit();
    try {
      await client.evict(pod.metadata, { uid: pod.metadata.uid, signal });
      return 'evicted';
    } catch (error) {
      if (isNotFound(error)) return 'evicted';
      if (isTooManyRequests(error)) return 'refused';
      throw error;
    }
  };

  /** Undefined: a dry run that the server does not answer, of a replacement or by somebody who may not write. */
  async #send(known: KubernetesObject | undefined, request: ApplyRequest): Promise<KubernetesObject | undefined> {
    const { client, guard, signal } = this.#parts;
    const { type, body, fieldManager, dryRun, immutable = 'Refuse' } = request;
    try {
      return await client.apply(type, request, body, { fieldManager, force: true, dryRun, signal });
    } catch (error) {
      if (dryRun && this.#parts.onDryRun !== undefined && isForbidden(error)) return undefined;
      if (known === undefined || immutable === 'Refuse' || !isImmutableChange(error)) throw error;
      if (dryRun) return undefined;
      this.#parts.onReplaced?.(known);
      return beginReplacement(known, request, { client, signal, admit: guard.admit });
    }
  }

  #find(type: ResourceType, ref: ObjectRef): Promise<KubernetesObject | undefined> {
    return this.#parts.client.find(type, ref, { signal: this.#parts.signal });
  }

  /** Absence in a cache is not absence: before a create the server is asked, so that nothing foreign is taken over. */
  async #knownFor(request: ApplyRequest): Promise<KubernetesObject | undefined> {
    const { view, reads, snapshot } = this.#parts;
    const { type } = request;
    reads.named(type, request);
    if (request.mode === 'whole') {
      const known = snapshot === undefined ? view.get(type, request) : snapshot.get(snapshotKey(type, request));
      // Of an object without an owner label a cache does not know who wrote what.
      return known?.metadata.labels?.[LABELS.owner] === undefined ? this.#find(type, request) : known;
    }
    // A cache keeps the fields of one manager only, and a claim is another.
    const known = await this.#find(type, request);
    if (known === undefined)
      throw new ApiError(404, 'NotFound', `${type.kind} ${request.name} is not there; an edit never creates`);
    return known;
  }

  /**
   * Nothing is sent if the object carries the hash of what is desired, for this very owner, and every desired field is
   * still ours: values cannot be compared, for the server spells some of them differently.
   */
  #isAsDesired(known: KubernetesObject, request: ApplyRequest): boolean {
    const { body, mode, fieldManager, dryRun, appliedHash, stamp } = request;
    if (known.metadata.deletionTimestamp !== undefined || isBoundThoughKept(known, request)) return false;
    const owned = appliedFieldsOf((known.metadata as { managedFields?: ManagedFieldsEntry[] }).managedFields, fieldManager);
    if (mode === 'fields') {
      if (Object.keys(body).length === 0) return owned === undefined;
      return (
        owned !== undefined &&
        ownsAllOf(owned, body) &&
        holdsNothingElse(owned, body) &&
        (containsJson(known, body) || this.#parts.spellings?.holds(placeOf(request), body, known) === true)
      );
    }
    const found = known.metadata.annotations ?? {};
    const isStampCompared = this.#parts.restamp || dryRun;
    return (
      owned !== undefined &&
      found[ANNOTATIONS.applied] === appliedHash &&
      found[ANNOTATIONS.ownerUid] === stamp?.ownerUid &&
      (!isStampCompared || found[ANNOTATIONS.version] === stamp?.version) &&
      isWholeOwned(owned, request, isStampCompared)
    );
  }

  /** An object belongs to one owner. One that exists without our label is somebody's: it is never taken over silently. */
  #assertOurs(known: KubernetesObject | undefined, request: ApplyRequest): void {
    const { type, mode } = request;
    if (known === undefined || mode === 'fields') return;
    const { name, deletionTimestamp, labels, uid } = known.metadata;
    if (deletionTimestamp !== undefined)
      throw new RetryError(`${type.kind} ${name} is still being deleted`, { afterMs: 1_000 });
    const label = labels?.[LABELS.owner];
    const controller = controllerOf(known);
    if (label === this.#parts.ownerHash || (label === undefined && isLabelLost(known, request))) return;
    const owner =
      controller === undefined
        ? label === undefined
          ? 'nobody that is known'
          : `the owner with hash ${label}`
        : `${controller.kind} ${controller.name}`;
    throw new ApiError(
      409,
      'ForeignOwner',
      `${type.kind} ${name} (uid ${uid}) exists and belongs to ${owner}; to hand it over, label it ` +
        `${LABELS.owner}=${this.#parts.ownerHash}`,
    );
  }

  #assertInScope({ apiVersion, kind }: ResourceType, { namespace, name }: ObjectRef): void {
    const place: ScopeEntry = {
      group: groupOf(apiVersion),
      kind,
      namespaces: namespace === undefined ? [] : [namespace],
    };
    if (this.#parts.mayCreateIn(place)) return;
    this.#parts.widen(place);
    throw new RetryError(`where ${kind} ${name} will be is recorded before it is created`, { afterMs: 0 });
  }
}

/** The object as it would roughly be: what is desired over what is there. */
function guessOf(known: KubernetesObject | undefined, { type, body, name, namespace }: ApplyRequest): KubernetesObject {
  const { metadata, ...content } = body as Fields & { readonly metadata?: Fields };
  const meta = { uid: 'planned', resourceVersion: '0', name, namespace, ...known?.metadata, ...metadata };
  return { ...known, ...content, apiVersion: type.apiVersion, kind: type.kind, metadata: meta } as KubernetesObject;
}

/** What is written where: for a whole object its hash, for single fields the fields themselves. */
const placeOf = ({ type, namespace, name, mode, fieldManager }: ApplyRequest): string =>
  `${type.kind} ${namespace === undefined ? name : `${namespace}/${name}`}${mode === 'fields' ? ` (${fieldManager})` : ''}`;
const contentOf = ({ body, appliedHash, stamp }: ApplyRequest): string =>
  appliedHash === undefined ? JSON.stringify(body) : `${stamp?.version} ${appliedHash}`;

/** Asked in every cycle, mostly about the same: what was desired is known by its hash, and the marks by their names. */
function isWholeOwned(owned: Fields, { body, appliedHash, stamp }: ApplyRequest, isStampCompared: boolean): boolean {
  const marks = Object.keys(body['metadata'] as Fields).join();
  const question = `${isStampCompared} ${appliedHash} ${stamp?.ownerUid} ${marks}`;
  const known = wholeOwned.get(owned);
  if (known?.question === question) return known.answer;
  const answer = ownsAllOf(owned, isStampCompared ? body : withoutStamp(body));
  if (Object.isFrozen(owned)) wholeOwned.set(owned, { question, answer });
  return answer;
}
const wholeOwned = new WeakMap<Fields, { readonly question: string; readonly answer: boolean }>();

/** In the steady state the stamp of the version is not compared. */
function withoutStamp(body: Fields): Fields {
  const metadata = body['metadata'] as Fields;
  const { [ANNOTATIONS.version]: _stamp, ...annotations } = metadata['annotations'] as Readonly<Record<string, string>>;
  return { ...body, metadata: { ...metadata, annotations } };
}

function equalities(values: Readonly<Record<string, string>> | undefined): string | undefined {
  const terms = Object.entries(values ?? {}).map(([name, value]) => `${name}=${value}`);
  return terms.length === 0 ? undefined : terms.join(',');
}
