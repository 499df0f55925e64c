// The informers behind the actors: discovers what is served, watches what is wanted, and follows custom kinds.
import type { Clock } from '../ports.ts';
import type { Activity } from './base/activity.ts';
import type { Client } from './base/client.ts';
import type { Cluster } from './base/cluster.ts';
import { delay } from './base/delay.ts';
import { discover, kindOfDefinition } from './base/discovery.ts';
import { runInformer } from './base/informer.ts';
import type { Kind } from './base/kind.ts';
import { resourceName } from './base/kind.ts';
import type { CustomKind } from './base/model.ts';
import type { Change } from './base/store.ts';

const DEFINITIONS = 'customresourcedefinitions.apiextensions.k8s.io';
const RETRY_MS = 1000;

/** What the pool needs from outside. */
export interface PoolOptions {
  readonly cluster: Cluster;
  readonly client: Client;
  readonly clock: Clock;
  readonly activity: Activity;
  readonly signal: AbortSignal;
  /** Names of the kinds to watch, or all that are served. */
  readonly wanted: ReadonlySet<string> | 'every';
  readonly changed: (kind: Kind, change: Change) => void;
  /** Called once, when every wanted kind has been listed. */
  readonly synced: () => void;
  /** Called for a kind that turned up later, when it has been listed. */
  readonly joined: (kind: Kind) => void;
  readonly failed: (error: unknown) => void;
}

/** Runs one informer per wanted kind. */
export class Pool {
  readonly #options: PoolOptions;
  readonly #informers = new Map<
    string,
    { readonly kind: Kind; readonly ended: Promise<void>; readonly stop: () => void }
  >();
  #missing = 0;

  constructor(options: PoolOptions) {
    this.#options = options;
  }

  /** Discovers until it succeeds, then starts the informers. */
  async start(): Promise<void> {
    const { clock, signal } = this.#options;
    let kinds = await this.#discover();
    while (kinds === undefined && !signal.aborted) {
      await delay(clock, signal, RETRY_MS);
      kinds = await this.#discover();
    }
    this.#missing = kinds?.length ?? 0;
    for (const kind of kinds ?? []) this.#watch(kind, () => this.#arrived());
  }

  /** Resolves when all informers have ended, after the signal has aborted. */
  async ended(): Promise<void> {
    await Promise.all([...this.#informers.values()].map((informer) => informer.ended));
  }

  /** Follows the definitions of custom kinds; to be called for every change of the view. */
  follow(kind: Kind, { before, after }: Change): void {
    if (resourceName(kind) !== DEFINITIONS || this.#options.wanted !== 'every' || this.#options.signal.aborted) return;
    if (before !== undefined && before.metadata.uid !== after?.metadata.uid)
      this.#leave(before as CustomKind, 'deleted');
    if (after !== undefined) this.#join(after as CustomKind);
  }

  #join(definition: CustomKind): void {
    const name = resourceName({ group: definition.spec.group, plural: definition.spec.names.plural });
    const watched = this.#informers.get(name)?.kind;
    const served = definition.spec.versions.some((version) => version.served && version.name === watched?.version);
    const kind = kindOfDefinition(definition);
    if (kind === undefined || served) return;
    if (watched !== undefined) this.#leave(definition, 'moved');
    this.#watch(kind, () => {
      this.#options.joined(kind);
    });
  }

  /** Ends the informer of a kind. With their definition all objects of the kind are gone, whether told so or not. */
  #leave({ spec }: CustomKind, why: 'deleted' | 'moved'): void {
    const { cluster, changed } = this.#options;
    const name = resourceName({ group: spec.group, plural: spec.names.plural });
    const informer = this.#informers.get(name);
    if (informer === undefined) return;
    informer.stop();
    this.#informers.delete(name);
    const store = cluster.storeOf(informer.kind);
    for (const { metadata } of why === 'deleted' ? (store?.list() ?? []) : []) {
      const change = store?.remove(metadata.uid);
      if (change !== undefined) changed(informer.kind, change);
    }
    cluster.drop(informer.kind);
  }

  async #discover(): Promise<readonly Kind[] | undefined> {
    const { activity, client, signal, failed } = this.#options;
    activity.enter();
    try {
      return (await discover(client)).filter((kind) => this.#wants(kind));
    } catch (error) {
      if (!signal.aborted) failed(error);
      return undefined;
    } finally {
      activity.leave();
    }
  }

  #wants(kind: Kind): boolean {
    const { wanted } = this.#options;
    const watchable = kind.verbs.includes('list') && kind.verbs.includes('watch');
    return watchable && (wanted === 'every' || wanted.has(resourceName(kind)));
  }

  #watch(kind: Kind, synced: () => void): void {
    const store = this.#options.cluster.add(kind);
    const stopping = new AbortController();
    const signal = AbortSignal.any([this.#options.signal, stopping.signal]);
    const changed = (change: Change): void => {
      this.#options.changed(kind, change);
    };
    const client = this.#options.client.until(signal);
    const ended = runInformer({ ...this.#options, client, store, signal, changed, synced });
    this.#informers.set(resourceName(kind), {
      kind,
      ended,
      stop: () => {
        stopping.abort();
      },
    });
  }

  #arrived(): void {
    this.#missing--;
    if (this.#missing === 0) this.#options.synced();
  }
}
