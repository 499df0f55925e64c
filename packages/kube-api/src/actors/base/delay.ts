// Waiting on the clock.
import type { Clock } from '../../ports.ts';

/** Resolves after `ms`, or as soon as the signal aborts. */
export function delay(clock: Clock, signal: AbortSignal, ms: number): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) {
      resolve();
      return;
    }
    const done = (): void => {
      cancel();
      signal.removeEventListener('abort', done);
      resolve();
    };
    const cancel = clock.setTimer(ms, done);
    signal.addEventListener('abort', done);
  });
}
