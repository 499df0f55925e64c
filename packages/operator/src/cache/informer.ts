// A cached kind: reflectors fill a store, handlers hear of each change, and reads see what was just written.
import type { MonotonicClock, Random } from '@pawl/reconciler';
import type { KubernetesObject, Selector } from '@pawl/reconciler/kubernetes';
import type { KindRef, KubeClient } from '../client/kube-client.ts';
import type { ObjectName } from '../client/paths.ts';
import { asError } from '../waiting.ts';
import { cachedObject, type KeepManager, keyOf } from './cached-object.ts';
import { Overlay } from './overlay.ts';
import { Reflector, type ReflectorFailure, type ReflectorSink, type ServerTraits } from './reflector.ts';
import type { ReflectorReport } from './reflector-health.ts';
import { newerOf } from './resource-version.ts';
import { Store, type StoreChange } from './store.ts';
import type { IndexBy } from './store-index.ts';

/** What is cached. */
export interface InformerScope {
  readonly type: KindRef;
  /** Default: all namespaces. */
  readonly namespaces?: readonly string[] | undefined;
  readonly labelSelector?: string | undefined;
  readonly fieldSelector?: string | undefined;
  /** Keeps and asks for metadata only, as for Secrets. */
  readonly metadataOnly?: boolean | undefined;
}

/** A change of the cache. */
export type InformerEvent = StoreChange & {
  /** Exactly what a write of ours was acknowledged with, and nothing came between. */
  readonly echo: boolean;
  /** Part of the first complete list, or of the cache when the handler was added. */
  readonly initial: boolean;
};
export type InformerHandler = (event: InformerEvent) => void;

export interface InformerOptions {
  readonly client: KubeClient;
  readonly clock: MonotonicClock;
  readonly random: Random;
  readonly scope: InformerScope;
  readonly traits?: ServerTraits | undefined;
  /** Names the manager whose entry of `managedFields` is kept. */
  readonly keepManager?: KeepManager | undefined;
  /** A handler threw; the other handlers and the cache go on. */
  readonly onHandlerError?: ((error: Error, event: InformerEvent) => void) | undefined;
  readonly onFailure?: ((failure: ReflectorFailure & { readonly scope: InformerScope }) => void) | undefined;
}

/** Started once; `stop` is final. */
export class Informer {
  readonly scope: InformerScope;
  readonly #options: InformerOptions;
  readonly #store = new Store();
  readonly #overlay: Overlay;
  readonly #handlers = new Set<InformerHandler>();
  readonly #reflectors: readonly Reflector[];
  /** By namespace, or by `undefined` for all. */
  readonly #progress = new Map<string | undefined, string>();

