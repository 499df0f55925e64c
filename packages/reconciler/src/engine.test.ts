import { expect, expectTypeOf, test } from 'vitest';
import {
  done,
  notApplicable,
  pending,
  proceduresFor,
  runCycle,
  undetermined,
  type Action,
  type CycleHost,
  type OutputOf,
} from './index.ts';
import { FakeClock } from './testing/index.ts';

interface Context {
  readonly n: number;
}
const { defineAction, replaceAction, defineProcedure, deriveProcedure, firstOf, allOf, forEach } =
  proceduresFor<Context>();
const host = (n = 0, clock = new FakeClock()): CycleHost<Context> => ({ context: { n }, clock, open: () => undefined });

test('values', () => {
  const multi = defineAction({
    name: 'M',
    run: ({ n }) => (n > 1 ? pending('A', 'a') : n > 0 ? done({ kind: 'a' as const }) : done({ kind: 'b' as const })),
  });
  expectTypeOf<OutputOf<typeof multi>>().toEqualTypeOf<{ kind: 'a' } | { kind: 'b' }>();
  const nothing = defineAction({ name: 'V', run: () => done() });
  expectTypeOf<OutputOf<typeof nothing>>().toEqualTypeOf<void>();
  const sync = defineAction({
    name: 'S',
    requires: { multi, nothing },
    run: (_c, { multi: value }) => done(value.kind),
  });
  expectTypeOf<OutputOf<typeof sync>>().toEqualTypeOf<'a' | 'b'>();
  const maybe = defineAction({ name: 'W', requires: { sync }, when: ({ n }) => n > 0, run: async () => done(1) });
  expectTypeOf<OutputOf<typeof maybe>>().toEqualTypeOf<number | undefined>();
  const perhaps = defineAction({
    name: 'P',
    requires: { maybe },
    run: (_c, { maybe: one }) => (one === undefined ? notApplicable() : done(one.toFixed())),
  });
  expectTypeOf<OutputOf<typeof perhaps>>().toEqualTypeOf<string | undefined>();
  const first = firstOf({ name: 'F', of: { multi, sync } });
  expectTypeOf<OutputOf<typeof first>>().toEqualTypeOf<{ kind: 'a' } | { kind: 'b' } | 'a' | 'b'>();
  const all = allOf({ name: 'G', of: { multi, sync } });
  expectTypeOf<OutputOf<typeof all>>().toEqualTypeOf<{
    readonly multi: { kind: 'a' } | { kind: 'b' };
    readonly sync: 'a' | 'b';
  }>();
  const each = forEach({
    name: 'E',
    requires: { sync },
    items: ({ n }, { sync: kind }) => [{ id: `${n}${kind}`, size: 3 }],
    key: ({ id }) => id,
    run: (_c, { sync: kind }, item) => done({ kind, size: item.size }),
  });
  expectTypeOf<OutputOf<typeof each>>().toEqualTypeOf<ReadonlyMap<string, { kind: 'a' | 'b'; size: number }>>();
  expectTypeOf(nothing).toEqualTypeOf<Action<Context, void, 'check'>>();
});

test('runs once, binds late, names root causes', async () => {
  let runs = 0;
  const base = defineAction({
    name: 'Base',
    run: () => {
      runs += 1;
      return done(1);
    },
  });
  const left = defineAction({ name: 'Left', requires: { base }, run: (_c, r) => done(r.base + 1) });
  const right = defineAction({ name: 'Right', requires: { base }, run: (_c, r) => done(r.base + 2) });
  const top = defineAction({ name: 'Top', requires: { left, right }, run: (_c, r) => done(r.left + r.right) });
  const v1 = defineProcedure({ version: '1.0.0', actions: [top] });
  const first = await runCycle(v1, host());
  expect([runs, first.outcomes.get('Top')?.result]).toMatchObject([1, { value: 5 }]);
  const v2 = deriveProcedure(v1, {
    version: '2.0.0',
    minVersion: '1.0.0',
    replace: [replaceAction(base, defineAction({ name: 'Base', run: () => done(10) }))],
  });
  expect((await runCycle(v2, host())).outcomes.get('Top')?.result).toMatchObject({ value: 23 });
  const v3 = deriveProcedure(v1, {
    version: '3.0.0',
    replace: [replaceAction(base, defineAction({ name: 'Base', run: () => undetermined('Lost', 'no answer') }))],
  });
  expect((await runCycle(v3, host())).outcomes.get('Top')?.result).toMatchObject({
    status: 'Unknown',
    reason: 'PrerequisiteNotMet',
    blockedBy: ['Base'],
    message: 'Base: no answer',
  });
});

