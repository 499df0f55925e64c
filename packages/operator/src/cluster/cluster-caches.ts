// The caches of one operator: an informer for every kind that its packages touch, and the view of them that cycles read.
import type { KubernetesObject, ObjectRef, ResourceInfo, ResourceType, Selector } from '@pawl/reconciler/kubernetes';
import { LABELS } from '@pawl/reconciler/kubernetes';
import type { Informer, InformerHandler, InformerScope } from '../cache/informer.ts';
import type { InformerFactory, InformerShare } from '../cache/informer-factory.ts';
import type { ClusterView, Holding } from './view.ts';

/** Never cached: their values would lie in the memory of the process and in its dumps. Every read asks the server. */
const UNCACHED: ReadonlySet<string> = new Set(['v1/Secret']);

/** How a kind is watched. */
export interface WatchedAs {
  /**
   * Default true: the operator waits for it. A kind that is not required may be missing or forbidden: then that is the
   * trouble of the objects that name it, not of the process.
   */
  readonly isRequired?: boolean;
  /** Only objects with an owner label are cached; by default all are. Has to be the same in every call for a kind. */
  readonly isOwnedOnly?: boolean;
  /** Only what these select is cached: no cycle may look at such a kind. */
  readonly selectors?: Selectors;
}

export type Selectors = Pick<InformerScope, 'labelSelector' | 'fieldSelector'>;

interface Watched {
  readonly share: InformerShare;
  readonly isMetadataOnly: boolean;
  readonly isSelection: boolean;
  readonly isOwnedOnly: boolean;
  readonly isRequired: boolean;
}

export class ClusterCaches implements ClusterView {
  readonly #factory: InformerFactory;
  readonly #namespaces: readonly string[] | undefined;
  readonly #watched = new Map<string, Watched>();

  /** @param namespaces limits the caches of namespaced kinds; absent: all */
  constructor(factory: InformerFactory, namespaces: readonly string[] | undefined) {
    this.#factory = factory;
    this.#namespaces = namespaces;
  }

  /** Watches a kind from now on; a kind of which nothing may be cached is watched by its metadata. */
  watch = (type: ResourceInfo<KubernetesObject>, { isRequired = true, isOwnedOnly = false, selectors }: WatchedAs = {}): Informer => {
    const key = keyOf(type);
    const known = this.#watched.get(key);
    if (known !== undefined) {
      if (isRequired && !known.isRequired) this.#watched.set(key, { ...known, isRequired });
      return known.share.informer;
    }
    const isMetadataOnly = UNCACHED.has(key);
    const namespaces = type.namespaced ? this.#namespaces : undefined;
    const narrowed = isOwnedOnly ? { labelSelector: LABELS.owner } : selectors;
    const share = this.#factory.acquire({ type, namespaces, metadataOnly: isMetadataOnly, ...narrowed });
    this.#watched.set(key, { share, isMetadataOnly, isOwnedOnly, isRequired, isSelection: selectors !== undefined });
    return share.informer;
  };

  /** Calls the handler for every change of a watched kind. */
  onChange = (type: ResourceType, handler: InformerHandler): void => {
    this.#informer(type)?.addHandler(handler);
  };

  /** The informers that must be complete before anything is reconciled. */
  get informers(): readonly Informer[] {
    return [...this.#watched.values()].filter(({ isRequired }) => isRequired).map(({ share }) => share.informer);
  }

  stop = async (): Promise<void> => {
    await Promise.all([...this.#watched.values()].map(({ share }) => share.release()));
    this.#watched.clear();
  };

  holds = (type: ResourceType, namespace: string | undefined): Holding => {
    const watched = this.#watched.get(keyOf(type));
    if (watched === undefined || watched.isMetadataOnly || watched.isSelection || !watched.share.informer.isSynced)
      return 'nothing';
    const { namespaces } = watched.share.informer.scope;
    if (namespaces !== undefined && (namespace === undefined || !namespaces.includes(namespace))) return 'nothing';
    return watched.isOwnedOnly ? 'owned' : 'all';
  };

  get = (type: ResourceType, ref: ObjectRef): KubernetesObject | undefined =>
    this.#watched.get(keyOf(type))?.isMetadataOnly === false ? this.#informer(type)?.get(ref) : undefined;

  list = (type: ResourceType, selector: Selector): readonly KubernetesObject[] =>
    this.#informer(type)?.list(selector) ?? [];

  owned = (type: ResourceType, ownerHash: string): readonly KubernetesObject[] =>
    this.list(type, { namespace: '*', labels: { [LABELS.owner]: ownerHash } });

  wrote = (object: KubernetesObject): void => {
    this.#informer(object)?.wrote(object);
  };

  removed = (object: KubernetesObject): void => {
    this.#informer(object)?.removed(object);
  };

  #informer(type: ResourceType): Informer | undefined {
    return this.#watched.get(keyOf(type))?.share.informer;
  }
}

const keyOf = ({ apiVersion, kind }: ResourceType): string => `${apiVersion}/${kind}`;
