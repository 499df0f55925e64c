// The clocks of the suite: real time, and time that passes only when a row waits, so that minutes take no real second.
import type { Clock } from '@pawl/kube-api';

interface Timer {
  readonly at: number;
  readonly callback: () => void;
}

/** The machine's time. Its timers do not keep the process alive. */
export const realClock: Clock = {
  now: Date.now,
  setTimer: (ms, callback) => {
    const timer = setTimeout(callback, ms).unref();
    return () => {
      clearTimeout(timer);
    };
  },
};

/** Lets real time pass. */
export function realTime(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** A clock for one in-memory server. */
export class ManualClock implements Clock {
  #now = Date.UTC(2026, 0, 1);
  #timers: readonly Timer[] = [];

  readonly now = (): number => this.#now;

  readonly setTimer = (ms: number, callback: () => void): (() => void) => {
    const timer: Timer = { at: this.#now + Math.max(ms, 0), callback };
    this.#timers = [...this.#timers, timer];
    return () => {
      this.#timers = this.#timers.filter((one) => one !== timer);
    };
  };

  /** Runs what is due within the next `ms`, in order, and lets everything that it sets off come to rest. */
  async advance(ms: number): Promise<void> {
    const end = this.#now + ms;
    await rest();
    for (;;) {
      const next = this.#timers.filter((timer) => timer.at <= end).sort((a, b) => a.at - b.at)[0];
      if (next === undefined) break;
      this.#timers = this.#timers.filter((timer) => timer !== next);
      this.#now = Math.max(this.#now, next.at);
      next.callback();
      await rest();
    }
    this.#now = end;
  }
}

/** Lets pending promises and immediates run. */
async function rest(): Promise<void> {
  for (let i = 0; i < 3; i++) await new Promise((resolve) => setImmediate(resolve));
}
