// How much is queued or in flight over all actors, and the wait until it is nothing.

/** Counts what is going on; each `enter` is matched by one `leave`. */
export class Activity {
  #count = 0;
  #waiting: (() => void)[] = [];

  get busy(): boolean {
    return this.#count > 0;
  }

  enter(): void {
    this.#count++;
  }

  leave(): void {
    this.#count--;
    if (this.#count > 0) return;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resolve of waiting) resolve();
  }

  /** Resolves at the next moment at which nothing is going on; at once if that is now. */
  async none(): Promise<void> {
    if (this.busy) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }
}
