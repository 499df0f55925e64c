// The simulated side of a comparison: plans carried out in memory, and what there is to compare of them, as plain data.
import type { ProcedurePackage } from '@pawl/reconciler/kubernetes';
import type { Violation } from '../checks/check.ts';
import { violationsOf } from '../checks/index.ts';
import { createContext } from '../explore/context.ts';
import type { ExploreOptions } from '../explore/exploration.ts';
import { exploreCatalog } from '../explore/explore.ts';
import { planKey, type Plan } from '../explore/plan.ts';
import { parsePlan, subjectOfPlan } from '../explore/replay.ts';
import { runPlan } from '../explore/run-plan.ts';
import { subjectsOf } from '../explore/subject.ts';
import { notingScript, type Aim } from './aims.ts';
import { lastsMs, whyNot } from './sense.ts';
import { sequenceOf, type Sequence } from './sequence.ts';

/** A plan and what the simulation made of it. */
export interface Simulated {
  readonly plan: Plan;
  readonly violations: readonly Violation[];
  readonly sequence: Sequence;
  readonly aims: readonly Aim[];
}

/** Plans to carry out, and what was left out with the reason. */
export interface Sample {
  readonly plans: readonly Plan[];
  readonly leftOut: readonly string[];
}

/** Faults that last longer are carried out only when they are asked for. */
const MOST_LASTING_MS = 10_000;

/**
 * Plans of an exploration, spread evenly over all that it makes; those that fail come first.
 * @param count how many at most
 * @throws as {@link exploreCatalog} does
 */
export async function samplePlans(from: ProcedurePackage, count: number, options: ExploreOptions): Promise<Sample> {
  const made = new Map<string, Plan>();
  const told = options.onRun;
  const { failures } = await exploreCatalog(from, {
    ...options,
    onRun: (plan) => {
      told?.(plan);
      made.set(planKey(plan), plan);
    },
  });
  const reasons = new Map<string, number>();
  const suits = (plan: Plan): boolean => {
    const why = whyNot(plan, from) ?? (lastsMs(plan) > MOST_LASTING_MS ? 'their faults last long in real time; replay one to carry it out' : undefined);
    if (why !== undefined) reasons.set(why, (reasons.get(why) ?? 0) + 1);
    return why === undefined;
  };
  const failing = new Map(failures.map(({ plan }) => [planKey(plan), plan]));
  const first = [...failing.values()].filter(suits).slice(0, count);
  const others = [...made].filter(([key, { faults }]) => !failing.has(key) && faults.length > 0).map(([, plan]) => plan).filter(suits);
  const plans = [...first, ...spread(others, count - first.length)];
  const rest = first.length + others.length - plans.length;
  return {
    plans,
    leftOut: [...[...reasons].map(([why, times]) => `${times} plans: ${why}`), ...(rest > 0 ? [`${rest} plans that were not drawn into the sample`] : [])],
  };
}

/** So many of a list, at equal distances, the first and the last among them. */
export function spread<T>(list: readonly T[], count: number): readonly T[] {
  if (count <= 0) return [];
  if (list.length <= count) return list;
  if (count === 1) return list.slice(0, 1);
  return Array.from({ length: count }, (_, index) => list[Math.round((index * (list.length - 1)) / (count - 1))]).filter((one) => one !== undefined);
}

/**
 * Carries plans out in memory.
 * @throws Error if a plan names a kind or versions that there are not, or its objects cannot be made
 */
export async function simulatePlans(from: ProcedurePackage, plans: readonly Plan[], options: ExploreOptions): Promise<readonly Simulated[]> {
  const { masks = [], invariants = [] } = options;
  const subjects = subjectsOf(from, options);
  const results: Simulated[] = [];
  for (const plan of plans) {
    options.onRun?.(plan);
    const context = createContext(subjectOfPlan(subjects, plan), { seed: plan.seed, masks, invariants });
    const aims: Aim[] = [];
    const { outcome } = await runPlan(context, plan, { script: (faults, process) => notingScript(faults, process, aims) });
    results.push({ plan, violations: violationsOf(outcome), sequence: sequenceOf(outcome.history), aims });
  }
  return results;
}

/** One plan or a list of plans, as a file holds them. @throws Error naming what is wrong with it */
export function parsePlans(text: string): readonly Plan[] {
  const value = text.trimStart().startsWith('[') ? listIn(text) : undefined;
  return value === undefined ? [parsePlan(text)] : value.map((one) => parsePlan(JSON.stringify(one)));
}

function listIn(text: string): readonly unknown[] {
  try {
    return JSON.parse(text) as readonly unknown[];
  } catch (error) {
    throw new Error(`the file is not JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
}
