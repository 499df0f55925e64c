// What an exploration is asked for, and what it answers. Types and the default modes.
import type { Invariant, Violation } from '../checks/check.ts';
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
  readonly run: Run;
}

export interface EdgeCoverage {
  readonly mode: ModeName;
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
  /** What was left out, and why. */
  readonly notRun: readonly string[];
  /** What the result rests on. */
  readonly assumptions: readonly string[];
  /** Runs that were repeated, and gave the same history. */
  readonly repeated: number;
}

/** What `npm test` runs. */
export const DEFAULT_MODES: readonly ModeName[] = ['install', 'upgrade', 'interrupted', 'rollback', 'teardown', 'edit', 'requests'];
