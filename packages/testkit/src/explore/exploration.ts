// What an exploration is asked for, and what it answers. Types and the default modes.
import type { Invariant, Violation } from '../checks/check.ts';
import type { PairFinding } from '../pairs/pair.ts';
import type { Divergence } from '../report/divergence.ts';
import type { Released } from '../start-state/released.ts';
import type { StartState } from '../start-state/start-state.ts';
import type { OnAction } from '../world/action-follower.ts';
import type { ModeName } from './job.ts';
import type { Plan } from './plan.ts';
import type { Run } from './run-plan.ts';
import type { Mask } from './state.ts';
import type { SubjectOptions } from './subject.ts';

export interface ExploreOptions extends SubjectOptions {
  /** What must hold, in the author's words. */
  readonly invariants?: readonly Invariant[];
  /** What is not compared between a run and a fresh install. */
  readonly masks?: readonly Mask[];
  /** Code that may ask for the real clock or chance: part of its path, and why that does no harm. Stands in every report. */
  readonly mayTouch?: readonly { readonly path: string; readonly why: string }[];
  /** Begins in this state and nowhere else: it holds the objects, and `objects` and `surroundings` are left out. */
  readonly from?: StartState;
  /** Begins in each of these states too, such as those that released versions left. */
  readonly recorded?: readonly StartState[];
  /** What was released: a version without a procedure and without a recorded state is named in the result. */
  readonly released?: Released;
  /** Real milliseconds. Default 20,000. */
  readonly budgetMs?: number;
  /** Default: {@link DEFAULT_MODES}. */
  readonly modes?: readonly ModeName[];
  /** Default 1. */
  readonly seed?: number;
  /** Stop after so many different failures. Default 5. */
  readonly mostFailures?: number;
  /** Told before each run: whoever watches from outside knows where it hangs. */
  readonly onRun?: (plan: Plan) => void;
  /** Told whenever an Action begins, and when none runs any more; returns at once. Whoever watches from outside knows which one hangs. */
  readonly onAction?: OnAction;
  /** Told about twice a second. */
  readonly onProgress?: (progress: Progress) => void;
}

export interface Progress {
  readonly mode: ModeName;
  readonly edge: string;
  readonly runs: number;
  readonly seconds: number;
  readonly failures: number;
}

/** A plan that showed something wrong, as small as it could be made. */
export interface Failure {
  readonly mode: ModeName;
  readonly edge: string;
  readonly plan: Plan;
  readonly violations: readonly Violation[];
  /** The plan as it was found. */
  readonly found: Plan;
  /** Where the run parts from the same story with nothing in its way; absent: it does not, or there is no such story. */
  readonly divergence?: Divergence | undefined;
  readonly run: Run;
}

export interface EdgeCoverage {
  readonly mode: ModeName;
  /** The kind whose catalog is explored. */
  readonly kind: string;
  readonly edge: string;
  readonly runs: number;
  readonly crashPoints: number;
}

export interface Exploration {
  readonly package: string;
  readonly seed: number;
  readonly runs: number;
  readonly seconds: number;
  readonly runsPerSecond: number;
  readonly coverage: readonly EdgeCoverage[];
  /** Actions that wrote something in some run, and those that never did. */
  readonly actions: { readonly wrote: readonly string[]; readonly silent: readonly string[] };
  readonly faults: Readonly<Record<string, number>>;
  readonly crashPoints: number;
  readonly failures: readonly Failure[];
  /** What the hops change that is not seen in one version alone; its errors stand among `failures` too, unless the upgrade itself does. */
  readonly pairs: readonly PairFinding[];
  /** What was left out, and why. */
  readonly notRun: readonly string[];
  /** What the result rests on. */
  readonly assumptions: readonly string[];
  /** Runs that were repeated, and gave the same history. */
  readonly repeated: number;
}

/** What `npm test` runs. */
export const DEFAULT_MODES: readonly ModeName[] = ['install', 'upgrade', 'interrupted', 'rollback', 'teardown', 'edit', 'requests'];
