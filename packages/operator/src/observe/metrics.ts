// What the operator counts and measures, in its own words. Whoever reports knows no names of metrics and no units of them.

/** How a pass over an object ended. */
export type PassOutcome = 'success' | 'error' | 'requeue' | 'requeue_after';

/** A hop that came to an end. */
export interface EndedHop {
  readonly kind: string;
  /** Absent for an install. */
  readonly from?: string | undefined;
  readonly to: string;
  readonly mode: 'install' | 'upgrade' | 'rollback';
  readonly result: 'completed' | 'superseded' | 'rolled_back' | 'abandoned';
  /** Absent if nobody knows when it began. */
  readonly durationMs?: number | undefined;
}

/** What a queue reports; sizes and ages are asked for instead, when somebody looks. */
export interface QueueMetrics {
  readonly added: () => void;
  readonly retried: () => void;
  /** A key was handed out after so long in the queue. */
  readonly waited: (ms: number) => void;
  /** A key was handed back after so long in somebody's hands. */
  readonly worked: (ms: number) => void;
}

/** The state of a queue. Ages are in milliseconds. */
export interface QueueState {
  readonly depth: number;
  readonly processing: number;
  /** Sum of the ages of all work in progress, and the greatest of them. */
  readonly unfinishedMs: number;
  readonly longestMs: number;
}

/** One object, for the gauges over all of them. */
export interface ObjectSample {
  readonly kind: string;
  readonly version: string;
  readonly phase: string;
  /** Why nothing, or no newer version, may act. */
  readonly blocked?: string | undefined;
}

/** All methods return at once and never throw. Durations are in milliseconds. */
export interface Metrics {
  readonly passEnded: (controller: string, outcome: PassOutcome, ms: number) => void;
  readonly workers: (controller: string, most: number) => void;
  readonly passBegan: (controller: string) => void;
  readonly queue: (name: string, state: () => QueueState) => QueueMetrics;
  /** `code`: the HTTP status, or undefined without an answer. */
  readonly answered: (method: string, host: string, code: number | undefined) => void;
  /** A request waited so long for its turn, where requests are limited. */
  readonly throttled: (verb: string, host: string, ms: number) => void;
  readonly leading: (leaseName: string, isLeading: boolean) => void;
  /** The Lease changed hands. */
  readonly leaseChanged: () => void;
  readonly catalog: (kind: string, version: string, release: string) => void;
  /** Called whenever somebody looks. */
  readonly objects: (samples: () => Iterable<ObjectSample>) => void;
  /** So many objects hold this release back; 0: it is not held back. */
  readonly rolloutHeld: (count: number) => void;
  readonly hopEnded: (hop: EndedHop) => void;
  /** A record was written by this step. */
  readonly recordWritten: (kind: string, step: string) => void;
  readonly recordConflict: (kind: string) => void;
  /** The guard of a client stopped a change. It should never have to. */
  readonly mutationRefused: (reason: string) => void;
  readonly actionRan: (action: string, result: string, ms: number) => void;
  readonly pruned: (kind: string, count: number) => void;
  readonly pruneSkipped: (reason: string, count: number) => void;
  /** An object waited so long until no late write of a predecessor could arrive. */
  readonly settleWaited: (ms: number) => void;
}

const nothing = (): void => {};

/** Counts nothing. */
export const noMetrics: Metrics = Object.freeze({
  passEnded: nothing,
  passBegan: nothing,
  workers: nothing,
  queue: () => ({ added: nothing, retried: nothing, waited: nothing, worked: nothing }),
  answered: nothing,
  throttled: nothing,
  leading: nothing,
  leaseChanged: nothing,
  catalog: nothing,
  objects: nothing,
  rolloutHeld: nothing,
  hopEnded: nothing,
  recordWritten: nothing,
  recordConflict: nothing,
  mutationRefused: nothing,
  actionRan: nothing,
  pruned: nothing,
  pruneSkipped: nothing,
  settleWaited: nothing,
});
