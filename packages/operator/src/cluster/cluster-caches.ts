// The caches of one operator: an informer for every kind that its packages touch, and the view of them that cycles read.
import type { KubernetesObject, ObjectRef, ResourceInfo, ResourceType, Selector } from '@pawl/reconciler/kubernetes';
import { LABELS } from '@pawl/reconciler/kubernetes';
import type { Informer, InformerHandler } from '../cache/informer.ts';
import type { InformerFactory, InformerShare } from '../cache/informer-factory.ts';
import type { ClusterView } from './view.ts';

/** Never cached: their values would lie in the memory of the process and in its dumps. Every read asks the server. */
const UNCACHED: ReadonlySet<string> = new Set(['v1/Secret']);

interface Watched {
  readonly share: InformerShare;
  readonly isComplete: boolean;
  /** The operator waits for it. */
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

  /**
   * Watches a kind from now on; a kind of which nothing may be cached is watched by its metadata. One that is not
   * required may be missing or forbidden: then that is the trouble of the objects that name it, not of the process.
   */
  watch = (type: ResourceInfo<KubernetesObject>, isRequired = true): Informer => {
    const key = keyOf(type);
    const known = this.#watched.get(key);
    if (known !== undefined) {
      if (isRequired && !known.isRequired) this.#watched.set(key, { ...known, isRequired });
      return known.share.informer;
    }
    const metadataOnly = UNCACHED.has(key);
    const namespaces = type.namespaced ? this.#namespaces : undefined;
    const share = this.#factory.acquire({ type, namespaces, metadataOnly });
    this.#watched.set(key, { share, isComplete: !metadataOnly, isRequired });
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

  watches = (type: ResourceType, namespace: string | undefined): boolean => {
    const watched = this.#watched.get(keyOf(type));
    if (watched === undefined || !watched.isComplete || !watched.share.informer.isSynced) return false;
    const { namespaces } = watched.share.informer.scope;
    return namespaces === undefined || (namespace !== undefined && namespaces.includes(namespace));
  };

  get = (type: ResourceType, ref: ObjectRef): KubernetesObject | undefined =>
    this.#watched.get(keyOf(type))?.isComplete === true ? this.#informer(type)?.get(ref) : undefined;

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
