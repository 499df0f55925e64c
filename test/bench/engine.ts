// What the engine adds to each Action: cycles of many Actions that return at once, without a cluster.
import { done, proceduresFor, runCycle, systemClock, type Action, type CycleHost, type Order } from '@pawl/reconciler';
import type { Benchmark } from './row.ts';

interface Context {
  readonly number: number;
}

const ACTIONS = 100;
const WARM_UP = 500;
const CYCLES = 1000;
const GOAL_US = 2;
const ORDERS: readonly Order[] = [{ mode: 'strict' }, { mode: 'shuffled', seed: 7 }, { mode: 'parallel', limit: 8 }];

/** The cost of a cycle per Action, in each order of execution. */
export const engineBenchmark: Benchmark = {
  what: 'engine',
  measure: async () => {
    const procedure = proceduresFor<Context>().defineProcedure({ version: '1.0.0', actions: chained() });
    const host: CycleHost<Context> = { context: { number: 1 }, clock: systemClock, open: () => undefined };
    const rows = [];
    for (const order of ORDERS) {
      for (let cycle = 0; cycle < WARM_UP; cycle += 1) await runCycle(procedure, host, { order });
      const started = performance.now();
      for (let cycle = 0; cycle < CYCLES; cycle += 1) await runCycle(procedure, host, { order });
      const microseconds = (performance.now() - started) * 1000;
      rows.push({
        what: `engine, per Action, ${order.mode}`,
        goal: GOAL_US,
        measured: microseconds / CYCLES / ACTIONS,
        unit: 'us' as const,
      });
    }
    return rows;
  },
};

/** Actions with up to three prerequisites each. */
function chained(): readonly Action<Context>[] {
  const { defineAction } = proceduresFor<Context>();
  const actions: Action<Context, number>[] = [];
  for (let index = 0; index < ACTIONS; index += 1) {
    const requires = [1, 4, 9].flatMap((step) => {
      const action = actions[index - step];
      return action === undefined ? [] : [[`p${step}`, action] as const];
    });
    actions.push(defineAction({ name: `A${index}`, requires: Object.fromEntries(requires), run: () => done(index) }));
  }
  return actions;
}
