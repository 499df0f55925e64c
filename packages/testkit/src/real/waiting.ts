// Waiting in real time, until something is so, time is over, or all of it is called off.
import type { RealPorts } from './ports.ts';

type Waiting = Pick<RealPorts, 'clock' | 'signal'>;

const LOOK_EVERY_MS = 50;

/** @throws the reason of the signal */
export function pause({ clock, signal }: Waiting, ms: number): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason as Error);
    const onAbort = (): void => {
      cancel();
      reject(signal.reason as Error);
    };
    const cancel = clock.setTimer(ms, () => {
      signal.removeEventListener('abort', onAbort);
      resolve();
    });
    signal.addEventListener('abort', onAbort, { once: true });
  });
}

/**
 * Asks again and again.
 * @returns whether it was so in time
 * @throws the reason of the signal
 */
export async function until(waiting: Waiting, withinMs: number, isSo: () => boolean | Promise<boolean>): Promise<boolean> {
  for (const end = waiting.clock.monotonic() + withinMs; ; ) {
    if (await isSo()) return true;
    if (waiting.clock.monotonic() >= end) return false;
    await pause(waiting, LOOK_EVERY_MS);
  }
}
