// Installs on a real server with nothing in their way: where plans begin, and what their ends are compared with.
import { createObjects } from '../explore/context.ts';
import { expectationOf } from '../explore/expectation.ts';
import { catalogIn } from '../explore/expected.ts';
import type { Plan } from '../explore/plan.ts';
import { readState, type State } from '../explore/state.ts';
import { scriptByCount } from '../world/fault-script.ts';
import type { HistoryEvent } from '../world/history.ts';
import { ClusterError } from './cluster-error.ts';
import { configOf, type RealContext } from './real-context.ts';
import { RealProcess } from './real-process.ts';
import { waitForRest } from './real-rest.ts';

/** An install with nothing in its way, to its end. */
export async function install(context: RealContext, version: string, edits: readonly number[], seed: number): Promise<State> {
  const { stage, subject, ports } = context;
  const plan: Plan = { kind: subject.catalog.resource.kind, deed: { does: 'create' }, turns: [{ release: { upTo: version } }], faults: [], seed };
  await createObjects(stage, subject, edits);
  const history: HistoryEvent[] = [];
  const operator = await RealProcess.start(
    { number: 1, kind: plan.kind, release: { upTo: version }, config: configOf(context, plan, 1), script: scriptByCount([], 1), history, onEdit: () => Promise.resolve() },
    ports,
  );
  const expectation = expectationOf(catalogIn(subject, { upTo: version }), undefined, undefined);
  const { isAtRest, standing } = await waitForRest(context, plan, expectation, [operator], () => true);
  const state = await readState(stage, subject);
  await operator.end();
  if (isAtRest) return state;
  const last = history.findLast((event) => event.type === 'log');
  const because = last?.type === 'log' ? `; the operator says: ${last.says}${last.error === undefined ? '' : ` (${last.error})`}` : '';
  throw new ClusterError(`a plain install of ${version} does not come to rest within ${context.patienceMs / 1_000} s: ${standing.join('; ')}${because}`);
}

/** The state after an install, which is made when it is asked for first. */
export async function freshState(context: RealContext, version: string, edits: readonly number[], seed: number): Promise<State> {
  const key = `${context.subject.catalog.resource.kind} ${version} ${edits.join(',')}`;
  const known = context.fresh.get(key);
  if (known !== undefined) return known;
  await context.stage.clear();
  const state = await install(context, version, edits, seed);
  context.fresh.set(key, state);
  return state;
}
