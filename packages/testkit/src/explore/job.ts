// What a mode asks for: a run, and what is to be done with what came of it.
import type { Context } from './context.ts';
import type { Plan } from './plan.ts';
import type { Run, RunOptions } from './run-plan.ts';

/** The ways of exploring. */
export const MODES = [
  'install',
  'upgrade',
  'interrupted',
  'rollback',
  'teardown',
  'edit',
  'requests',
  'watches',
  'stale',
  'clock',
  'double',
  'unobserved',
  'leaders',
  'cluster',
  'admission',
  'recorded',
  'random',
] as const;
export type ModeName = (typeof MODES)[number];

export interface Job {
  readonly plan: Plan;
  readonly options: RunOptions;
  /** The hop that it is about, such as `1.0.0 → 2.0.0`. */
  readonly edge: string;
}

/** Runs a job, checks it, and answers what came of it. */
export type Execute = (job: Job) => Promise<Run>;

/** One way of exploring: asks for runs until there are no more. */
export type Mode = (context: Context, execute: Execute, isOver: () => boolean) => Promise<void>;
