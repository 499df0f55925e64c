// Chance that a seed repeats.

export class Dice {
  #state: number;

  constructor(seed: number) {
    this.#state = (seed * 2_654_435_761) >>> 0;
  }

  /** A whole number from 0 to just below `bound`. */
  below = (bound: number): number => {
    this.#state = (Math.imul(this.#state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((this.#state / 2 ** 32) * bound);
  };
}
