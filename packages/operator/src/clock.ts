// Time and chance of the real machine. The only file of this package that reaches for them; all else is given both.
import { randomBytes, randomUUID } from 'node:crypto';
import type { Clock, Random } from '@pawl/reconciler';

/** A clock that also measures spans which a correction of the wall clock does not change. */
export interface MonotonicClock extends Clock {
  /** Milliseconds since some fixed moment; never goes back. */
  readonly monotonic: () => number;
}

/** Node fires a timer with a longer delay at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Timers keep the process alive only as far as something else does: a server, a watch, a running cycle. */
export const systemClock: MonotonicClock = Object.freeze({
  now: () => Date.now(),
  monotonic: () => performance.now(),
  setTimer: (ms: number, callback: () => void) => {
    let timer: NodeJS.Timeout;
    const arm = (left: number): void => {
      const step = Math.min(left, LONGEST_TIMER_MS);
      timer = setTimeout(() => (left > step ? arm(left - step) : callback()), step);
    };
    arm(Math.max(0, ms));
    return () => clearTimeout(timer);
  },
});

export const systemRandom: Random = Object.freeze({
  uuid: () => randomUUID(),
  bytes: (length: number) => new Uint8Array(randomBytes(length)),
});
