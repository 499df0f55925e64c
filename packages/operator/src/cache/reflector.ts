// Keeps a copy of one kind true to the server: a complete list, then a watch, for ever. It heals itself after whatever
// happens to list or watch, and each of its waits is bounded, so it cannot fall silent.
import type { MonotonicClock, Random } from '@pawl/reconciler';
import type { KubernetesObject } from '@pawl/reconciler/kubernetes';
import { errorOfEvent } from '../client/api-error.ts';
import type { KindRef, KubeClient } from '../client/kube-client.ts';
import { KindNotServedError } from '../discovery/kind-not-served.ts';
import type { WatchEvent } from '../transport/transport.ts';
import { asError, type BackoffRange, backoffMs, fraction, pause } from '../waiting.ts';
import { keyOf } from './cached-object.ts';
import { ReflectorHealth, type ReflectorReport } from './reflector-health.ts';
import { isStreamingUnknown, isSuspicious, StreamStalledError, type Verdict, verdictOf } from './reflector-verdict.ts';
import { isOlder, newerOf } from './resource-version.ts';
import { parseBookmark, StreamedList } from './streamed-list.ts';
import { runWatchSession, WatchSilenceError } from './watch-session.ts';

/** Where a reflector puts what it learns. Only `accept` may throw, for an object that makes no sense. */
export interface ReflectorSink {
  /** Raw JSON as it will be kept, so that the rest can be freed at once. */
  readonly accept: (raw: unknown) => KubernetesObject;
  /** A complete list, by the keys of its objects. With `restored`, the server went back to older revisions for good. */
  readonly replace: (objects: ReadonlyMap<string, KubernetesObject>, resourceVersion: string, restored: boolean) => void;
  readonly event: (type: 'ADDED' | 'MODIFIED' | 'DELETED', object: KubernetesObject) => void;
  /** A bookmark: everything up to this revision has been delivered. Events say the same with their own revision. */
  readonly progress: (resourceVersion: string) => void;
}

/** What reflectors of one server learn for each other. */
export interface ServerTraits {
  /** False once the server turned out not to stream lists. */
  streamsLists: boolean;
}

/** What is reflected. */
export interface ReflectorScope {
  readonly type: KindRef;
  /** Default: all namespaces. */
  readonly namespace?: string | undefined;
  readonly labelSelector?: string | undefined;
  readonly fieldSelector?: string | undefined;
  /** Asks for metadata only. */
  readonly metadataOnly?: boolean | undefined;
}

export interface ReflectorFailure {
  readonly error: Error;
  readonly next: Verdict;
  /** How long it waits before that, in milliseconds. */
  readonly waitMs: number;
}

export interface ReflectorOptions {
  readonly client: KubeClient;
  readonly clock: MonotonicClock;
  readonly random: Random;
  readonly scope: ReflectorScope;
  readonly sink: ReflectorSink;
  readonly traits: ServerTraits;
  readonly onFailure?: ((failure: ReflectorFailure) => void) | undefined;
}

const SILENCE_MS = 70_000;
/** A streamed list flows, or the server does not stream. */
const STALL_MS = 15_000;
const LIFETIME_SECONDS = { min: 180, max: 230 };
/** What the server may take longer than it was asked to. */
const GRACE_MS = 10_000;
/** A watch that ends sooner and brought nothing is a failure; one that lived for the second time shows health. */
const SHORT_MS = 1_000;
const HEALTHY_MS = 30_000;
const BACKOFF: BackoffRange = { baseMs: 1_000, maxMs: 30_000 };
/** A CRD may be installed at any moment, and somebody may wait for its kind. */
const NOT_SERVED_BACKOFF: BackoffRange = { baseMs: 1_000, maxMs: 4_000 };
/** So many broken streams in a row, and the next list is read in pages. */
const BROKEN_STREAMS_LIMIT = 2;
/** So many lists in a row that are older than what was seen mean that the server's data was restored. */
const OLD_LISTS_LIMIT = 5;

