// The right of one cycle to change anything. It is confirmed by a live read before the first change and can be taken away.

/** Why a cycle may not write any more. The work is not lost: the object comes up again. */
export class CycleAbandoned extends Error {
  override readonly name = 'CycleAbandoned';
}

/** Whether this process may write at all, now: it holds its Lease, or it is declared to be the only one. */
export interface WritePermit {
  /** Throws {@link CycleAbandoned} when the right is gone or about to end. */
  readonly assert: () => void;
  /** True once no request of a predecessor can take effect any more. */
  readonly settled: () => boolean;
  /** Milliseconds until {@link settled} turns true; 0 if it is. */
  readonly settlesInMs: () => number;
}

/**
 * Admits the changes of one cycle. Invariant: no change is sent before `confirm` has succeeded once, none after
 * {@link WriteGuard.revoke}, none while the permit is not held.
 */
export class WriteGuard {
  readonly #permit: WritePermit;
  readonly #confirm: () => Promise<void>;
  #confirmed: Promise<void> | undefined;
  #revoked: string | undefined;

  /** @param confirm reads the object live and throws {@link CycleAbandoned} if it is not what the cycle was given */
  constructor(permit: WritePermit, confirm: () => Promise<void>) {
    this.#permit = permit;
    this.#confirm = confirm;
  }

  /** To be awaited right before each change. @throws {CycleAbandoned} */
  admit = async (): Promise<void> => {
    this.#assert();
    await (this.#confirmed ??= this.#confirm());
    this.#assert();
  };

  /** Ends the right for good: time-out, end of the cycle, shutdown, loss of the Lease. */
  revoke = (reason: string): void => {
    this.#revoked ??= reason;
  };

  #assert(): void {
    if (this.#revoked !== undefined) throw new CycleAbandoned(this.#revoked);
    this.#permit.assert();
  }
}

/** The permit of an operator that is declared to be the only one of its name: it always holds. */
export function singletonPermit(parts: {
  readonly monotonic: () => number;
  readonly startedAt: number;
  readonly settleMs: number;
}): WritePermit {
  const left = (): number => Math.max(0, parts.startedAt + parts.settleMs - parts.monotonic());
  return { assert: () => {}, settled: () => left() === 0, settlesInMs: left };
}