  constructor(options: InformerOptions) {
    this.#options = options;
    this.scope = options.scope;
    this.#overlay = new Overlay({
      stored: (key) => this.#store.getByKey(key),
      progress: (namespace) => this.#progress.get(namespace) ?? this.#progress.get(undefined),
    });
    const namespaces = new Set<string | undefined>(options.scope.namespaces ?? [undefined]);
    const traits = options.traits ?? { streamsLists: true };
    this.#reflectors = [...namespaces].map((namespace) => this.#reflector(namespace, traits));
  }

  /** Begins; a second call changes nothing. */
  start(): void {
    for (const reflector of this.#reflectors) reflector.start();
  }

  async stop(): Promise<void> {
    await Promise.all(this.#reflectors.map((reflector) => reflector.stop()));
  }

  /** Resolves when the cache is complete for the first time; rejects if the informer is stopped before. */
  async synced(): Promise<void> {
    await Promise.all(this.#reflectors.map((reflector) => reflector.synced));
  }

  get isSynced(): boolean {
    return this.reports.every(({ synced }) => synced);
  }

  /** One for each reflector. */
  get reports(): readonly ReflectorReport[] {
    return this.#reflectors.map(({ report }) => report);
  }

  /** When the most silent reflector last did anything, in milliseconds since the epoch. */
  get lastActivityAt(): number {
    return Math.min(...this.reports.map(({ lastActivityAt }) => lastActivityAt));
  }

  get size(): number {
    return this.#store.size;
  }

  /** The object as last seen or written. */
  get(name: ObjectName): KubernetesObject | undefined {
    return this.#overlay.read(keyOf(name));
  }

  /** Objects as last seen or written, ordered by namespace and name. Default: all. */
  list(selector: Selector = {}): readonly KubernetesObject[] {
    return this.#overlay.select(this.#store.select(selector), selector);
  }

  /** Adds an index for `byIndex`. */
  addIndex(name: string, by: IndexBy): void {
    this.#store.addIndex(name, by);
  }

  /** What an index holds, as the server last sent it. */
  byIndex(name: string, value: string): readonly KubernetesObject[] {
    return this.#store.byIndex(name, value);
  }

  /** A write was acknowledged with this object: reads see it from now on. */
  wrote(answer: KubernetesObject): void {
    this.#overlay.wrote(this.#accept(answer));
  }

  /** A deletion was acknowledged and the object is gone: reads no longer see it. */
  removed(object: KubernetesObject): void {
    this.#overlay.removed(object);
  }

  /** Whether this state of an object is exactly what a write of ours was acknowledged with. */
  isEcho(object: KubernetesObject): boolean {
    return this.#overlay.isEcho(object);
  }

  /** Calls the handler for what is cached and for each change from now on; the returned function ends that. */
  addHandler(handler: InformerHandler): () => void {
    for (const object of this.#store.list()) this.#call(handler, { type: 'added', object, echo: false, initial: true });
    this.#handlers.add(handler);
    return () => {
      this.#handlers.delete(handler);
    };
  }

  #reflector(namespace: string | undefined, traits: ServerTraits): Reflector {
    const { client, clock, random, scope, onFailure } = this.#options;
    return new Reflector({
      client,
      clock,
      random,
      traits,
      scope: { ...scope, namespace },
      sink: this.#sink(namespace),
      onFailure: (failure) => onFailure?.({ ...failure, scope }),
    });
  }

  #sink(namespace: string | undefined): ReflectorSink {
    let initial = true;
    const advance = (resourceVersion: string, uid?: string): void => {
      this.#progress.set(namespace, newerOf(this.#progress.get(namespace), resourceVersion));
      this.#overlay.settle(uid);
    };
    return {
      accept: this.#accept,
      replace: (objects, resourceVersion, restored) => {
        if (restored) {
          this.#overlay.clear();
          this.#progress.delete(namespace);
        }
        const accept = restored ? 'any' : 'newer';
        const changes = this.#store.replace({ objects, resourceVersion, namespace, accept });
        if (this.#handlers.size > 0) for (const change of changes) this.#dispatch({ ...change, echo: false, initial });
        initial = false;
        advance(resourceVersion);
      },
      event: (type, object) => {
        const changes = type === 'DELETED' ? this.#store.remove(object) : this.#store.put(object);
        for (const change of changes)
          this.#dispatch({ ...change, echo: this.#overlay.isEcho(change.object), initial: false });
        advance(object.metadata.resourceVersion, object.metadata.uid);
      },
      progress: (resourceVersion) => advance(resourceVersion),
    };
  }

  #accept = (raw: unknown): KubernetesObject => {
    const { keepManager, scope } = this.#options;
    return cachedObject(scope.type, raw, { keepManager, metadataOnly: scope.metadataOnly });
  };

  #dispatch(event: InformerEvent): void {
    for (const handler of this.#handlers) this.#call(handler, event);
  }

  #call(handler: InformerHandler, event: InformerEvent): void {
    try {
      handler(event);
    } catch (error) {
      this.#options.onHandlerError?.(asError(error), event);
    }
  }
}
