// What the engine promises to an author, each scenario by its id.
import { describe, expect, test } from 'vitest';
import {
  ConfigMaps,
  defineCatalog,
  defineResource,
  type CustomResource,
  type KubernetesContext,
} from './kubernetes/index.ts';
import {
  catalogOf,
  decide,
  done,
  pending,
  proceduresFor,
  RetryError,
  runCycle,
  undetermined,
  type Action,
  type ActionOutcome,
  type CycleHost,
  type CycleResult,
  type Decision,
  type Procedure,
  type VersionRecord,
} from './index.ts';
import { FakeClock, MemoryCluster, TestObject, TestOperator } from './testing/index.ts';

interface Context {
  readonly id: string;
}
const { defineAction, defineProcedure } = proceduresFor<Context>();
const hostOf = (id = 'one'): CycleHost<Context> => ({ context: { id }, clock: new FakeClock(), open: () => undefined });
const say = ({ outcomes }: CycleResult): Record<string, string> =>
  Object.fromEntries([...outcomes].map(([name, { result }]) => [name, `${result.status} ${result.reason}`]));
const outcomeOf = ({ outcomes }: CycleResult, name: string): ActionOutcome['result'] | undefined =>
  outcomes.get(name)?.result;

/** A chain of actions, each needing the one before; the last one is returned. `ran` collects who ran for whom. */
function chain(
  depth: number,
  ran: string[],
  bottom: () => ReturnType<typeof done> | ReturnType<typeof pending> = done,
): Action<Context> {
  let last: Action<Context> | undefined;
  for (let level = depth; level >= 1; level -= 1)
    last = defineAction({
      name: `Level${level}`,
      requires: last === undefined ? {} : { last },
      run: ({ id }) => {
        ran.push(`${id} ${level}`);
        return level === depth ? bottom() : done();
      },
    });
  if (last === undefined) throw new Error('a chain has at least one action');
  return last;
}