/** One reflector is started once; `stop` is final. */
export class Reflector {
  readonly #options: ReflectorOptions;
  readonly #controller = new AbortController();
  readonly #health: ReflectorHealth;
  #loop: Promise<void> | undefined;
  /** The revision to watch from; undefined: a complete list is due. */
  #resourceVersion: string | undefined;
  /** The newest revision ever taken over. */
  #newest: string | undefined;
  /** Whether the present or last turn streamed a list. */
  #streaming = false;
  #failures = 0;
  #fruitless = 0;
  #brokenStreams = 0;
  #oldLists = 0;

  constructor(options: ReflectorOptions) {
    this.#options = options;
    this.#health = new ReflectorHealth(options.clock);
  }

  get report(): ReflectorReport {
    return this.#health.report;
  }

  /** Resolves after the first complete list; rejects if the reflector is stopped before. */
  get synced(): Promise<void> {
    return this.#health.synced;
  }

  /** Begins; a second call changes nothing. */
  start(): void {
    this.#loop ??= this.#run();
  }

  /** Ends every request and wait; resolves when nothing is left running. */
  async stop(): Promise<void> {
    const reason = new Error(`the reflector of ${this.#options.scope.type.kind} was stopped`);
    this.#health.stop(reason);
    this.#controller.abort(reason);
    await this.#loop;
  }

  async #run(): Promise<void> {
    const { signal } = this.#controller;
    while (!signal.aborted) {
      const { clock } = this.#options;
      const [began, from] = [clock.monotonic(), this.#resourceVersion];
      try {
        await this.#turn();
        this.#recovered();
      } catch (error) {
        if (signal.aborted) return;
        const progressed = this.#resourceVersion !== undefined && this.#resourceVersion !== from;
        if (progressed || clock.monotonic() - began >= HEALTHY_MS) this.#recovered();
        await this.#recover(asError(error), from === undefined && !progressed).catch(() => {});
      }
    }
  }

