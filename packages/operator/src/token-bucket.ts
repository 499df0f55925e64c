// So many at once, then one at a time: a limit that lets bursts through.

export interface BucketLimit {
  readonly burst: number;
  /** A spent token is back after so long, in milliseconds. */
  readonly refillMs: number;
}

export class TokenBucket {
  readonly #limit: BucketLimit;
  readonly #monotonic: () => number;
  #tokens: number;
  #at: number;

  constructor(limit: BucketLimit, monotonic: () => number) {
    this.#limit = limit;
    this.#monotonic = monotonic;
    this.#tokens = limit.burst;
    this.#at = monotonic();
  }

  /** Takes a token if there is one. */
  take(): boolean {
    this.#refill();
    if (this.#tokens < 1) return false;
    this.#tokens -= 1;
    return true;
  }

  /** Milliseconds until there is a token. */
  waitMs(): number {
    this.#refill();
    return this.#tokens >= 1 ? 0 : Math.ceil((1 - this.#tokens) * this.#limit.refillMs);
  }

  /** Nothing was taken lately: a new bucket would be no different. */
  get isFull(): boolean {
    this.#refill();
    return this.#tokens >= this.#limit.burst;
  }

  #refill(): void {
    const now = this.#monotonic();
    this.#tokens = Math.min(this.#limit.burst, this.#tokens + (now - this.#at) / this.#limit.refillMs);
    this.#at = now;
  }
}
