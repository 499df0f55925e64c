// The queue of keys that are to be worked on.
//
// Guarantees:
// - A key is in one pair of hands at a time; what is added meanwhile is handed out after `done`.
// - However often a key is added before it is handed out, it is handed out once.
// - Fresh keys come before resync keys, both in the order of their adding. A resync key that is added fresh moves up.
// - Of several requests to come back later, the earliest counts.
// - Adding a key never cancels a request or a retry that is due later; only `forget` cancels a retry.
// - Retries back off exponentially with full jitter and never end.
// - After `shutDown` no key is handed out; it resolves when every key that was handed out is done.
import type { MonotonicClock, Random } from '@pawl/reconciler';
import { type BackoffRange, backoffMs } from '../waiting.ts';

/** `fresh`: something happened. `resync`: something might have been missed. */
export type Urgency = 'fresh' | 'resync';

export interface WorkQueueOptions {
  readonly clock: MonotonicClock;
  readonly random: Random;
  /** Default: ceilings from 1 s to 5 min. */
  readonly backoff?: BackoffRange;
}

export interface WorkQueueSize {
  /** Keys that could be handed out now. */
  readonly ready: number;
  /** Keys that come back later. */
  readonly delayed: number;
  /** Keys in somebody's hands. */
  readonly processing: number;
}

const BACKOFF: BackoffRange = { baseMs: 1_000, maxMs: 300_000 };

interface Deadline {
  readonly at: number;
  readonly urgency: Urgency;
  readonly cancel: () => void;
}
/** A request and a retry are separate: forgetting the failures must not forget the request. */
type Slot = 'request' | 'retry';

export class WorkQueue {
  readonly #clock: MonotonicClock;
  readonly #random: Random;
  readonly #backoff: BackoffRange;
  /** Keys ready to be handed out; a key is in one of both at most, and never while it is processing. */
  readonly #ready: Readonly<Record<Urgency, Set<string>>> = { fresh: new Set(), resync: new Set() };
  readonly #processing = new Set<string>();
  /** Keys that were added while processing. */
  readonly #again = new Map<string, Urgency>();
  readonly #deadlines: Readonly<Record<Slot, Map<string, Deadline>>> = { request: new Map(), retry: new Map() };
  readonly #failures = new Map<string, number>();
  /** Those who wait for a key. Invariant: nobody waits while a key is ready. */
  readonly #waiting: ((key: string | undefined) => void)[] = [];
  #drained: PromiseWithResolvers<void> | undefined;

  constructor({ clock, random, backoff = BACKOFF }: WorkQueueOptions) {
    this.#clock = clock;
    this.#random = random;
    this.#backoff = backoff;
  }

  get size(): WorkQueueSize {
    const { request, retry } = this.#deadlines;
    return {
      ready: this.#ready.fresh.size + this.#ready.resync.size,
      delayed: new Set([...request.keys(), ...retry.keys()]).size,
      processing: this.#processing.size,
    };
  }

  /** Failures of a key in a row. */
  failures(key: string): number {
    return this.#failures.get(key) ?? 0;
  }

  /** To be worked on now. */
  add(key: string, urgency: Urgency = 'fresh'): void {
    if (this.#drained !== undefined) return;
    if (this.#processing.has(key)) {
      if (this.#again.get(key) !== 'fresh') this.#again.set(key, urgency);
    } else if (!this.#ready.fresh.has(key)) {
      if (urgency === 'fresh') this.#ready.resync.delete(key);
      this.#ready[urgency].add(key);
      this.#handOut();
    }
  }

  /** To be worked on in `ms` milliseconds, or earlier if that was asked for already. */
  addAfter(key: string, ms: number, urgency: Urgency = 'fresh'): void {
    this.#schedule('request', key, ms, urgency);
  }

  /**
   * The work failed: it is tried again, later each time.
   *
   * @param atLeastMs a delay that somebody else asked for
   * @returns the delay, in milliseconds
   */
  retry(key: string, atLeastMs = 0): number {
    const failures = this.failures(key) + 1;
    this.#failures.set(key, failures);
    const ms = Math.max(atLeastMs, backoffMs(failures, this.#backoff, this.#random));
    this.#schedule('retry', key, ms, 'fresh');
    return ms;
  }

  /** The work succeeded: failures are forgotten, and a retry that is still to come with them. */
  forget(key: string): void {
    this.#failures.delete(key);
    this.#unschedule('retry', key);
  }

  /** The object is gone for good: nothing about the key is kept. What was added meanwhile still is. */
  discard(key: string): void {
    this.forget(key);
    this.#unschedule('request', key);
  }

  /** The next key, when there is one; undefined after the shutdown. Hand it back with `done`. */
  next(): Promise<string | undefined> {
    return new Promise((resolve) => {
      if (this.#drained !== undefined) return resolve(undefined);
      this.#waiting.push(resolve);
      this.#handOut();
    });
  }

  /** The key is out of hands. */
  done(key: string): void {
    if (!this.#processing.delete(key)) return;
    const again = this.#again.get(key);
    this.#again.delete(key);
    if (again !== undefined) this.add(key, again);
    this.#settle();
  }

  /** Takes nothing more and hands out nothing more. */
  shutDown(): Promise<void> {
    if (this.#drained === undefined) {
      this.#drained = Promise.withResolvers();
      for (const slot of ['request', 'retry'] as const)
        for (const key of this.#deadlines[slot].keys()) this.#unschedule(slot, key);
      for (const urgency of ['fresh', 'resync'] as const) this.#ready[urgency].clear();
      this.#again.clear();
      for (const resolve of this.#waiting.splice(0)) resolve(undefined);
      this.#settle();
    }
    return this.#drained.promise;
  }

  #handOut(): void {
    while (this.#waiting.length > 0) {
      const [key] = this.#ready.fresh.size > 0 ? this.#ready.fresh : this.#ready.resync;
      if (key === undefined) return;
      this.#ready.fresh.delete(key);
      this.#ready.resync.delete(key);
      this.#processing.add(key);
      this.#waiting.shift()?.(key);
    }
  }

  #schedule(slot: Slot, key: string, ms: number, urgency: Urgency): void {
    if (this.#drained !== undefined) return;
    const at = this.#clock.monotonic() + Math.max(0, ms);
    const known = this.#deadlines[slot].get(key);
    if (known !== undefined && known.at <= at) return;
    known?.cancel();
    const cancel = this.#clock.setTimer(Math.max(0, ms), () => {
      this.#deadlines[slot].delete(key);
      this.add(key, urgency);
    });
    this.#deadlines[slot].set(key, { at, urgency, cancel });
  }

  #unschedule(slot: Slot, key: string): void {
    this.#deadlines[slot].get(key)?.cancel();
    this.#deadlines[slot].delete(key);
  }

  #settle(): void {
    if (this.#processing.size === 0) this.#drained?.resolve();
  }
}
