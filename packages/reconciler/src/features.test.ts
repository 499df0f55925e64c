// What the engine does for an Action beside running it: one test for each promise.
import { expect, test } from 'vitest';
import {
  done,
  pending,
  proceduresFor,
  RetryError,
  runCycle,
  runPreconditions,
  runTeardown,
  TerminalError,
  type Action,
  type CycleHost,
} from './index.ts';
import { FakeClock } from './testing/index.ts';

interface Context {
  readonly size: number;
  readonly signal?: AbortSignal;
}
const { defineAction, defineProcedure, firstOf, allOf, forEach } = proceduresFor<Context>();
const host = (size = 0, clock = new FakeClock()): CycleHost<Context> => ({
  context: { size },
  clock,
  open: () => undefined,
});
const cycle = (...actions: readonly Action<Context>[]) => runCycle(defineProcedure({ actions }), host());
const resultOf = async (action: Action<Context>) => (await cycle(action)).outcomes.get(action.name)?.result;

test('when: a skipped action is True without a value, and what only it needs does not run', async () => {
  let asked = 0;
  const probed = defineAction({
    name: 'Probed',
    run: () => {
      asked += 1;
      return pending('Absent', 'not there');
    },
  });
  const sized = defineAction({
    name: 'Sized',
    requires: { probed },
    when: ({ size }) => size > 0,
    run: () => done('sized'),
  });
  const used = defineAction({ name: 'Used', requires: { sized }, run: (_c, { sized: value }) => done(value ?? 'none') });
  const group = firstOf({ name: 'Any', of: { used } });
  const { outcomes } = await cycle(group);
  expect(outcomes.get('Sized')?.result).toMatchObject({ status: 'True', reason: 'NotApplicable', value: undefined });
  expect(outcomes.get('Used')?.result).toMatchObject({ status: 'True', value: 'none' });
  expect(asked).toBe(0);
});

test('when that throws is the fault of its action, and of nothing beside it', async () => {
  const broken = defineAction({
    name: 'Broken',
    when: () => {
      throw new Error('no such field');
    },
    run: () => done(),
  });
  const { outcomes } = await cycle(broken, defineAction({ name: 'Beside', run: () => done() }));
  expect(outcomes.get('Broken')?.result).toMatchObject({ status: 'Unknown', message: 'no such field' });
  expect(outcomes.get('Beside')?.result.status).toBe('True');
});

test('TerminalError: told as such, with no time to try again', async () => {
  const result = await resultOf(
    defineAction({
      name: 'Checked',
      run: () => {
        throw new TerminalError('spec.size is odd');
      },
    }),
  );
  expect(result).toMatchObject({ status: 'Unknown', reason: 'Terminal', message: 'spec.size is odd' });
  expect(result).not.toHaveProperty('requeueAfterMs');
});

test('RetryError: tried again after the time that it names, of several the shortest', async () => {
  const busy = (name: string, afterMs: number) =>
    defineAction({
      name,
      run: () => {
        throw new RetryError('busy', { afterMs });
      },
    });
  const { outcomes, requeueAfterMs } = await cycle(busy('Slow', 9_000), busy('Quick', 2_000));
  expect(outcomes.get('Slow')?.result).toMatchObject({ status: 'Unknown', reason: 'Retrying', requeueAfterMs: 9_000 });
  expect(requeueAfterMs).toBe(2_000);
});

test('recheckAfterMs: True, reconciled, and looked at again all the same', async () => {
  const polled = defineAction({ name: 'Polled', run: () => done('x', '', { recheckAfterMs: 30_000 }) });
  const { outcomes, reconciled, requeueAfterMs } = await cycle(polled);
  expect(outcomes.get('Polled')?.result).toMatchObject({ status: 'True', value: 'x' });
  expect({ reconciled, requeueAfterMs }).toEqual({ reconciled: true, requeueAfterMs: 30_000 });
});

