// Tells the cluster what has happened, by Events. Best effort: nothing waits for an Event, nothing fails because of one.
//
// The same thing seen again within ten minutes counts up in the Event that is there, which is rewritten once a minute at
// most. Each object may cause so many Events, all together so many a second; what exceeds a limit is dropped and counted.
import { shortHash, type Logger, type Random } from '@pawl/reconciler';
import { isAlreadyExists, isNotFound, isTransient } from '../client/error-kinds.ts';
import type { KubeClient } from '../client/kube-client.ts';
import type { MonotonicClock } from '@pawl/reconciler';
import { backoffMs, pause } from '../waiting.ts';
import { eventBody, eventName, eventNamespace, EVENTS, seriesBody } from './event-object.ts';
import type { Happening } from './happening.ts';
import { TokenBucket, type BucketLimit } from '../token-bucket.ts';

export interface EventRecorderParts {
  readonly client: KubeClient;
  readonly clock: MonotonicClock;
  readonly random: Random;
  readonly log: Logger;
  /** A qualified name that stays the same, such as `pawl.dev/web`. */
  readonly controller: string;
  /** This process. */
  readonly instance: string;
  readonly limits?: Partial<EventLimits> | undefined;
}

export interface EventLimits {
  /** Different things that are remembered, and written, at the same time. */
  readonly remembered: number;
  readonly perObject: BucketLimit;
  readonly overall: BucketLimit;
}

const LIMITS: EventLimits = {
  remembered: 2_000,
  perObject: { burst: 25, refillMs: 60_000 },
  overall: { burst: 100, refillMs: 50 },
};
/** Seen again within so long: the same Event. */
const SERIES_MS = 600_000;
const REWRITE_MS = 60_000;
const WRITE_TIMEOUT_MS = 5_000;
const TRIES = 3;

interface Series {
  readonly happening: Happening;
  readonly firstAt: number;
  readonly name: string;
  exists: boolean;
  count: number;
  lastAt: number;
  /** On the monotonic clock, as the next one. */
  seenAt: number;
  writtenAt: number;
  cancel: (() => void) | undefined;
}

export class EventRecorder {
  readonly #parts: EventRecorderParts;
  readonly #limits: EventLimits;
  readonly #series = new Map<string, Series>();
  /** Keys of what is to be written, in order. */
  readonly #pending = new Set<string>();
  readonly #buckets = new Map<string, TokenBucket>();
  readonly #overall: TokenBucket;
  readonly #stopping = new AbortController();
  #writing: Promise<void> | undefined;
  #isClosed = false;
  #told = 0;
  #dropped = 0;

  constructor(parts: EventRecorderParts) {
    this.#parts = parts;
    this.#limits = { ...LIMITS, ...parts.limits };
    this.#overall = new TokenBucket(this.#limits.overall, parts.clock.monotonic);
  }

  /** How many were not written because there were too many. */
  get dropped(): number {
    return this.#dropped;
  }

  /** Takes note; returns at once and never throws. */
  record = (...happenings: readonly Happening[]): void => {
    if (!this.#isClosed) for (const happening of happenings) this.#record(happening);
  };

  /** Writes what is left for at most `withinMs`, then stops for good. Never throws. */
  stop = async (withinMs = 2_000): Promise<void> => {
    this.#isClosed = true;
    for (const [key, { cancel, count }] of this.#series) {
      cancel?.();
      if (cancel !== undefined && count > 1) this.#enqueue(key);
    }
    const cancel = this.#parts.clock.setTimer(withinMs, () => this.#stopping.abort(new Error('the operator stops')));
    while (this.#writing !== undefined) await this.#writing;
    cancel();
    this.#stopping.abort(new Error('the operator stops'));
  };

  #record(happening: Happening): void {
    const { clock, instance } = this.#parts;
    const now = clock.now();
    const key = keyOf(happening);
    const known = this.#series.get(key);
    const seenAt = clock.monotonic();
    if (known !== undefined && seenAt - known.seenAt < SERIES_MS) {
      Object.assign(known, { count: known.count + 1, lastAt: now, seenAt });
      this.#rewriteLater(key, known);
      return;
    }
    if (!this.#bucketOf(happening).take() || !this.#makeRoom(key)) {
      this.#drop();
      return;
    }
    known?.cancel?.();
    this.#told += 1;
    // The key as well: a process has two recorders, one of which does not wait for the leadership.
    const name = eventName(happening, `${now.toString(16)}${shortHash(`${instance} ${this.#told} ${key}`, 8)}`);
    const seen = { count: 1, firstAt: now, lastAt: now, seenAt, writtenAt: seenAt };
    this.#series.set(key, { happening, name, exists: false, cancel: undefined, ...seen });
    this.#enqueue(key);
  }

  #rewriteLater(key: string, series: Series): void {
    if (series.cancel !== undefined || this.#pending.has(key)) return;
    const { clock } = this.#parts;
    const waitMs = Math.max(0, series.writtenAt + REWRITE_MS - clock.monotonic());
    series.cancel = clock.setTimer(waitMs, () => {
      series.cancel = undefined;
      this.#enqueue(key);
    });
  }

  #enqueue(key: string): void {
    this.#pending.add(key);
    this.#writing ??= this.#writeAll().finally(() => {
      this.#writing = undefined;
      const [left] = this.#pending;
      if (left !== undefined && !this.#stopping.signal.aborted) this.#enqueue(left);
    });
  }

