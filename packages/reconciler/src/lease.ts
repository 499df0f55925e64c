// The right of one running action to use its clients, and the count of what it did with it.
import { AccessError } from './errors.ts';
import type { Maybe } from './maybe.ts';

/** One change that was made, or in a plan would be made. */
export interface Change {
  readonly action: string;
  readonly operation: 'create' | 'update' | 'delete' | 'edit' | 'evict' | 'status' | 'effect';
  /** Such as `StatefulSet storage/etcd`, or `host.reboot`. */
  readonly target: string;
  /** Set when the server would refuse it. */
  readonly refused?: string;
}

/** What the clients of an action see of the cycle. Ends with the body, so that nothing writes behind its back. */
export interface Lease {
  readonly action: string;
  readonly signal: AbortSignal;
  readonly changes: readonly Change[];
  readonly record: (change: Omit<Change, 'action'>) => void;
  /** Makes one call of a client. Throws {@link AccessError} when the action has ended. */
  readonly call: <T>(send: () => Promise<T>) => Promise<T>;
  readonly assertOpen: () => void;
}

const NONE: readonly Change[] = [];

/** The lease of one action in one cycle. Lists are made when they are needed: most actions change nothing. */
export class ActionLease implements Lease {
  readonly action: string;
  readonly signal: AbortSignal;
  #changes: Change[] | undefined;
  #inFlight: Set<Promise<unknown>> | undefined;
  #open = true;

  constructor(action: string, signal: AbortSignal) {
    this.action = action;
    this.signal = signal;
  }

  get changes(): readonly Change[] {
    return this.#changes ?? NONE;
  }

  record(change: Omit<Change, 'action'>): void {
    this.#changes ??= [];
    this.#changes.push({ action: this.action, ...change });
  }

  assertOpen(): void {
    if (!this.#open || this.signal.aborted) throw new AccessError(`${this.action} has ended; is an await missing?`);
  }

  async call<T>(send: () => Promise<T>): Promise<T> {
    this.assertOpen();
    const sent = send();
    const inFlight = (this.#inFlight ??= new Set());
    const settled = (): void => {
      inFlight.delete(sent);
    };
    inFlight.add(sent);
    sent.then(settled, settled);
    return sent;
  }

  /** Ends the lease and waits for what is in flight, unless the action was aborted; answers how many calls that were. */
  end(): Maybe<number> {
    this.#open = false;
    const inFlight = this.#inFlight;
    if (inFlight === undefined || inFlight.size === 0 || this.signal.aborted) return 0;
    const forgotten = inFlight.size;
    return Promise.allSettled(inFlight).then(() => forgotten);
  }
}