test('a timeout ends the wait, aborts the signal of the action, and leaves the others alone', async () => {
  const clock = new FakeClock();
  let isAborted = false;
  const hangs = defineAction({
    name: 'Hangs',
    timeoutMs: 1_000,
    run: ({ signal }) =>
      new Promise<never>(() => {
        signal?.addEventListener('abort', () => {
          isAborted = true;
        });
      }),
  });
  const beside = defineAction({ name: 'Beside', run: () => done() });
  const running = runCycle(defineProcedure({ actions: [hangs, beside] }), host(0, clock));
  await new Promise(setImmediate);
  clock.advance(1_000);
  const { outcomes } = await running;
  expect(outcomes.get('Hangs')?.result).toMatchObject({ reason: 'TimedOut', message: 'no answer within 1000 ms' });
  expect([isAborted, outcomes.get('Beside')?.result.status]).toEqual([true, 'True']);
});

test('cacheForMs: only what is True is kept, and a verification does not believe it', async () => {
  let probes = 0;
  let isUp = false;
  const kept = new Map<string, never>();
  const memo = { get: (key: string) => kept.get(key), set: (key: string, entry: never) => void kept.set(key, entry) };
  const probed = defineAction({
    name: 'Probed',
    cacheForMs: 60_000,
    run: () => {
      probes += 1;
      return isUp ? done(probes) : pending('Down', 'no answer');
    },
  });
  const procedure = defineProcedure({ actions: [probed] });
  const remembering = { ...host(), memo: memo as never };
  await runCycle(procedure, remembering);
  isUp = true;
  for (let count = 0; count < 3; count += 1) await runCycle(procedure, remembering);
  expect(probes).toBe(2);
  await runCycle(procedure, remembering, { verify: true });
  expect(probes).toBe(3);
});

/** Counts bodies in flight at once. */
function counted() {
  let open = 0;
  let most = 0;
  return {
    most: () => most,
    work: async () => {
      open += 1;
      most = Math.max(most, open);
      await new Promise(setImmediate);
      open -= 1;
    },
  };
}
const numbers = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index);

test('forEach: so many bodies at once as concurrency says, eight without it', async () => {
  for (const [concurrency, expected] of [
    [3, 3],
    [undefined, 8],
  ] as const) {
    const { work, most } = counted();
    const each = forEach({
      name: 'Each',
      items: () => numbers(20),
      key: String,
      ...(concurrency === undefined ? {} : { concurrency }),
      run: async (_c, _r, item) => {
        await work();
        return done(item * 2);
      },
    });
    const result = await resultOf(each);
    expect(most()).toBe(expected);
    expect((result as { readonly value?: ReadonlyMap<string, number> }).value?.get('7')).toBe(14);
  }
});

test('forEach atATime: a rollout stops at what does not come up, and goes on when it does', async () => {
  const up = new Set<number>();
  const asked: number[] = [];
  const rolled = forEach({
    name: 'Rolled',
    items: () => numbers(5),
    key: String,
    atATime: 2,
    run: (_c, _r, item) => {
      asked.push(item);
      return up.has(item) ? done() : pending('Starting', `${item} is starting`);
    },
  });
  await resultOf(rolled);
  expect(asked).toEqual([0, 1]);
  up.add(0).add(1);
  asked.length = 0;
  expect(await resultOf(rolled)).toMatchObject({ progress: { done: 2, total: 5 } });
  expect(asked).toEqual([0, 1, 2, 3]);
});

test('forEach: of many items that are not True ten are named, the unknown ones first; the rest is counted', async () => {
  const many = forEach({
    name: 'Many',
    items: () => numbers(30),
    key: String,
    run: (_c, _r, item) => {
      if (item === 29) throw new Error('unreachable');
      return pending('Starting', 'starting');
    },
  });
  const result = await resultOf(many);
  expect(result).toMatchObject({ status: 'Unknown', progress: { done: 0, total: 30 } });
  const { items = [] } = result as { readonly items?: readonly { readonly key: string }[] };
  expect([items.length, items[0]?.key]).toEqual([10, '29']);
});

test('forEach: two items of one key are the fault of the action', async () => {
  const same = forEach({ name: 'Same', items: () => ['a', 'a'], key: (item) => item, run: () => done() });
  expect(await resultOf(same)).toMatchObject({ status: 'Unknown', reason: 'DuplicateKey' });
});

