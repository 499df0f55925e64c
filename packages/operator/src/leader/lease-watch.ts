// When a Lease may be taken, judged by one's own monotonic clock only: times that others wrote into it mean nothing here.
import type { LeaseState } from './lease.ts';

export class LeaseWatch {
  readonly #durationMs: number;
  /** The last change that was seen of a Lease in somebody's hands, and when it was seen. */
  #seen: { readonly fingerprint: string; readonly at: number; readonly durationMs: number } | undefined;

  /** @param durationMs a Lease is waited for at least so long, whatever its holder wrote into it */
  constructor(durationMs: number) {
    this.#durationMs = durationMs;
  }

  /** Whether the Lease was seen in somebody's hands and not released since. */
  get wasHeld(): boolean {
    return this.#seen !== undefined;
  }

  /**
   * Takes note of a read, and answers in how many milliseconds the Lease may be taken: 0 now, infinity never.
   *
   * A Lease that was held and then vanished, or lost its holder without being released, is waited for like one that is
   * not renewed: its holder may not know.
   *
   * @param at when the answer had arrived, on the monotonic clock
   */
  note(state: LeaseState, at: number): number {
    if (state.is === 'foreign') return Infinity;
    if (state.is === 'released') this.#seen = undefined;
    if (state.is === 'held' && state.fingerprint !== this.#seen?.fingerprint)
      this.#seen = { fingerprint: state.fingerprint, at, durationMs: Math.max(state.durationMs, this.#durationMs) };
    return this.#seen === undefined ? 0 : Math.max(0, this.#seen.at + this.#seen.durationMs - at);
  }
}
