// Leader election over one Lease: of all replicas, whatever their versions, one at a time may change anything.
//
// Invariant: a change is admitted only within `renewDeadlineMs` after the last successful renewal was sent. Others see
// that renewal later than it was sent, and wait `leaseDurationMs` from then on, so whatever was admitted has taken effect
// or never will. All spans are measured on monotonic clocks, each process by its own; a wall clock may jump.
import type { KubernetesObject } from '@pawl/reconciler/kubernetes';
import type { Logger, MonotonicClock, Random } from '@pawl/reconciler';
import { isAlreadyExists, isConflict } from '../client/error-kinds.ts';
import { CycleAbandoned, type WritePermit } from '../controller/guard.ts';
import { asError, fraction, pause, reasonOf } from '../waiting.ts';
import { readLease, type LeaseState } from './lease.ts';
import type { LeaseStore } from './lease-store.ts';
import { LeaseWatch } from './lease-watch.ts';
import type { Leadership } from './leadership.ts';
import { settleMsOf, type LeaseTiming } from './timing.ts';

/** Told what happens, for metrics. */
export interface ElectionObserver {
  readonly leading: (isLeading: boolean) => void;
  /** The Lease was seen in other hands than before. */
  readonly holderChanged: () => void;
}

export interface LeaderElectorParts {
  readonly store: LeaseStore;
  readonly clock: MonotonicClock;
  readonly random: Random;
  readonly log: Logger;
  /** This process, as the Lease names its holder; never used by another process. */
  readonly identity: string;
  /** Durations without {@link timingFaults}. */
  readonly timing: LeaseTiming;
  /** Milliseconds until no change of this process can take effect any more; a Lease is released only at 0. */
  readonly writesSettleInMs: () => number;
  readonly observer?: ElectionObserver | undefined;
}

/** `over`: lost, released or given up. There is no way back. */
type Standing = 'idle' | 'seeking' | 'leading' | 'over';

/** A renewal that failed is tried again after so long at the earliest. */
const SHORTEST_WAIT_MS = 1_000;
const RELEASE_TRIES = 3;

export class LeaderElector implements Leadership {
  readonly #parts: LeaderElectorParts;
  readonly #watch: LeaseWatch;
  readonly #ended = new AbortController();
  readonly #listeners: ((reason: string) => void)[] = [];
  #standing: Standing = 'idle';
  readonly #led = Promise.withResolvers<void>();
  #running: Promise<void> = Promise.resolve();
  #whyOver = 'this process does not seek the leadership';
  /** The Lease as our last renewal left it; undefined if that is not certain. */
  #copy: KubernetesObject | undefined;
  /** On the monotonic clock: until when changes are admitted, and from when no predecessor's change can arrive. */
  #deadline = -Infinity;
  #settledAt = Infinity;
  #holder: string | undefined;
  #complained: string | undefined;

  constructor(parts: LeaderElectorParts) {
    this.#parts = parts;
    this.#watch = new LeaseWatch(parts.timing.leaseDurationMs);
  }

  /** Whether a change may be sent now. */
  get isLeading(): boolean {
    return this.#standing === 'leading' && this.#parts.clock.monotonic() < this.#deadline;
  }

  readonly permit: WritePermit = {
    assert: () => {
      if (this.isLeading) return;
      throw new CycleAbandoned(
        this.#standing === 'leading' ? 'the Lease was not renewed in time' : `this process does not lead: ${this.#whyOver}`,
      );
    },
    settled: () => this.#settlesInMs() === 0,
    settlesInMs: () => this.#settlesInMs(),
  };

  onLost = (listener: (reason: string) => void): void => {
    this.#listeners.push(listener);
  };

  whenLeading = async (signal: AbortSignal): Promise<WritePermit> => {
    if (signal.aborted) throw reasonOf(signal);
    if (this.#standing !== 'idle') throw new Error('the leadership was sought already; it is sought once');
    this.#standing = 'seeking';
    this.#whyOver = 'another process does, or none yet';
    const giveUp = (): void => this.#end('it was not sought any longer');
    signal.addEventListener('abort', giveUp, { once: true });
    this.#running = this.#run();
    await Promise.race([this.#led.promise, this.#running]);
    signal.removeEventListener('abort', giveUp);
    if (signal.aborted) throw reasonOf(signal);
    if (this.#ended.signal.aborted) throw reasonOf(this.#ended.signal);
    return this.permit;
  };

  release = async (): Promise<void> => {
    const { log, writesSettleInMs } = this.#parts;
    const wasLeading = this.isLeading;
    const isQuiet = this.permit.settled() && writesSettleInMs() === 0;
    this.#end('it was released');
    await this.#running;
    if (!wasLeading) return;
    if (!isQuiet) {
      log.info({}, 'the Lease is left to run out, for a change of this process might still take effect');
      return;
    }
    try {
      await this.#letGo();
      log.info({}, 'the Lease was released');
    } catch (error) {
      log.warn({ err: error }, 'the Lease could not be released and runs out by itself');
    }
  };

  #settlesInMs(): number {
    const { clock, timing } = this.#parts;
    return this.#standing === 'leading' ? Math.max(0, this.#settledAt - clock.monotonic()) : settleMsOf(timing);
  }

  /** Seeks, then keeps; ends when the leadership is over. Never throws. */
  async #run(): Promise<void> {
    const { clock, timing, random } = this.#parts;
    const { signal } = this.#ended;
    while (!signal.aborted) {
      const began = clock.monotonic();
      const waitMs = await (this.#standing === 'seeking' ? this.#seek() : this.#keep());
      const jitter = 1 - 0.2 * fraction(random);
      const rest = timing.retryPeriodMs * jitter - (clock.monotonic() - began);
      await pause(clock, Math.max(Math.min(rest, waitMs), SHORTEST_WAIT_MS), signal).catch(() => {});
    }
  }

  /** One look at the Lease, and a claim if it is free. Answers when it may be free, in milliseconds. */
  async #seek(): Promise<number> {
    const { store, clock, identity } = this.#parts;
    const { signal } = this.#ended;
    try {
      const object = await store.read(signal);
      const state = readLease(object);
      this.#noteHolder(state);
      const wasHeld = this.#watch.wasHeld;
      // A claim of ours whose answer was lost is confirmed at once.
      const isOurs = state.is === 'held' && state.holder === identity;
      const waitMs = isOurs ? 0 : this.#watch.note(state, clock.monotonic());
      if (state.is === 'foreign') this.#complain(`the Lease is not in a known format, so nobody leads here: ${state.why}`);
      if (waitMs > 0) return waitMs;
      const sentAt = clock.monotonic();
      this.#begin(await store.claim(object, state, signal), sentAt, {
        isSettled: state.is === 'released' || (state.is === 'missing' && !wasHeld),
      });
    } catch (error) {
      if (!signal.aborted && !isRace(error)) this.#complain('the Lease could not be read or taken', error);
    }
    return Infinity;
  }

