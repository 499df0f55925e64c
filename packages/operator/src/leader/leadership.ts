// The right to act for all replicas of an operator, as the rest of the operator sees it.
import type { WritePermit } from '../controller/guard.ts';

/** Leads once at most: a process that has lost the leadership ends, and its successor starts from a clean state. */
export interface Leadership {
  /**
   * Holds for every change of the operator; refuses while this process does not lead.
   */
  readonly permit: WritePermit;
  /**
   * Seeks the leadership until it is there.
   * @throws the reason of the signal when that is aborted before; an error if the leadership is over
   */
  readonly whenLeading: (signal: AbortSignal) => Promise<WritePermit>;
  /** Calls back once, with the reason, when the leadership is lost; not when it is released. */
  readonly onLost: (listener: (reason: string) => void) => void;
  /** Gives the leadership back, or stops seeking it. To be called when no work is in flight any more. Never throws. */
  readonly release: () => Promise<void>;
}

/** The leadership of an operator that is declared to be the only one of its name. */
export function singletonLeadership(permit: WritePermit): Leadership {
  return { permit, whenLeading: () => Promise.resolve(permit), onLost: () => {}, release: () => Promise.resolve() };
}