describe('actions', () => {
  test('AC-01 six actions give six statuses', async () => {
    const yes = defineAction({ name: 'Yes', run: () => done() });
    const no = defineAction({ name: 'No', run: () => pending('Missing', 'not there') });
    const unknown = defineAction({ name: 'Unknown', run: () => undetermined('Unreachable', 'no answer') });
    const broken = defineAction({
      name: 'Broken',
      run: () => {
        throw new Error('boom');
      },
    });
    const noAfterYes = defineAction({ name: 'NoAfterYes', requires: { yes }, run: () => pending('Missing', 'no') });
    const yesAfterNo = defineAction({ name: 'YesAfterNo', requires: { no }, run: () => done() });
    const actions = [yes, no, unknown, broken, noAfterYes, yesAfterNo];
    const result = await runCycle(defineProcedure({ actions }), hostOf());
    expect(say(result)).toEqual({
      Yes: 'True AsExpected',
      No: 'False Missing',
      Unknown: 'Unknown Unreachable',
      Broken: 'Unknown Failed',
      NoAfterYes: 'False Missing',
      YesAfterNo: 'Unknown PrerequisiteNotMet',
    });
    expect(outcomeOf(result, 'Broken')?.message).toBe('boom');
    expect(result.reconciled).toBe(false);
  });

  test('AC-02 a prerequisite of three runs once, and all see its result', async () => {
    let runs = 0;
    const shared = defineAction({
      name: 'Shared',
      run: async () => {
        runs += 1;
        await Promise.resolve();
        return done(runs);
      },
    });
    const user = (name: string): Action<Context, number> =>
      defineAction({ name, requires: { shared }, run: (_context, results) => done(results.shared) });
    const procedure = defineProcedure({ actions: [user('A'), user('B'), user('C')] });
    const { outcomes } = await runCycle(procedure, hostOf(), { order: { mode: 'parallel', limit: 3 } });
    const values = ['A', 'B', 'C'].map((name) => outcomes.get(name)?.result);
    expect(values).toMatchObject([{ value: 1 }, { value: 1 }, { value: 1 }]);
    expect(runs).toBe(1);
  });

  test('AC-03 every level of a chain is evaluated in every cycle', async () => {
    const ran: string[] = [];
    const procedure = defineProcedure({ actions: [chain(4, ran)] });
    for (let cycle = 0; cycle < 3; cycle += 1) await runCycle(procedure, hostOf());
    for (const level of [1, 2, 3, 4]) expect(ran.filter((each) => each === `one ${level}`)).toHaveLength(3);
  });

  test('AC-04 two objects in turn share no result', async () => {
    const ran: string[] = [];
    const procedure = defineProcedure({ actions: [chain(4, ran)] });
    for (const id of ['one', 'two', 'one', 'two']) await runCycle(procedure, hostOf(id));
    expect(ran.filter((each) => each === 'one 4')).toHaveLength(2);
    expect(ran.filter((each) => each === 'two 4')).toHaveLength(2);
  });

  test('AC-05 fifty objects at once see only their own values', async () => {
    const mine = defineAction({
      name: 'Mine',
      run: async ({ id }) => {
        await Promise.resolve();
        return done(id);
      },
    });
    const echoed = defineAction({
      name: 'Echoed',
      requires: { mine },
      run: ({ id }, results) => (results.mine === id ? done(id) : undetermined('Mixed', `${id} saw ${results.mine}`)),
    });
    const procedure = defineProcedure({ actions: [echoed] });
    const ids = Array.from({ length: 50 }, (_, index) => `object-${index}`);
    const results = await Promise.all(ids.map((id) => runCycle(procedure, hostOf(id))));
    expect(results.map((result) => outcomeOf(result, 'Echoed'))).toMatchObject(ids.map((id) => ({ value: id })));
  });

  test('AC-06 an error in one of five leaves the other four', async () => {
    const good = (name: string): Action<Context> => defineAction({ name, run: () => done() });
    const bad = defineAction({
      name: 'Bad',
      run: () => {
        throw new RetryError('busy', { afterMs: 4_000 });
      },
    });
    const procedure = defineProcedure({ actions: [good('A'), good('B'), bad, good('C'), good('D')] });
    const result = await runCycle(procedure, hostOf());
    expect(Object.values(say(result)).filter((said) => said === 'True AsExpected')).toHaveLength(4);
    expect(outcomeOf(result, 'Bad')).toMatchObject({ status: 'Unknown', reason: 'Retrying', message: 'busy' });
    expect(result.requeueAfterMs).toBe(4_000);
  });

  test('AC-07 an error three levels down is named as the root by everything above it', async () => {
    const procedure = defineProcedure({
      actions: [
        chain(3, [], () => {
          throw new Error('disk is full');
        }),
      ],
    });
    const result = await runCycle(procedure, hostOf());
    const blocked = {
      status: 'Unknown',
      reason: 'PrerequisiteNotMet',
      blockedBy: ['Level3'],
      message: 'Level3: disk is full',
    };
    expect([outcomeOf(result, 'Level1'), outcomeOf(result, 'Level2')]).toMatchObject([blocked, blocked]);
    expect(outcomeOf(result, 'Level3')).toMatchObject({ status: 'Unknown', reason: 'Failed', message: 'disk is full' });
  });

  test('AC-08 behind a False prerequisite nothing is invoked, beside it everything is', async () => {
    let invoked = 0;
    let beside = 0;
    const no = defineAction({ name: 'No', run: () => pending('Missing', 'not there') });
    const other = defineAction({
      name: 'Other',
      run: () => {
        beside += 1;
        return done();
      },
    });
    const dependant = defineAction({
      name: 'Dependant',
      requires: { no, other },
      run: () => {
        invoked += 1;
        return done();
      },
    });
    await runCycle(defineProcedure({ actions: [dependant] }), hostOf());
    expect([invoked, beside]).toEqual([0, 1]);
  });

  test('AC-11 a circle of three is refused where it is defined, with its path', () => {
    const kit = proceduresFor<Context>();
    const c = kit.defineAction({ name: 'C', run: () => done() });
    const b = kit.defineAction({ name: 'B', requires: { c }, run: () => done() });
    const a = kit.defineAction({ name: 'A', requires: { b }, run: () => done() });
    const base = kit.defineProcedure({ version: '1.0.0', actions: [a] });
    const circular = kit.replaceAction(c, kit.defineAction({ name: 'C', requires: { a }, run: () => done() }));
    expect(() => kit.deriveProcedure(base, { version: '2.0.0', replace: [circular] })).toThrow(
      'V011 cycle: C -> A -> B -> C',
    );
  });
});

interface Cache extends CustomResource<'x.example/v1', 'Cache', { readonly size: number }> {}
const Caches = defineResource<Cache>({ apiVersion: 'x.example/v1', kind: 'Cache', plural: 'caches' });
const kit = proceduresFor<KubernetesContext<Cache>>();
const cacheIn = (cluster = new MemoryCluster()): TestObject<Cache> =>
  new TestObject<Cache>(
    { apiVersion: 'x.example/v1', kind: 'Cache', metadata: { name: 'c', namespace: 'n' }, spec: { size: 1 } },
    { cluster },
  );

/** An action that keeps one ConfigMap with what it says. */
const stores = (
  name: string,
  map: string,
  text: string,
  requires: Record<string, Action<KubernetesContext<Cache>>> = {},
) =>
  kit.defineAction({
    name,
    requires,
    owns: { maps: ConfigMaps },
    run: async ({ cluster }) => {
      await cluster.maps.apply({ metadata: { name: map }, data: { text } });
      return done();
    },
  });

