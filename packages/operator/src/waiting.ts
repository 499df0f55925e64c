// Waiting on an injected clock: pauses that a signal ends, and calls that end at a deadline whatever they wait for.
import type { Clock, Random } from '@pawl/reconciler';

/** A number from 0 to just below 1. */
export function fraction(random: Random): number {
  const [a = 0, b = 0, c = 0, d = 0] = random.bytes(4);
  return (((a << 24) | (b << 16) | (c << 8) | d) >>> 0) / 2 ** 32;
}

/** How long to wait after failures in a row. */
export interface BackoffRange {
  /** The ceiling after the first failure. */
  readonly baseMs: number;
  /** The highest ceiling. */
  readonly maxMs: number;
}

/**
 * Exponential back-off with full jitter: a random delay up to a ceiling that doubles with each failure.
 *
 * @param failures failures in a row before this wait, counted from 1
 */
export function backoffMs(failures: number, { baseMs, maxMs }: BackoffRange, random: Random): number {
  const ceiling = Math.min(maxMs, baseMs * 2 ** Math.min(Math.max(failures, 1) - 1, 52));
  return Math.round(ceiling * fraction(random));
}

/** Resolves after `ms`; rejects with the signal's reason when it is aborted before. */
export function pause(clock: Clock, ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted === true) return reject(reasonOf(signal));
    const end = (): void => {
      cancel();
      if (signal !== undefined) reject(reasonOf(signal));
    };
    const cancel = clock.setTimer(ms, () => {
      signal?.removeEventListener('abort', end);
      resolve();
    });
    signal?.addEventListener('abort', end, { once: true });
  });
}

/** The call took longer than it was given. */
export class DeadlineError extends Error {
  override readonly name = 'DeadlineError';
  readonly timeoutMs: number;

  constructor(timeoutMs: number) {
    super(`no answer within ${timeoutMs} ms`);
    this.timeoutMs = timeoutMs;
  }
}

/** What bounds a call. */
export interface Bounds {
  readonly clock: Clock;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Runs `call` with a signal that is aborted at the deadline and when the caller's own signal is. The result settles
 * then even if the call ignores its signal.
 *
 * @throws {DeadlineError} at the deadline; the reason of the caller's signal when that is aborted
 */
export function bounded<T>(
  { clock, timeoutMs, signal }: Bounds,
  call: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted === true) return reject(reasonOf(signal));
    const controller = new AbortController();
    const stop = (reason: Error): void => {
      release();
      reject(reason);
      controller.abort(reason);
    };
    const onAbort = (): void => {
      if (signal !== undefined) stop(reasonOf(signal));
    };
    const cancel = clock.setTimer(timeoutMs, () => stop(new DeadlineError(timeoutMs)));
    const release = (): void => {
      cancel();
      signal?.removeEventListener('abort', onAbort);
    };
    signal?.addEventListener('abort', onAbort, { once: true });
    call(controller.signal).then(
      (value) => {
        release();
        resolve(value);
      },
      (error: unknown) => {
        release();
        reject(asError(error));
      },
    );
  });
}

/** The reason of an aborted signal as an error. */
export function reasonOf(signal: AbortSignal): Error {
  return asError(signal.reason as unknown);
}

/** Whatever was thrown, as an error. */
export function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}
