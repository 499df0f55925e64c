// What the engine itself costs: cycles of Actions that have nothing to wait for.
import { runCycle, type CycleHost } from '../cycle.ts';
import { proceduresFor } from '../define.ts';
import type { Action } from '../action.ts';
import { done } from '../result.ts';
import { systemClock } from '../runtime.ts';
import type { Order } from '../schedule.ts';
import { FakeClock } from './fake-clock.ts';

interface Context {
  readonly n: number;
}

const ACTIONS = 100;
const ORDERS: readonly Order[] = [{ mode: 'strict' }, { mode: 'shuffled', seed: 7 }, { mode: 'parallel', limit: 8 }];

/**
 * Microseconds of engine per Action: the mean over all orders of a cycle of 100 Actions with up to three prerequisites
 * each, whose bodies return at once.
 *
 * @param nowMs a clock in milliseconds
 * @param cycles how many cycles are measured for each order, after as many that are not
 */
export async function engineCostPerAction(nowMs: () => number = systemClock.now, cycles = 1_000): Promise<number> {
  const { defineAction, defineProcedure } = proceduresFor<Context>();
  const actions: Action<Context, number>[] = [];
  for (let index = 0; index < ACTIONS; index += 1) {
    const before = [1, 4, 9].flatMap((step) => actions[index - step] ?? []);
    const requires = Object.fromEntries(before.map((action, place) => [`p${place}`, action]));
    actions.push(defineAction({ name: `A${index}`, requires, run: () => done(index) }));
  }
  const procedure = defineProcedure({ version: '1.0.0', actions });
  const host: CycleHost<Context> = { context: { n: 1 }, clock: new FakeClock(), open: () => undefined };
  let spentMs = 0;
  for (const order of ORDERS) {
    for (let count = 0; count < cycles; count += 1) await runCycle(procedure, host, { order });
    const startedAt = nowMs();
    for (let count = 0; count < cycles; count += 1) await runCycle(procedure, host, { order });
    spentMs += nowMs() - startedAt;
  }
  return (spentMs * 1_000) / (ORDERS.length * cycles * ACTIONS);
}
