// Time for tests: it moves only when told, while real I/O goes on.
import type { MonotonicClock } from '@pawl/reconciler';

interface Timer {
  readonly at: number;
  readonly callback: () => void;
}

export class ManualClock implements MonotonicClock {
  #now: number;
  /** What was set on the wall clock besides the time that passed. */
  #correction = 0;
  readonly #timers = new Set<Timer>();

  constructor(now = 0) {
    this.#now = now;
  }

  now = (): number => this.#now + this.#correction;
  monotonic = (): number => this.#now;

  setTimer = (ms: number, callback: () => void): (() => void) => {
    const timer = { at: this.#now + ms, callback };
    this.#timers.add(timer);
    return () => {
      this.#timers.delete(timer);
    };
  };

  /** Sets the wall clock forth or back; no time passes. */
  correct(ms: number): void {
    this.#correction += ms;
  }

  /** How many timers are set. */
  get pending(): number {
    return this.#timers.size;
  }

  /** Moves on and calls what is due, each timer at its own moment. */
  advance(ms: number): void {
    const end = this.#now + ms;
    for (let timer = this.#next(end); timer !== undefined; timer = this.#next(end)) {
      this.#now = Math.max(this.#now, timer.at);
      this.#timers.delete(timer);
      timer.callback();
    }
    this.#now = end;
  }

  /** Moves to the next timer, if there is one; answers by how much. */
  advanceToNext(): number {
    const next = this.#next(Infinity);
    const ms = next === undefined ? 0 : Math.max(0, next.at - this.#now);
    if (next !== undefined) this.advance(ms);
    return ms;
  }

  #next(end: number): Timer | undefined {
    let next: Timer | undefined;
    for (const timer of this.#timers) if (timer.at <= end && (next === undefined || timer.at < next.at)) next = timer;
    return next;
  }
}
