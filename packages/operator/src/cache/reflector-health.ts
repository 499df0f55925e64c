// What a reflector says about itself, for health checks and metrics.
import type { Clock } from '@pawl/reconciler';

export type ReflectorState = 'idle' | 'listing' | 'watching' | 'waiting' | 'stopped';

export interface ReflectorReport {
  readonly state: ReflectorState;
  /** Whether there has been a complete list. */
  readonly synced: boolean;
  /** When the reflector last did anything, if only fail, in milliseconds since the epoch. Minutes ago: it hangs. */
  readonly lastActivityAt: number;
  /** When the server last answered. */
  readonly lastContactAt: number | undefined;
  /** Failures in a row. */
  readonly failures: number;
  /** Complete lists. */
  readonly lists: number;
  /** Watches that were opened. */
  readonly watches: number;
  readonly lastError: Error | undefined;
}

/** Written by the reflector only. */
export class ReflectorHealth {
  readonly #clock: Clock;
  readonly #synced: PromiseWithResolvers<void>;
  #report: { -readonly [Key in keyof ReflectorReport]: ReflectorReport[Key] };

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#synced = Promise.withResolvers();
    // Nobody need wait for it.
    this.#synced.promise.catch(() => {});
    this.#report = {
      state: 'idle',
      synced: false,
      lastActivityAt: clock.now(),
      lastContactAt: undefined,
      failures: 0,
      lists: 0,
      watches: 0,
      lastError: undefined,
    };
  }

  get report(): ReflectorReport {
    return { ...this.#report };
  }

  get synced(): Promise<void> {
    return this.#synced.promise;
  }

  enter(state: ReflectorState): void {
    this.#report.state = state;
    this.#report.lastActivityAt = this.#clock.now();
  }

  /** The server sent something. */
  contact(): void {
    const now = this.#clock.now();
    this.#report.lastActivityAt = now;
    this.#report.lastContactAt = now;
  }

  watchOpened(): void {
    this.#report.watches += 1;
    this.contact();
  }

  listed(): void {
    this.#report.lists += 1;
    this.#report.synced = true;
    this.enter('watching');
    this.#synced.resolve();
  }

  failed(failures: number, error: Error): void {
    this.#report.failures = failures;
    this.#report.lastError = error;
    this.enter('waiting');
  }

  recovered(): void {
    this.#report.failures = 0;
  }

  stop(reason: Error): void {
    this.enter('stopped');
    this.#synced.reject(reason);
  }
}
