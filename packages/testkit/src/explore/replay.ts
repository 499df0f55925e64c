// One plan again, as a file holds it.
import type { ProcedureCatalog, ProcedurePackage } from '@pawl/reconciler/kubernetes';
import { violationsOf } from '../checks/index.ts';
import { Tripwire } from '../world/tripwire.ts';
import { pairViolations } from '../pairs/check-pairs.ts';
import { createContext } from './context.ts';
import type { ExploreOptions, Failure } from './exploration.ts';
import { divergenceIn } from './parting.ts';
import type { Plan } from './plan.ts';
import { runPlan } from './run-plan.ts';
import { packageOfCatalog, subjectsOf, type Subject } from './subject.ts';
import { subjectsFrom } from '../start-state/subjects.ts';

/**
 * Carries out a plan.
 * @returns what is wrong with the run; undefined if nothing is
 * @throws Error if the package has no such kind, or its objects cannot be made
 */
export async function replayPlan(
  target: ProcedureCatalog | ProcedurePackage,
  plan: Plan,
  options: ExploreOptions = {},
): Promise<Failure | undefined> {
  const from = 'kinds' in target ? target : packageOfCatalog(target);
  const subjects = plan.from === undefined ? subjectsOf(from, options) : await beginning(from, plan.from, options, plan.seed);
  const subject = subjectOfPlan(subjects, plan);
  const { masks = [], invariants = [] } = options;
  const context = createContext(subject, { seed: plan.seed, masks, invariants });
  const tripwire = new Tripwire(options.mayTouch?.map(({ path }) => path));
  try {
    const run = await tripwire.watch(() => runPlan(context, plan));
    const seen = { ...run, outcome: { ...run.outcome, escapes: tripwire.taken(), unhandled: tripwire.unhandled.taken() } };
    const violations = [...violationsOf(seen.outcome), ...(await pairViolations(context, plan, seen))];
    if (violations.length === 0) return undefined;
    const divergence = await tripwire.watch(() => divergenceIn(context, { plan, run: seen }));
    return { mode: 'random', edge: 'replay', plan, found: plan, violations, run: seen, divergence };
  } finally {
    tripwire.restore();
  }
}

/** The subject that a plan is about. @throws Error if the plan names a kind or versions that there are not */
export function subjectOfPlan(subjects: readonly Subject[], plan: Plan): Subject {
  const subject = subjects.find(({ catalog }) => catalog.resource.kind === plan.kind);
  if (subject === undefined)
    throw new Error(`kind: found ${plan.kind}; allowed are ${subjects.map(({ catalog }) => catalog.resource.kind).join(', ')}`);
  const unknown = [plan.start, ...plan.turns.map(({ release }) => release.upTo)].filter(
    (version) => version !== undefined && !subject.versions.includes(version),
  );
  if (unknown.length > 0) throw new Error(`versions: found ${unknown.join(', ')}; allowed are ${subject.versions.join(', ')}`);
  return subject;
}

/** The subjects of the state in which a plan begins. */
async function beginning(from: ProcedurePackage, name: string, options: ExploreOptions, seed: number): Promise<readonly Subject[]> {
  const given = [...(options.from === undefined ? [] : [options.from]), ...(options.recorded ?? [])];
  const state = given.find((each) => each.name === name);
  if (state === undefined)
    throw new Error(`from: found ${name}; allowed are the states that were given: ${given.map((each) => each.name).join(', ') || 'none'}`);
  return subjectsFrom(from, [state], options, seed);
}

/** A plan from the text of a file. @throws Error naming what is wrong with it */
export function parsePlan(text: string): Plan {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new Error(`the file is not JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
  const { kind, deed, turns, faults, seed } = (value ?? {}) as Partial<Plan>;
  const faulty = [
    ...(typeof kind === 'string' ? [] : ['kind: allowed is the name of a kind']),
    ...(typeof deed?.does === 'string' ? [] : ['deed: allowed is what somebody does, such as {"does": "create"}']),
    ...(Array.isArray(turns) && turns.length > 0 ? [] : ['turns: allowed is a list with one operator at least']),
    ...(Array.isArray(faults) ? [] : ['faults: allowed is a list']),
    ...(Number.isSafeInteger(seed) ? [] : ['seed: allowed is a whole number']),
  ];
  if (faulty.length > 0) throw new Error(`the file holds no plan: ${faulty.join('; ')}`);
  return value as Plan;
}
