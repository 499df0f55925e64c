// The only source of progress: one parked request goes on at a time, then everything that follows from it; when nothing
// is parked, time moves to the next timer.
import type { SimClock } from './sim-clock.ts';

interface Parked {
  readonly who: string;
  readonly go: () => void;
}

/** Taken before anything may replace it. A turn of the event loop: all promises that can settle have settled then. */
const realSetImmediate = setImmediate;

/** A world in which so much happens at one moment, or in all, does not come to rest any more. */
const MOST_AT_ONCE = 1_500;
const MOST_TURNS = 40_000;

export class Scheduler {
  readonly #clock: SimClock;
  readonly #parked: Parked[] = [];
  /** Picks among the parked requests; the default is the order of arrival. */
  readonly #choose: (parked: readonly { readonly who: string }[]) => number;
  #steps = 0;
  #turns = 0;
  #atOnce = 0;

  constructor(clock: SimClock, choose: (parked: readonly { readonly who: string }[]) => number = () => 0) {
    this.#clock = clock;
    this.#choose = choose;
  }

  /** Whether it was ended because too much happened. */
  get isExhausted(): boolean {
    return this.#turns > MOST_TURNS || this.#atOnce > MOST_AT_ONCE;
  }

  /** How many requests went on so far. */
  get steps(): number {
    return this.#steps;
  }

  /** Resolves when it is this caller's turn. */
  park = (who: string): Promise<void> => new Promise((go) => this.#parked.push({ who, go }));

  /**
   * Lets things happen until `isReached` says so at a moment at which nothing but time could go on, or until `end`.
   *
   * @param isStopped asked after every step: ends at once
   * @returns whether `isReached` was true
   */
  run = async (end: number, isReached: () => boolean | Promise<boolean>, isStopped: () => boolean = () => false): Promise<boolean> => {
    for (;;) {
      await new Promise((resolve) => realSetImmediate(resolve));
      this.#turns += 1;
      if (isStopped() || this.isExhausted) return false;
      if (this.#parked.length > 0) this.#next();
      else {
        if (await isReached()) return true;
        this.#atOnce = 0;
        if (!this.#clock.advanceToNext(end)) {
          this.#clock.moveTo(end);
          return await isReached();
        }
      }
    }
  };

  #next(): void {
    const index = this.#parked.length === 1 ? 0 : this.#choose(this.#parked);
    const [parked] = this.#parked.splice(index, 1);
    this.#steps += 1;
    this.#atOnce += 1;
    parked?.go();
  }
}
