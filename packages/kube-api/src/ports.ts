// What the server takes from outside instead of reaching for it: time and chance.
import { randomBytes, randomUUID } from 'node:crypto';

/** Time. A test may pass a clock that it moves by hand. */
export interface Clock {
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Calls back after `ms`; the returned function cancels. */
  readonly setTimer: (ms: number, callback: () => void) => () => void;
}

/** Random values; seeded in tests. */
export interface Random {
  readonly uuid: () => string;
  readonly bytes: (length: number) => Uint8Array;
}

/** The clock of the machine. Its timers do not keep the process alive. */
export const systemClock: Clock = {
  now: Date.now,
  setTimer: (ms, callback) => {
    const timer = setTimeout(callback, ms);
    timer.unref();
    return () => {
      clearTimeout(timer);
    };
  },
};

/** The random source of the machine. */
export const systemRandom: Random = {
  uuid: () => randomUUID(),
  bytes: (length) => new Uint8Array(randomBytes(length)),
};

// The text of the last second asked for: most writes of a second share it.
let lastSecond = Number.NaN;
let lastText = '';

/** `metav1.Time` of a clock reading: RFC 3339 in UTC with whole seconds. */
export function timestamp(ms: number): string {
  const second = Math.floor(ms / 1_000);
  if (second !== lastSecond) {
    lastText = `${new Date(second * 1_000).toISOString().slice(0, 19)}Z`;
    lastSecond = second;
  }
  return lastText;
}