  /** One list, or one watch to its end. */
  async #turn(): Promise<void> {
    const isListDue = this.#resourceVersion === undefined;
    const mayStream = this.#options.traits.streamsLists && this.#brokenStreams < BROKEN_STREAMS_LIMIT;
    this.#streaming = isListDue && mayStream;
    if (isListDue && !mayStream) await this.#list();
    else await this.#watch(isListDue ? new StreamedList() : undefined);
  }

  async #list(): Promise<void> {
    const { client, scope, sink } = this.#options;
    const accept = acceptFor(scope, 'PartialObjectMetadataList');
    const objects = new Map<string, KubernetesObject>();
    this.#health.enter('listing');
    const options = { ...scope, accept, signal: this.#controller.signal };
    const resourceVersion = await client.eachPage(scope.type, options, ({ items }, isFirst) => {
      this.#health.contact();
      if (isFirst) objects.clear();
      for (const item of items) {
        const object = sink.accept(item);
        objects.set(keyOf(object.metadata), object);
      }
    });
    this.#takeOver(objects, resourceVersion);
  }

  async #watch(list: StreamedList | undefined): Promise<void> {
    const { client, clock, random, scope } = this.#options;
    const { type, namespace, labelSelector, fieldSelector } = scope;
    const { min, max } = LIFETIME_SECONDS;
    const timeoutSeconds = min + Math.floor(fraction(random) * (max - min + 1));
    const start =
      list === undefined
        ? { resourceVersion: this.#resourceVersion }
        : { sendInitialEvents: true, resourceVersionMatch: 'NotOlderThan' };
    const query = { allowWatchBookmarks: true, timeoutSeconds, labelSelector, fieldSelector, ...start };
    const isComplete = (): boolean => this.#resourceVersion !== undefined;
    const [began, from] = [clock.monotonic(), this.#resourceVersion];
    this.#health.enter(list === undefined ? 'watching' : 'listing');
    await runWatchSession({
      clock,
      signal: this.#controller.signal,
      limits: () => ({
        silenceMs: isComplete() ? SILENCE_MS : STALL_MS,
        lifetimeMs: timeoutSeconds * 1_000 + GRACE_MS,
      }),
      open: (signal) =>
        client.watch(type, { namespace, query, accept: acceptFor(scope, 'PartialObjectMetadata'), signal }),
      onOpen: () => this.#health.watchOpened(),
      onEvent: (event) => this.#onEvent(event, list),
    });
    if (!isComplete()) throw new Error('the server ended the watch before its list was complete');
    if (this.#resourceVersion === from && clock.monotonic() - began < SHORT_MS)
      throw new Error('the watch ended at once');
  }

  #onEvent({ type, object }: WatchEvent, list: StreamedList | undefined): void {
    const { sink } = this.#options;
    this.#health.contact();
    if (type === 'ERROR') throw errorOfEvent(object);
    if (type === 'BOOKMARK') {
      const { resourceVersion, endsList } = parseBookmark(object);
      if (this.#resourceVersion !== undefined) {
        this.#advance(resourceVersion);
        sink.progress(resourceVersion);
      } else if (endsList && list !== undefined) this.#takeOver(list.objects, resourceVersion);
      return;
    }
    const accepted = sink.accept(object);
    if (this.#resourceVersion === undefined) return list?.add(type, accepted);
    this.#advance(accepted.metadata.resourceVersion);
    sink.event(type, accepted);
  }

  #advance(resourceVersion: string): void {
    this.#resourceVersion = newerOf(this.#resourceVersion, resourceVersion);
    this.#newest = newerOf(this.#newest, resourceVersion);
  }

  /** Makes a complete list the new truth, unless it is older than what is known. */
  #takeOver(objects: ReadonlyMap<string, KubernetesObject>, resourceVersion: string): void {
    const isOld = this.#newest !== undefined && isOlder(resourceVersion, this.#newest);
    this.#oldLists = isOld ? this.#oldLists + 1 : 0;
    const restored = this.#oldLists >= OLD_LISTS_LIMIT;
    if (isOld && !restored)
      throw new Error(`the server listed revision ${resourceVersion}, but ${this.#newest} was seen before`);
    this.#options.sink.replace(objects, resourceVersion, restored);
    this.#resourceVersion = resourceVersion;
    this.#newest = resourceVersion;
    this.#oldLists = 0;
    this.#brokenStreams = 0;
    this.#health.listed();
  }

  #recovered(): void {
    this.#failures = 0;
    this.#fruitless = 0;
    this.#health.recovered();
  }

  /** Decides what comes next and waits for it. */
  async #recover(error: Error, wasListing: boolean): Promise<void> {
    const { clock, random, traits, onFailure } = this.#options;
    if (wasListing && this.#streaming && isStreamingUnknown(stalled(error))) {
      traits.streamsLists = false;
      return;
    }
    this.#failures += 1;
    if (isSuspicious(error)) this.#fruitless += 1;
    if (wasListing && this.#streaming) this.#brokenStreams += 1;
    const next = wasListing ? 'relist' : verdictOf(error, this.#fruitless);
    if (next === 'relist') this.#resourceVersion = undefined;
    const retryAfterMs = 'retryAfterMs' in error && typeof error.retryAfterMs === 'number' ? error.retryAfterMs : 0;
    const range = error instanceof KindNotServedError ? NOT_SERVED_BACKOFF : BACKOFF;
    const waitMs = Math.max(retryAfterMs, backoffMs(this.#failures, range, random));
    this.#health.failed(this.#failures, error);
    onFailure?.({ error, next, waitMs });
    await pause(clock, waitMs, this.#controller.signal);
  }
}

/** Silence within a streamed list means more than silence of a watch. */
function stalled(error: Error): Error {
  return error instanceof WatchSilenceError ? new StreamStalledError(error.message) : error;
}

function acceptFor({ metadataOnly }: ReflectorScope, kind: string): string | undefined {
  return metadataOnly === true ? `application/json;as=${kind};g=meta.k8s.io;v=v1,application/json` : undefined;
}