test('orders', async () => {
  const seen: string[] = [];
  const act = (name: string, requires: Record<string, Action<Context>> = {}) =>
    defineAction({
      name,
      requires,
      run: async () => {
        seen.push(name);
        await Promise.resolve();
        return done();
      },
    });
  const a = act('A'),
    b = act('B'),
    c = act('C', { a });
  const procedure = defineProcedure({ version: '1.0.0', actions: [c, b] });
  const run = async (order: Parameters<typeof runCycle>[2]): Promise<string> => {
    seen.length = 0;
    await runCycle(procedure, host(), order);
    return seen.join('');
  };
  expect(await run({ order: { mode: 'strict' } })).toBe(await run({ order: { mode: 'strict' } }));
  const shuffled = await Promise.all([]).then(async () => {
    const all = new Set<string>();
    for (let seed = 0; seed < 30; seed += 1) all.add(await run({ order: { mode: 'shuffled', seed } }));
    return [...all].sort();
  });
  expect(shuffled).toEqual(['ABC', 'ACB', 'BAC']);
  expect(await run({ order: { mode: 'parallel', limit: 4 } })).toBe('ABC');
});

test('first of: falls through checks and skipped ones, not through a change under way', async () => {
  let asked = 0;
  const no = defineAction({ name: 'No', run: () => pending('Absent', 'not there') });
  const skipped = defineAction({ name: 'Skipped', when: () => false, run: () => done('s') });
  const yes = defineAction({
    name: 'Yes',
    run: () => {
      asked += 1;
      return done('y');
    },
  });
  const never = defineAction({
    name: 'Never',
    run: () => {
      throw new Error('asked');
    },
  });
  const any = firstOf({ name: 'Any', of: { no, skipped, yes, never } });
  const result = await runCycle(defineProcedure({ version: '1.0.0', actions: [any] }), host());
  expect(result.outcomes.get('Any')?.result).toMatchObject({ value: 'y' });
  expect([asked, result.reconciled, result.outcomes.has('Never')]).toEqual([1, true, false]);
});

test('items: worst first, at a time', async () => {
  const each = forEach({
    name: 'Each',
    items: () => [1, 2, 3, 4],
    key: String,
    atATime: 1,
    run: (_c, _r, item) => (item < 2 ? done(item) : pending('Slow', `${item} is slow`)),
  });
  const { outcomes } = await runCycle(defineProcedure({ version: '1.0.0', actions: [each] }), host());
  expect(outcomes.get('Each')?.result).toMatchObject({
    status: 'False',
    reason: 'ItemsNotReady',
    message: '1 of 4 ready; 2: 2 is slow',
    progress: { done: 1, total: 4 },
    items: [{ key: '2', reason: 'Slow' }, { key: '3', reason: 'Waiting' }, { key: '4' }],
  });
});

test('timeouts, kept results, thrown errors', async () => {
  const clock = new FakeClock();
  const hang = defineAction({ name: 'Hang', timeoutMs: 50, run: () => new Promise<never>(() => {}) });
  const running = runCycle(defineProcedure({ version: '1.0.0', actions: [hang] }), host(0, clock));
  await new Promise(setImmediate);
  clock.advance(50);
  expect((await running).outcomes.get('Hang')?.result).toMatchObject({ status: 'Unknown', reason: 'TimedOut' });
  let probes = 0;
  const probe = defineAction({ name: 'Probe', cacheForMs: 100, run: () => done((probes += 1)) });
  const memo = new Map();
  const kept = {
    ...host(0, clock),
    memo: {
      get: (k: string) => memo.get(k),
      set: (k: string, e: unknown) => {
        memo.set(k, e);
      },
    },
  };
  const procedure = defineProcedure({ version: '1.0.0', actions: [probe] });
  await runCycle(procedure, kept);
  await runCycle(procedure, kept);
  expect(probes).toBe(1);
  await runCycle(procedure, kept, { verify: true });
  clock.advance(100);
  await runCycle(procedure, kept);
  expect(probes).toBe(3);
});

test('definitions: all faults at once', () => {
  const b = defineAction({ name: 'B', run: () => done() });
  const a = defineAction({ name: 'A', requires: { b }, run: () => done() });
  const p = defineProcedure({ version: '1.0.0', actions: [a] });
  expect(() => deriveProcedure(p, { version: '2.0', minVersion: '3.0.0', remove: [b] })).toThrow(
    'procedure 2.0: V001 version "2.0" is not strict semver, such as 1.2.0; V011 A requires B, which is missing; add it, or remove A too',
  );
  expect(() =>
    deriveProcedure(p, {
      version: '2.0.0',
      replace: [replaceAction(b, defineAction({ name: 'B', requires: { a }, run: () => done() }))],
    }),
  ).toThrow('cycle: B -> A -> B; leave out one of these requires');
  expect(() => defineAction({ name: 'createEtcd', run: () => done() })).toThrow('A001');
  expect(() => replaceAction(b, defineAction({ name: 'Bb', run: () => done() }))).toThrow(
    'it is named Bb, but a replacement keeps the name',
  );
  expect(() => deriveProcedure(p, { version: '2.0.0', add: [defineAction({ name: 'B', run: () => done() })] })).toThrow(
    'two actions are named B',
  );
});
