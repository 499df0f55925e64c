// Reading one watch to its end, on our clock: a stream that says nothing, or that never ends, is ended.
import type { MonotonicClock } from '@pawl/reconciler';
import type { WatchEvent } from '../transport/transport.ts';
import { asError, reasonOf } from '../waiting.ts';

/** How long a stream may be silent and how long it may live, in milliseconds. */
export interface WatchLimits {
  readonly silenceMs: number;
  readonly lifetimeMs: number;
}

export interface WatchSession {
  readonly clock: MonotonicClock;
  /** Ends the session from outside. */
  readonly signal: AbortSignal;
  /** Asked again after each event. */
  readonly limits: () => WatchLimits;
  /** Opens the stream; the signal must close it. */
  readonly open: (signal: AbortSignal) => Promise<AsyncIterable<WatchEvent>>;
  /** The stream is open. */
  readonly onOpen: () => void;
  /** What it throws ends the session. */
  readonly onEvent: (event: WatchEvent) => void;
}

/** The stream was silent for too long: the connection may be half open. */
export class WatchSilenceError extends Error {
  override readonly name = 'WatchSilenceError';
}

/**
 * Resolves when the server ends the stream and when its lifetime is over; rejects when it breaks, falls silent, or an
 * event is refused. It settles in time even if the stream does not react to being closed; no event comes afterwards.
 */
export function runWatchSession(session: WatchSession): Promise<void> {
  const { clock, signal, limits, open, onOpen, onEvent } = session;
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(reasonOf(signal));
    const controller = new AbortController();
    const start = clock.monotonic();
    let heardAt = start;
    let ended = false;
    let cancelTimer = (): void => {};

    const end = (settle: () => void, reason: Error): void => {
      if (ended) return;
      ended = true;
      cancelTimer();
      signal.removeEventListener('abort', onAbort);
      settle();
      controller.abort(reason);
    };
    const fail = (error: Error): void => end(() => reject(error), error);
    const finish = (): void => end(resolve, new Error('the watch is over'));
    const onAbort = (): void => fail(reasonOf(signal));

    const check = (): void => {
      const { silenceMs, lifetimeMs } = limits();
      const now = clock.monotonic();
      if (now >= start + lifetimeMs) return finish();
      if (now >= heardAt + silenceMs) return fail(new WatchSilenceError(`no sign of life for ${silenceMs} ms`));
      cancelTimer = clock.setTimer(Math.min(start + lifetimeMs, heardAt + silenceMs) - now, check);
    };

    const pump = async (): Promise<void> => {
      const events = await open(controller.signal);
      heardAt = clock.monotonic();
      if (ended) return;
      onOpen();
      for await (const event of events) {
        if (ended) return;
        heardAt = clock.monotonic();
        onEvent(event);
      }
    };

    signal.addEventListener('abort', onAbort, { once: true });
    check();
    pump().then(finish, (error: unknown) => fail(asError(error)));
  });
}