/** What matters of the cluster: no uids, no counters, no stamps. */
const contentOf = (cluster: MemoryCluster): unknown =>
  cluster
    .all()
    .filter(({ kind }) => kind === 'ConfigMap')
    .map((object) => [object.metadata.name, (object as { readonly data?: unknown }).data] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1));

describe('order', () => {
  const first = stores('First', 'first', '1');
  const second = stores('Second', 'second', '2', { first });
  const third = stores('Third', 'third', '3', { first });
  const last = stores('Last', 'last', '4', { second, third });

  test('AC-09 two hundred orders lead to the same cluster and the same statuses', async () => {
    const procedure = kit.defineProcedure({ actions: [last] });
    const seen = new Set<string>();
    for (let seed = 0; seed < 200; seed += 1) {
      const object = cacheIn();
      await object.settle(procedure, undefined, { order: { mode: 'shuffled', seed } });
      const { outcomes } = await object.cycle(procedure);
      const statuses = [...outcomes.values()].map(({ name, result }) => `${name} ${result.status}`).sort();
      seen.add(JSON.stringify([contentOf(object.cluster), statuses]));
    }
    expect(seen.size).toBe(1);
  });

  test('AC-10 a dependency that nobody declared is found, with a seed that shows it again', async () => {
    const writes = stores('Writes', 'shared', 'x');
    const reads = kit.defineAction({
      name: 'Reads',
      reads: { maps: ConfigMaps },
      run: async ({ cluster }) =>
        (await cluster.maps.get('shared')) === undefined ? undetermined('Absent', 'shared is not there') : done(),
    });
    const procedure = kit.defineProcedure({ actions: [writes, reads] });
    const isBroken = async (seed: number): Promise<boolean> => {
      const { outcomes } = await cacheIn().cycle(procedure, { order: { mode: 'shuffled', seed } });
      return outcomes.get('Reads')?.result.status !== 'True';
    };
    const failing: number[] = [];
    for (let seed = 0; seed < 20; seed += 1) if (await isBroken(seed)) failing.push(seed);
    expect(failing.length).toBeGreaterThan(0);
    expect(failing.length).toBeLessThan(20);
    expect(await isBroken(failing[0] ?? -1)).toBe(true);
  });
});

