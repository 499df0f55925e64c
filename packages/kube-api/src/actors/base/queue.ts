// Work by key: a key waits at most once, never runs twice at the same time, and may come back after a delay.
import type { Clock } from '../../ports.ts';
import type { Activity } from './activity.ts';

/** What a queue needs from outside. `run` must not throw; it returns the delay in ms after which the key runs again. */
export interface QueueOptions {
  readonly clock: Clock;
  readonly activity: Activity;
  /** Lets events that are already on their way arrive before the next key runs. */
  readonly turn: () => Promise<void>;
  readonly run: (key: string) => Promise<number | undefined>;
}

/** Runs keys one after the other, in the order in which they were added. */
export class WorkQueue {
  readonly #options: QueueOptions;
  readonly #waiting = new Set<string>();
  readonly #timers = new Map<string, () => void>();
  #open = false;
  #stopped = false;
  #draining: Promise<void> | undefined;

  constructor(options: QueueOptions) {
    this.#options = options;
  }

  /** Adds a key. One that is running now runs once more afterwards. */
  add(key: string): void {
    if (this.#stopped || this.#waiting.has(key)) return;
    this.#waiting.add(key);
    if (this.#open) this.#options.activity.enter();
    this.#drain();
  }

  /** Lets work begin. Keys that were added before wait for it, and count as activity only from now on. */
  open(): void {
    if (this.#open || this.#stopped) return;
    this.#open = true;
    for (const _ of this.#waiting) this.#options.activity.enter();
    this.#drain();
  }

  /** Drops what waits; resolves when the running key is done. */
  async stop(): Promise<void> {
    this.#stopped = true;
    for (const cancel of this.#timers.values()) cancel();
    this.#timers.clear();
    if (this.#open) for (const _ of this.#waiting) this.#options.activity.leave();
    this.#waiting.clear();
    await this.#draining;
  }

  #drain(): void {
    if (!this.#open || this.#draining !== undefined || this.#waiting.size === 0) return;
    this.#draining = this.#loop().finally(() => {
      this.#draining = undefined;
      this.#drain();
    });
  }

  async #loop(): Promise<void> {
    const { activity, turn, run } = this.#options;
    await turn();
    for (const key of this.#waiting) {
      this.#waiting.delete(key);
      this.#cancel(key);
      const again = await run(key);
      if (again !== undefined) this.#schedule(key, again);
      await turn();
      activity.leave();
    }
  }

  #schedule(key: string, ms: number): void {
    if (this.#stopped || this.#waiting.has(key)) return;
    const cancel = this.#options.clock.setTimer(ms, () => {
      this.#timers.delete(key);
      this.add(key);
    });
    this.#timers.set(key, cancel);
  }

  #cancel(key: string): void {
    this.#timers.get(key)?.();
    this.#timers.delete(key);
  }
}