  async #writeAll(): Promise<void> {
    const { clock, log } = this.#parts;
    const { signal } = this.#stopping;
    for (const key of this.#pending) {
      this.#pending.delete(key);
      const series = this.#series.get(key);
      if (series === undefined) continue;
      try {
        while (!this.#overall.take()) await pause(clock, this.#overall.waitMs(), signal);
        series.writtenAt = clock.monotonic();
        await this.#retried(() => this.#write(series), signal);
      } catch (error) {
        if (signal.aborted) return;
        log.debug({ err: error, reason: series.happening.reason }, 'an Event could not be written');
      }
    }
  }

  async #retried(write: () => Promise<void>, signal: AbortSignal): Promise<void> {
    const { clock, random } = this.#parts;
    for (let tries = 1; ; tries += 1) {
      try {
        return await write();
      } catch (error) {
        if (tries === TRIES || signal.aborted || !isTransient(error)) throw error;
        await pause(clock, backoffMs(tries, { baseMs: 1_000, maxMs: 10_000 }, random), signal);
      }
    }
  }

  async #write(series: Series): Promise<void> {
    const { client, controller, instance } = this.#parts;
    const { happening, name } = series;
    const bounds = { timeoutMs: WRITE_TIMEOUT_MS, signal: this.#stopping.signal };
    const namespace = eventNamespace(happening);
    try {
      if (series.exists) {
        await client.mergePatch(EVENTS, { name, namespace }, seriesBody(series), bounds);
        return;
      }
    } catch (error) {
      // The server forgets Events after a while; what is seen still is told anew.
      if (!isNotFound(error)) throw error;
    }
    try {
      await client.create(EVENTS, eventBody(happening, { name, firstAt: series.firstAt, series }, { controller, instance }), bounds);
    } catch (error) {
      // A former try has arrived after all.
      if (!isAlreadyExists(error)) throw error;
    }
    series.exists = true;
  }

  #bucketOf({ regarding: { uid, kind, namespace, name } }: Happening): TokenBucket {
    const key = uid ?? `${kind}/${namespace ?? ''}/${name}`;
    const known = this.#buckets.get(key);
    if (known !== undefined) return known;
    if (this.#buckets.size >= this.#limits.remembered)
      for (const [other, bucket] of this.#buckets) if (bucket.isFull) this.#buckets.delete(other);
    const bucket = new TokenBucket(this.#limits.perObject, this.#parts.clock.monotonic);
    this.#buckets.set(key, bucket);
    return bucket;
  }

  /** Forgets the oldest thing that is written already; false if there is none. */
  #makeRoom(key: string): boolean {
    if (this.#series.size < this.#limits.remembered || this.#series.has(key)) return true;
    for (const [other, series] of this.#series) {
      if (this.#pending.has(other)) continue;
      series.cancel?.();
      this.#series.delete(other);
      return true;
    }
    return false;
  }

  #drop(): void {
    this.#dropped += 1;
    if (this.#dropped % 100 === 1) this.#parts.log.warn({ dropped: this.#dropped }, 'there are more Events than may be written');
  }
}

function keyOf({ regarding, related, reason, type, note }: Happening): string {
  return JSON.stringify([regarding.uid ?? [regarding.kind, regarding.namespace, regarding.name], related?.uid, reason, type, note]);
}