describe('versions', () => {
  const at = (version: string, rest: { readonly minVersion?: string; readonly fromPartial?: string } = {}) =>
    kit.defineProcedure({ version, ...rest, actions: [stores('Stored', `map-${version}`, version)] });
  const complete = (version: string): VersionRecord => ({
    formatVersion: 1,
    minReader: 1,
    epoch: 1,
    version,
    applied: [{ version, state: 'Complete', rollbackTo: 'none', teardown: 'Inventory' }],
    avoid: [],
    scope: [],
  });
  const decided = (procedures: readonly Procedure<KubernetesContext<Cache>>[], record?: VersionRecord): Decision =>
    decide({ catalog: catalogOf(procedures), uid: 'u', record });

  test('AC-12 a list in any order: the newest that accepts what is there', () => {
    const procedures = [
      at('9.0.0', { minVersion: '6.0.0' }),
      at('8.0.0', { minVersion: '7.0.0' }),
      at('7.0.0', { minVersion: '2.0.0' }),
    ];
    expect(decided(procedures, complete('4.0.0'))).toMatchObject({
      kind: 'Run',
      version: '7.0.0',
      path: ['7.0.0', '9.0.0'],
    });
    expect(decided(procedures, complete('7.0.0'))).toMatchObject({ kind: 'Run', version: '9.0.0' });
    expect(decided(procedures, complete('1.0.0'))).toMatchObject({ kind: 'Blocked', reason: 'Stranded' });
    expect(decided(procedures)).toMatchObject({ kind: 'Run', mode: 'Install', version: '9.0.0' });
    expect(() => defineCatalog(Caches, [])).toThrow('catalog of Cache: V010 procedures is empty');
  });

  test('AC-13 an older operator changes nothing and says why', async () => {
    const object = cacheIn();
    const newer = new TestOperator(object, defineCatalog(Caches, [at('5.0.0')]));
    await newer.settle();
    newer.state.record = { ...complete('5.0.0'), epoch: 9 };
    const writes = [...object.cluster.writes];
    const older = new TestOperator(
      object,
      defineCatalog(Caches, [at('1.0.0'), at('2.0.0', { minVersion: '1.0.0' })]),
      newer.state,
    );
    expect(await older.settle()).toMatchObject({ step: 'hold', reason: 'DowngradeRefused' });
    expect(object.cluster.writes).toEqual(writes);
  });

  test('AC-14 the next version only after the one before is completely there', async () => {
    const object = cacheIn();
    const one = new TestOperator(object, defineCatalog(Caches, [at('1.0.0')]));
    await one.settle();
    const catalog = defineCatalog(Caches, [
      at('1.0.0'),
      at('2.0.0', { minVersion: '1.0.0' }),
      at('3.0.0', { minVersion: '2.0.0' }),
    ]);
    const three = new TestOperator(object, catalog, one.state);
    const acted: string[] = [];
    for (let count = 0; count < 40; count += 1) {
      const step = await three.step();
      if (step.step === 'complete') acted.push(`complete ${step.record.version ?? ''}`);
      if (step.step === 'runActions' && step.mode === 'Hop') acted.push(`hop ${step.version ?? ''}`);
      if (step.step === 'report') break;
    }
    expect([...new Set(acted)]).toEqual(['hop 2.0.0', 'complete 2.0.0', 'hop 3.0.0', 'complete 3.0.0']);
    expect(contentOf(object.cluster)).toEqual([['map-3.0.0', { text: '3.0.0' }]]);
  });

  describe('AC-15 half of 2.0.0 is there when an operator with 3.0.0 takes over', () => {
    const parts = (version: string) =>
      ['a', 'b', 'c', 'd'].map((name) => stores(`Stored${name.toUpperCase()}`, `${name}-${version}`, version));
    const v1 = kit.defineProcedure({ version: '1.0.0', actions: parts('1.0.0') });
    const v2 = kit.defineProcedure({ version: '2.0.0', minVersion: '1.0.0', actions: parts('2.0.0') });
    const v3 = kit.defineProcedure({ version: '3.0.0', minVersion: '1.0.0', actions: parts('3.0.0') });
    const superseding = kit.defineProcedure({
      version: '3.0.0',
      minVersion: '1.0.0',
      fromPartial: '2.0.0',
      actions: parts('3.0.0'),
    });

    /** An object on which an operator died after it had written two of four objects of 2.0.0. */
    const interrupted = async (): Promise<{
      readonly object: TestObject<Cache>;
      readonly operator: TestOperator<Cache>;
    }> => {
      const object = cacheIn();
      const one = new TestOperator(object, defineCatalog(Caches, [v1]));
      await one.settle();
      const two = new TestOperator(object, defineCatalog(Caches, [v1, v2]), one.state);
      const { apply } = object.cluster;
      let left = 2;
      object.cluster.apply = (request) => {
        left -= 1;
        return left < 0 ? Promise.reject(new Error('the process is gone')) : apply(request);
      };
      while ((await two.step()).step !== 'runActions');
      object.cluster.apply = apply;
      expect(contentOf(object.cluster)).toHaveLength(6);
      return { object, operator: two };
    };
    const fresh = async (): Promise<unknown> => {
      const object = cacheIn();
      await new TestOperator(object, defineCatalog(Caches, [v1, v2, v3])).settle();
      return contentOf(object.cluster);
    };

    test('with 2.0.0 at hand it finishes that first, and ends like a fresh install of 3.0.0', async () => {
      const { object, operator } = await interrupted();
      const next = new TestOperator(object, defineCatalog(Caches, [v1, v2, v3]), operator.state);
      await next.settle();
      expect(next.state.record).toMatchObject({ version: '3.0.0', applied: [{ version: '3.0.0', state: 'Complete' }] });
      expect(contentOf(object.cluster)).toEqual(await fresh());
    });

    test('without 2.0.0 it waits, and changes nothing', async () => {
      const { object, operator } = await interrupted();
      const before = [...object.cluster.writes];
      const next = new TestOperator(object, defineCatalog(Caches, [v3]), operator.state);
      expect(await next.settle()).toMatchObject({ step: 'hold', reason: 'StrandedMidUpgrade' });
      expect(object.cluster.writes).toEqual(before);
    });

    test('unless 3.0.0 says that it supersedes a partly applied 2.0.0', async () => {
      const { object, operator } = await interrupted();
      const next = new TestOperator(object, defineCatalog(Caches, [superseding]), operator.state);
      await next.settle();
      expect(contentOf(object.cluster)).toEqual(await fresh());
    });
  });

  test('back again by request, and the object equals a fresh install of the older version', async () => {
    const v1 = kit.defineProcedure({ version: '1.0.0', actions: [stores('Stored', 'one', '1')] });
    const v2 = kit.defineProcedure({
      version: '2.0.0',
      minVersion: '1.0.0',
      rollbackTo: '1.0.0',
      actions: [stores('Stored', 'two', '2')],
    });
    const object = cacheIn();
    const operator = new TestOperator(object, defineCatalog(Caches, [v1, v2]));
    await operator.settle();
    operator.state.requests = { rollback: '1.0.0' };
    const end = await operator.settle();
    expect(end).toMatchObject({ step: 'report', upgradeBlocked: 'HeldBack' });
    expect(operator.state).toMatchObject({ requests: {}, record: { version: '1.0.0' } });
    expect(contentOf(object.cluster)).toEqual([['one', { text: '1' }]]);
  });
});
