// The order in which Actions are started.
import { expect, test } from 'vitest';
import { runCycle, type CycleHost } from './cycle.ts';
import { proceduresFor } from './define.ts';
import { TerminalError } from './errors.ts';
import { done } from './result.ts';
import { FakeClock } from './testing/index.ts';

const { defineAction, defineProcedure, deriveProcedure, forEach, replaceAction } = proceduresFor<object>();
const host: CycleHost<object> = { context: {}, clock: new FakeClock(), open: () => undefined };

test('together means at most so many bodies at once', async () => {
  let now = 0;
  let most = 0;
  const actions = ['A', 'B', 'C', 'D', 'E'].map((name) =>
    defineAction({
      name,
      run: async () => {
        now += 1;
        most = Math.max(most, now);
        await Promise.resolve();
        now -= 1;
        return done();
      },
    }),
  );
  await runCycle(defineProcedure({ actions }), host, { order: { mode: 'parallel', limit: 2 } });
  expect(most).toBe(2);
});

test('a replacement that needs something new waits for it, although it stood first', async () => {
  const seen: string[] = [];
  const step = (name: string, requires = {}) =>
    defineAction({
      name,
      requires,
      run: () => {
        seen.push(name);
        return done();
      },
    });
  const first = step('First');
  const base = defineProcedure({ version: '1.0.0', actions: [first] });
  const later = replaceAction(first, step('First', { added: step('Added') }));
  await runCycle(deriveProcedure(base, { version: '2.0.0', replace: [later] }), host, { order: { mode: 'strict' } });
  expect(seen).toEqual(['Added', 'First']);
});

test('bodies that answer at once and bodies that do not may be mixed', async () => {
  const slow = defineAction({ name: 'Slow', run: async () => Promise.resolve(done(1)) });
  const fast = defineAction({ name: 'Fast', requires: { slow }, run: (_context, { slow: value }) => done(value + 1) });
  const procedure = defineProcedure({ actions: [fast] });
  for (const order of [{ mode: 'strict' }, { mode: 'shuffled', seed: 1 }, { mode: 'parallel', limit: 3 }] as const) {
    const { outcomes, reconciled } = await runCycle(procedure, host, { order });
    expect([outcomes.get('Fast')?.result, reconciled]).toMatchObject([{ value: 2 }, true]);
  }
});

test("a body that returns no result is that action's fault, not the cycle's", async () => {
  const silent = defineAction({ name: 'Silent', run: () => undefined as unknown as ReturnType<typeof done> });
  const { outcomes } = await runCycle(defineProcedure({ actions: [silent] }), host);
  expect(outcomes.get('Silent')?.result).toMatchObject({ status: 'Unknown', reason: 'NoResult' });
});

test("an error of one item is that item's, with its meaning", async () => {
  const each = forEach({
    name: 'Each',
    items: () => ['good', 'bad'],
    key: (item) => item,
    run: (_context, _results, item) => {
      if (item === 'bad') throw new TerminalError('the name is taken');
      return done(item);
    },
  });
  const { outcomes } = await runCycle(defineProcedure({ actions: [each] }), host);
  expect(outcomes.get('Each')?.result).toMatchObject({
    status: 'Unknown',
    items: [{ key: 'bad', reason: 'Terminal', message: 'the name is taken' }],
  });
});
