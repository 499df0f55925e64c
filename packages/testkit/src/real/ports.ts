// What carrying out plans on a real server takes from outside: time, chance, the way there, processes. Types only.
import type { MonotonicClock, OperatorConfigInput, Transport } from '@pawl/operator';
import type { Random } from '@pawl/reconciler';
import type { Release } from '../explore/subject.ts';

/** An operator to start, in a process of its own. */
export interface OperatorOrder {
  /** Which process of the story it is. */
  readonly number: number;
  /** Address of its API server, over plain HTTP. It is a secret: who knows it may do everything there. */
  readonly server: string;
  /** The kind that the release is about. */
  readonly kind: string;
  readonly release: Release;
  readonly config: OperatorConfigInput;
}

/** A process that was started. */
export interface RunningOperator {
  /** Ends it at once, as `kill -9` does. */
  readonly kill: () => void;
  /** Resolves with how it ended, in words. */
  readonly ended: Promise<string>;
  /** What it has logged so far: lines of JSON. */
  readonly log: () => Promise<string>;
}

export interface RealPorts {
  readonly clock: MonotonicClock;
  readonly random: Random;
  /** The real server, with rights to do everything there. Ended by its owner. */
  readonly transport: Transport;
  readonly startOperator: (order: OperatorOrder) => Promise<RunningOperator>;
  /** Aborted: everything ends, and what was made is removed. */
  readonly signal: AbortSignal;
}
