// A limit on what one process asks of the API server: so many requests a second, in the order in which they came.
import type { MonotonicClock } from '@pawl/reconciler';
import { TokenBucket } from '../token-bucket.ts';
import { reasonOf } from '../waiting.ts';

export interface RequestThrottleOptions {
  /** Requests a second. */
  readonly qps: number;
  /** So many at once after a pause. */
  readonly burst: number;
  readonly clock: MonotonicClock;
  /** Told how long each request had to wait, in milliseconds. */
  readonly onAdmitted?: ((method: string, waitedMs: number) => void) | undefined;
}

/** Lets requests through; a client asks it before each attempt. */
export class RequestThrottle {
  readonly #options: RequestThrottleOptions;
  readonly #bucket: TokenBucket;
  /** Who waits, in order. Invariant: a timer runs exactly while somebody waits. */
  readonly #waiting = new Set<() => void>();

  constructor(options: RequestThrottleOptions) {
    const { qps, burst, clock } = options;
    this.#options = options;
    this.#bucket = new TokenBucket({ burst, refillMs: 1_000 / qps }, clock.monotonic);
  }

  /** Resolves when a request may be sent; rejects with the reason of the signal when that is aborted before. */
  admit = async (method: string, signal: AbortSignal | undefined): Promise<void> => {
    const { clock, onAdmitted } = this.#options;
    const from = clock.monotonic();
    if (this.#waiting.size > 0 || !this.#bucket.take()) await this.#turn(signal);
    onAdmitted?.(method, clock.monotonic() - from);
  };

  #turn(signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted === true) return reject(reasonOf(signal));
      const leave = (): void => {
        this.#waiting.delete(begin);
        if (signal !== undefined) reject(reasonOf(signal));
      };
      const begin = (): void => {
        signal?.removeEventListener('abort', leave);
        resolve();
      };
      signal?.addEventListener('abort', leave, { once: true });
      this.#waiting.add(begin);
      if (this.#waiting.size === 1) this.#serveLater();
    });
  }

  #serveLater(): void {
    this.#options.clock.setTimer(this.#bucket.waitMs(), () => {
      for (const begin of this.#waiting) {
        if (!this.#bucket.take()) break;
        this.#waiting.delete(begin);
        begin();
      }
      if (this.#waiting.size > 0) this.#serveLater();
    });
  }
}