test('firstOf: an alternative that cannot be told ends the search, and one that gives up hands over', async () => {
  const unknown = defineAction({
    name: 'Unreachable',
    run: () => {
      throw new Error('no route');
    },
  });
  const reached = defineAction({ name: 'Reached', run: () => done('r') });
  expect(await resultOf(firstOf({ name: 'Any', of: { unknown, reached } }))).toMatchObject({
    status: 'Unknown',
    blockedBy: ['Unreachable'],
  });
  const givesUp = defineAction({ name: 'GaveUp', run: () => pending('Full', 'no room', { fallThrough: true }) });
  expect(await resultOf(firstOf({ name: 'Any', of: { givesUp, reached } }))).toMatchObject({ value: 'r' });
  const absent = defineAction({ name: 'Absent', run: () => pending('NotThere', 'not there') });
  expect(await resultOf(firstOf({ name: 'Any', of: { absent, givesUp } }))).toMatchObject({
    reason: 'NoAlternative',
    message: 'Absent: NotThere; GaveUp: Full',
  });
});

test('allOf: the values of all, or every root cause', async () => {
  const one = defineAction({ name: 'One', run: () => done(1) });
  const two = defineAction({ name: 'Two', run: () => done('b') });
  expect(await resultOf(allOf({ name: 'All', of: { one, two } }))).toMatchObject({ value: { one: 1, two: 'b' } });
  const down = (name: string) => defineAction({ name, run: () => pending('Down', `${name} is down`) });
  expect(await resultOf(allOf({ name: 'All', of: { left: down('Left'), right: down('Right'), one } }))).toMatchObject({
    status: 'Unknown',
    blockedBy: ['Left', 'Right'],
  });
});

test('teardown: a graph of its own, with values and prerequisites, and nothing of the forward one', async () => {
  const ran: string[] = [];
  const step = (name: string, requires: Readonly<Record<string, Action<Context>>> = {}) =>
    defineAction({
      name,
      requires,
      run: (_c, values) => {
        ran.push(`${name}(${Object.values(values).join()})`);
        return done(name.toLowerCase());
      },
    });
  const drained = step('Drained');
  const procedure = defineProcedure({ actions: [step('Served')], teardown: [step('Unmounted', { drained })] });
  const { reconciled } = await runTeardown(procedure, host());
  expect([reconciled, ran]).toEqual([true, ['Drained()', 'Unmounted(drained)']]);
});

test('preconditions: checks with what they need, by the version that is to come', async () => {
  let isLicensed = false;
  const known = defineAction({ name: 'Known', run: ({ size }) => done(size) });
  const licensed = defineAction({
    name: 'Licensed',
    requires: { known },
    run: (_c, { known: size }) => (isLicensed ? done() : pending('NoLicence', `none for ${size}`)),
  });
  const forward = defineAction({
    name: 'Served',
    run: () => {
      throw new Error('must not run');
    },
  });
  const procedure = defineProcedure({ version: '2.0.0', actions: [forward], preconditions: [licensed] });
  const before = await runPreconditions(procedure, host(3));
  expect(before.reconciled).toBe(false);
  expect(before.outcomes.get('Licensed')?.result).toMatchObject({ message: 'none for 3' });
  expect(before.outcomes.has('Served')).toBe(false);
  isLicensed = true;
  expect((await runPreconditions(procedure, host(3))).reconciled).toBe(true);
});

test('a seed gives the same order again, and another seed another one', async () => {
  const orderOf = async (seed: number): Promise<string> => {
    const seen: string[] = [];
    const actions = numbers(8).map((index) =>
      defineAction({
        name: `A${index}`,
        run: async () => {
          seen.push(`A${index}`);
          await Promise.resolve();
          return done();
        },
      }),
    );
    await runCycle(defineProcedure({ actions }), host(), { order: { mode: 'shuffled', seed } });
    return seen.join();
  };
  expect(await orderOf(42)).toBe(await orderOf(42));
  expect(new Set(await Promise.all(numbers(10).map(orderOf))).size).toBeGreaterThan(5);
});
