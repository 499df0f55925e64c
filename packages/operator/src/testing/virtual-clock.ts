// Time for tests with many timers: it jumps from one to the next. A wall clock that can be set stands beside it.
import type { MonotonicClock } from '@pawl/reconciler';

interface Timer {
  readonly at: number;
  readonly order: number;
  readonly callback: () => void;
}

export class VirtualClock implements MonotonicClock {
  #passed = 0;
  /** What the wall clock shows at the beginning, and what was set on it since. */
  #wall: number;
  /** The latest first, so that the next one is the last. */
  readonly #timers: Timer[] = [];
  #count = 0;

  constructor(wall: number) {
    this.#wall = wall;
  }

  now = (): number => this.#wall + this.#passed;
  monotonic = (): number => this.#passed;

  setTimer = (ms: number, callback: () => void): (() => void) => {
    const timer = { at: this.#passed + Math.max(0, ms), order: (this.#count += 1), callback };
    this.#timers.splice(this.#placeOf(timer), 0, timer);
    return () => {
      const place = this.#placeOf(timer);
      if (this.#timers[place] === timer) this.#timers.splice(place, 1);
    };
  };

  /** Sets the wall clock forth or back; no time passes. */
  correct(ms: number): void {
    this.#wall += ms;
  }

  /** When the next timer is due, on the monotonic clock. */
  get nextAt(): number {
    return this.#timers.at(-1)?.at ?? Infinity;
  }

  /** Moves to a moment and calls the timers that are due until then, each at its own moment. */
  moveTo(moment: number): void {
    for (let timer = this.#timers.at(-1); timer !== undefined && timer.at <= moment; timer = this.#timers.at(-1)) {
      this.#timers.pop();
      this.#passed = timer.at;
      timer.callback();
    }
    this.#passed = Math.max(this.#passed, moment);
  }

  /** The index of a timer, or where it belongs. */
  #placeOf(timer: Timer): number {
    let [low, high] = [0, this.#timers.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      const other = this.#timers[middle];
      if (other !== undefined && (other.at > timer.at || (other.at === timer.at && other.order > timer.order))) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