  #begin(object: KubernetesObject, sentAt: number, { isSettled }: { readonly isSettled: boolean }): void {
    const { clock, timing, log, observer, identity } = this.#parts;
    if (this.#standing !== 'seeking') return;
    this.#standing = 'leading';
    this.#settledAt = clock.monotonic() + (isSettled ? 0 : settleMsOf(timing));
    this.#renewed(object, sentAt);
    this.#noteHolder(readLease(object));
    this.#armDeadline();
    observer?.leading(true);
    this.#led.resolve();
    log.info({ identity, settlesInMs: this.#settlesInMs() }, 'this process leads');
  }

  /** One renewal. Whoever else is found in the Lease ends the leadership at once. */
  async #keep(): Promise<number> {
    const { store, clock } = this.#parts;
    const { signal } = this.#ended;
    try {
      const object = this.#copy ?? (await store.read(signal));
      const state = readLease(object);
      if (!this.#isOurs(state)) {
        this.#noteHolder(state);
        this.#lose(`the Lease is ${state.is === 'held' ? `held by ${state.holder}` : state.is}`);
        return Infinity;
      }
      this.#copy = undefined;
      const sentAt = clock.monotonic();
      const isMissing = object === undefined;
      this.#renewed(await (isMissing ? store.claim(object, state, signal) : store.renew(object, signal)), sentAt);
    } catch (error) {
      this.#copy = undefined;
      if (!signal.aborted) this.#complain('the Lease could not be renewed and is tried again', error);
      if (isRace(error)) return 0;
    }
    return Infinity;
  }

  /** A Lease that somebody deleted is ours to restore: had another process taken it, it would be there. */
  #isOurs(state: LeaseState): boolean {
    return state.is === 'missing' || (state.is === 'held' && state.holder === this.#parts.identity);
  }

  #renewed(object: KubernetesObject, sentAt: number): void {
    this.#copy = object;
    this.#deadline = sentAt + this.#parts.timing.renewDeadlineMs;
    this.#complained = undefined;
  }

  /** The permit looks at the clock itself; the timer is there to tell those who wait. */
  #armDeadline(): void {
    const { clock } = this.#parts;
    const left = this.#deadline - clock.monotonic();
    if (left <= 0) return this.#lose('the Lease was not renewed in time');
    const cancel = clock.setTimer(left, () => {
      this.#ended.signal.removeEventListener('abort', cancel);
      if (this.#standing === 'leading') this.#armDeadline();
    });
    this.#ended.signal.addEventListener('abort', cancel, { once: true });
  }

  #lose(reason: string): void {
    if (this.#standing !== 'leading') return;
    this.#end(reason);
    this.#parts.log.error({ reason }, 'the leadership is lost');
    for (const listener of this.#listeners) listener(reason);
  }

  #end(why: string): void {
    if (this.#standing === 'over') return;
    if (this.#standing === 'leading') this.#parts.observer?.leading(false);
    this.#standing = 'over';
    this.#whyOver = why;
    this.#ended.abort(new Error(`the leadership is over: ${why}`));
  }

  /** A renewal that was under way may have landed or not, so the Lease is read anew. */
  async #letGo(): Promise<void> {
    const { store, identity } = this.#parts;
    for (let tries = 1; ; tries += 1) {
      const object = await store.read(undefined);
      const state = readLease(object);
      if (object === undefined || state.is !== 'held' || state.holder !== identity) return;
      try {
        return await store.release(object);
      } catch (error) {
        if (!isRace(error) || tries === RELEASE_TRIES) throw error;
      }
    }
  }

  #noteHolder(state: LeaseState): void {
    if (state.is !== 'held' || state.holder === this.#holder) return;
    if (this.#holder !== undefined) this.#parts.observer?.holderChanged();
    this.#holder = state.holder;
  }

  /** Says the same thing once, until a renewal succeeds. */
  #complain(message: string, error?: unknown): void {
    const said = `${message} ${error === undefined ? '' : asError(error).message}`;
    if (said === this.#complained) return;
    this.#complained = said;
    this.#parts.log.warn(error === undefined ? {} : { err: error }, message);
  }
}

/** Another process was faster. */
const isRace = (error: unknown): boolean => isConflict(error) || isAlreadyExists(error);
