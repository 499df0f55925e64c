// Time for tests: it stands still until it is told to move.
import type { Clock } from '../ports.ts';

/** A clock that stands still until it is told to move. */
export interface ManualClock extends Clock {
  /** Moves on by `ms` and runs what became due, in order. */
  readonly advance: (ms: number) => void;
}

/** @param start milliseconds since the epoch; by default 2026 begins */
export function manualClock(start = Date.parse('2026-01-01T00:00:00Z')): ManualClock {
  let now = start;
  const timers = new Set<{ readonly at: number; readonly callback: () => void }>();
  return {
    now: () => now,
    setTimer: (ms, callback) => {
      const timer = { at: now + ms, callback };
      timers.add(timer);
      return () => {
        timers.delete(timer);
      };
    },
    advance: (ms) => {
      const end = now + ms;
      for (;;) {
        const [next] = [...timers].filter(({ at }) => at <= end).toSorted((a, b) => a.at - b.at);
        if (next === undefined) break;
        timers.delete(next);
        now = Math.max(now, next.at);
        next.callback();
      }
      now = end;
    },
  };
}
