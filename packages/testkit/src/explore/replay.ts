// One plan again, as a file holds it.
import type { ProcedureCatalog, ProcedurePackage } from '@pawl/reconciler/kubernetes';
import { violationsOf } from '../checks/index.ts';
import { Tripwire } from '../world/tripwire.ts';
import { createContext } from './context.ts';
import type { ExploreOptions, Failure } from './exploration.ts';
import type { Plan } from './plan.ts';
import { runPlan } from './run-plan.ts';
import { packageOfCatalog, subjectsOf } from './subject.ts';

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
  const subjects = subjectsOf(from, options);
  const subject = subjects.find(({ catalog }) => catalog.resource.kind === plan.kind);
  if (subject === undefined)
    throw new Error(`kind: found ${plan.kind}; allowed are ${subjects.map(({ catalog }) => catalog.resource.kind).join(', ')}`);
  const unknown = [plan.start, ...plan.turns.map(({ release }) => release.upTo)].filter(
    (version) => version !== undefined && !subject.versions.includes(version),
  );
  if (unknown.length > 0) throw new Error(`versions: found ${unknown.join(', ')}; allowed are ${subject.versions.join(', ')}`);
  const { masks = [], invariants = [] } = options;
  const context = createContext(subject, { seed: plan.seed, masks, invariants });
  const tripwire = new Tripwire(options.mayTouch?.map(({ path }) => path));
  try {
    const run = await tripwire.watch(() => runPlan(context, plan));
    const seen = { ...run, outcome: { ...run.outcome, escapes: tripwire.taken() } };
    const violations = violationsOf(seen.outcome);
    return violations.length === 0 ? undefined : { mode: 'random', edge: 'replay', plan, found: plan, violations, run: seen };
  } finally {
    tripwire.restore();
  }
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
