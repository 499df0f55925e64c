// Making a failing plan smaller, as long as it still fails in the same way: fewer faults, fewer turns, earlier writes.
import { violationsOf } from '../checks/index.ts';
import { planKey, type Plan } from '../explore/plan.ts';
import type { Run } from '../explore/run-plan.ts';
import type { Fault } from '../world/faults.ts';

export interface Shrunk {
  readonly plan: Plan;
  readonly run: Run;
}

const MOST_TRIES = 60;

/**
 * @param run what the plan led to
 * @param attempt carries out another plan
 */
export async function shrink(plan: Plan, run: Run, attempt: (plan: Plan) => Promise<Run>): Promise<Shrunk> {
  const check = violationsOf(run.outcome)[0]?.check;
  const tried = new Set([planKey(plan)]);
  let best: Shrunk = { plan, run };
  let tries = 0;
  for (let isSmaller = true; isSmaller; ) {
    isSmaller = false;
    for (const candidate of smallerThan(best.plan)) {
      if (tries >= MOST_TRIES) return best;
      if (tried.has(planKey(candidate))) continue;
      tried.add(planKey(candidate));
      tries += 1;
      const next = await attempt(candidate);
      if (!violationsOf(next.outcome).some((violation) => violation.check === check)) continue;
      best = { plan: candidate, run: next };
      isSmaller = true;
      break;
    }
  }
  return best;
}

/** Plans that are simpler by one thing, the boldest first. */
export function smallerThan(plan: Plan): readonly Plan[] {
  const { faults, turns, order: _order, ...rest } = plan;
  const withoutOrder: readonly Plan[] = plan.order === undefined ? [] : [{ ...rest, faults, turns }];
  const withoutFaults = faults.map((_, index) => ({ ...plan, faults: faults.filter((_one, at) => at !== index) }));
  const withoutTurns = turns.slice(1).map((_, index) => ({ ...plan, turns: turns.filter((_one, at) => at !== index + 1) }));
  const earlier = faults.flatMap((fault, index) =>
    simpler(fault).map((one) => ({ ...plan, faults: faults.map((old, at) => (at === index ? one : old)) })),
  );
  return [...withoutOrder, ...withoutFaults, ...withoutTurns, ...earlier];
}

function simpler(fault: Fault): readonly Fault[] {
  if (!('write' in fault) || fault.write <= 1) return [];
  const earlier = [1, Math.floor(fault.write / 2), fault.write - 1].filter((write) => write >= 1 && write < fault.write);
  return [...new Set(earlier)].map((write) => ({ ...fault, write }));
}
