// Time that stands still until it is moved.
import type { Clock } from '../ports.ts';

interface Timer {
  readonly at: number;
  readonly callback: () => void;
}

/** A clock that a test moves by hand. */
export class VirtualClock implements Clock {
  #now: number;
  readonly #timers = new Set<Timer>();

  /** @param start milliseconds since the epoch */
  constructor(start: number) {
    this.#now = start;
  }

  readonly now = (): number => this.#now;

  readonly setTimer = (ms: number, callback: () => void): (() => void) => {
    const timer: Timer = { at: this.#now + Math.max(0, ms), callback };
    this.#timers.add(timer);
    return () => {
      this.#timers.delete(timer);
    };
  };

  /** When the next timer is due; undefined if there is none. */
  next(): number | undefined {
    let next: number | undefined;
    for (const { at } of this.#timers) if (next === undefined || at < next) next = at;
    return next;
  }

  /** Moves to a moment, at which everything that is due by then is called back, in the order in which it is due. */
  moveTo(moment: number): void {
    if (moment > this.#now) this.#now = moment;
    const due = [...this.#timers].filter(({ at }) => at <= this.#now).toSorted((a, b) => a.at - b.at);
    for (const timer of due) if (this.#timers.delete(timer)) timer.callback();
  }
}
