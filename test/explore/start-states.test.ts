// Exploring from states of a file: what a version left is taken over, or left alone, and what is no state is refused.
import { done, nextStep } from '@pawl/reconciler';
import { ANNOTATIONS, ConfigMaps, Secrets, Sensitive, type KubernetesObject } from '@pawl/reconciler/kubernetes';
import { describePlan, explorationText, exploreCatalog, formatStartState, parseStartState, recordStates, replayPlan, type StartState } from '@pawl/testkit';
import { describe, expect, test } from 'vitest';
import { allCases } from './cases/all.ts';
import { forThings, only, release, thing } from './cases/shared.ts';

const stored = forThings.defineAction({
  name: 'Stored',
  owns: { maps: ConfigMaps },
  run: async ({ object, cluster }) => {
    await cluster.maps.apply({ metadata: { name: 'map' }, data: { text: object.spec.text ?? '' } });
    return done();
  },
});
const v1 = only(stored);
const v3 = forThings.defineProcedure({ version: '3.0.0', minVersion: '2.0.0', actions: [stored] });
const objects = [thing({ text: 'a' })];
const first = release([v1]);

const named = (states: readonly StartState[], name: string): StartState => {
  const found = states.find((state) => state.name === name);
  if (found === undefined) throw new Error(`no ${name} among ${states.map((state) => state.name).join(', ')}`);
  return found;
};
const edgesOf = (result: Awaited<ReturnType<typeof exploreCatalog>>): readonly string[] => result.coverage.filter(({ mode }) => mode === 'recorded').map(({ edge }) => edge);

test('recorded states are the same for the same seed, and are read as they were written', async () => {
  const states = await recordStates(first, { objects });
  expect(states.map(({ name }) => name)).toEqual(expect.arrayContaining(['1.0.0/install-end', '1.0.0/install-before-write-01']));
  expect((await recordStates(first, { objects })).map(formatStartState)).toEqual(states.map(formatStartState));
  for (const state of states) expect(parseStartState(JSON.parse(formatStartState(state)), state.name)).toMatchObject({ name: state.name, objects: state.objects });
  const stages = await recordStates(first, { objects, moments: 'stages' });
  const ends = await recordStates(first, { objects, moments: 'ends' });
  expect([stages.length < states.length, ends.map(({ name }) => name)]).toEqual([true, ['1.0.0/install-end']]);
});

test('a mistake shows in a state that an older operator left, without any kill, and can be replayed', async () => {
  const certified = allCases.find(({ name }) => name.startsWith('the second of two secrets'));
  if (certified === undefined) throw new Error('no case');
  const { faulty, repaired, options } = certified;
  const recorded = (await recordStates(faulty, options)).filter(({ objects: left }) => left.filter(({ kind }) => kind === 'ConfigMap').length === 1);
  expect(recorded.length).toBeGreaterThan(0);
  const result = await exploreCatalog(faulty, { ...options, recorded, modes: ['recorded'] });
  const [failure] = result.failures;
  expect(failure?.violations[0]).toMatchObject({ check: 'ends like a fresh install', object: 'ConfigMap default/ssl-internal' });
  if (failure === undefined) throw new Error('nothing was found');
  expect(failure.plan.faults).toEqual([]);
  expect(describePlan(failure.plan)).toMatch(/^the state 1\.0\.0\/install-.*, taken over by 1\.0\.0$/);
  expect((await replayPlan(faulty, failure.plan, { ...options, recorded }))?.violations[0]?.check).toBe('ends like a fresh install');
  await expect(replayPlan(faulty, failure.plan, options)).rejects.toThrow(/^from: found .*; allowed are the states that were given: none$/);
  const silent = await exploreCatalog(repaired, { ...options, recorded, modes: ['recorded'] });
  expect(silent.failures.length, explorationText(silent)).toBe(0);
}, 60_000);

describe('a hop that nobody declared', () => {
  test('is refused, and no child is written', async () => {
    const end = named(await recordStates(first, { objects }), '1.0.0/install-end');
    const result = await exploreCatalog(release([v3]), { from: end });
    expect(result.failures.length, explorationText(result)).toBe(0);
    expect(edgesOf(result)).toContain('1.0.0/install-end, refused by 3.0.0');
  });

  test('is found if an operator dares it', async () => {
    const end = named(await recordStates(first, { objects }), '1.0.0/install-end');
    const blind = await exploreCatalog(release([v3]), {
      from: { ...end, objects: end.objects.map((object) => (object.kind === 'ConfigMap' ? { ...object, data: { text: 'old' } } : object)) as readonly KubernetesObject[] },
      protocol: (state) => nextStep({ ...state, catalog: { ...state.catalog, procedures: state.catalog.procedures.map((each) => ({ ...each, from: '*', fromPartial: '*' })) } }),
    });
    expect(blind.failures.map(({ violations }) => violations[0]?.check)).toContain('writes nothing when refused');
  });
});

describe('a record that a tool has dropped', () => {
  const lost = async (annotation: boolean): Promise<StartState> => {
    const end = named(await recordStates(first, { objects, moments: 'ends' }), '1.0.0/install-end');
    const without = (object: KubernetesObject): KubernetesObject => {
      const { status: _, ...rest } = object as KubernetesObject & { readonly status?: unknown };
      const annotations = Object.entries(object.metadata.annotations ?? {}).filter(([name]) => !annotation || name !== ANNOTATIONS.mirror);
      return { ...rest, metadata: { ...rest.metadata, annotations: Object.fromEntries(annotations) } };
    };
    return { ...end, objects: end.objects.map((object) => (object.kind === 'Thing' ? without(object) : object)) };
  };
  const v2 = forThings.deriveProcedure(v1, { version: '2.0.0' });
  const stranger = forThings.defineProcedure({ version: '2.0.0', minVersion: '1.0.0', actions: [stored] });

  test('is known from its copy: the object is upgraded as if nothing had been', async () => {
    const result = await exploreCatalog(release([v1, v2]), { from: await lost(false) });
    expect(result.failures.length, explorationText(result)).toBe(0);
    expect(edgesOf(result)).toContain('1.0.0/install-end → 2.0.0');
  });

  test('is made again from the children if its copy is gone too: what wrote them is half applied, and only that may go on', async () => {
    const from = await lost(true);
    const result = await exploreCatalog(release([v1, v2]), { from });
    expect(result.failures.length, explorationText(result)).toBe(0);
    expect(edgesOf(result)).toContain('1.0.0/install-end → 2.0.0');
    const alone = await exploreCatalog(release([stranger]), { from });
    expect(alone.failures.length, explorationText(alone)).toBe(0);
    expect(edgesOf(alone)).toEqual(['1.0.0/install-end, refused by 2.0.0', '1.0.0/install-end, refused by 2.0.0 alone']);
  });
});

describe('a deletion that is under way', () => {
  const goingOf = async (from: ReturnType<typeof release>): Promise<StartState> => {
    const end = named(await recordStates(from, { objects, moments: 'ends' }), '1.0.0/install-end');
    const going = end.objects.map((object) =>
      object.kind === 'Thing' ? { ...object, metadata: { ...object.metadata, deletionTimestamp: end.takenAt, deletionGracePeriodSeconds: 0 } } : object,
    ) as readonly KubernetesObject[];
    return { ...end, objects: going };
  };

  test('goes on', async () => {
    const result = await exploreCatalog(first, { from: await goingOf(first) });
    expect(result.failures.length, explorationText(result)).toBe(0);
    expect(edgesOf(result)).toEqual(['1.0.0/install-end, deletion goes on']);
    expect(result.crashPoints).toBeGreaterThan(1);
  });

  test('waits for a release that has the procedure, if only that may take the object down', async () => {
    const backedUp = forThings.defineAction({ name: 'BackedUp', run: () => Promise.resolve(done()) });
    const careful = release([forThings.defineProcedure({ version: '1.0.0', minVersion: '0.1.0', actions: [stored], teardown: [backedUp] })]);
    const result = await exploreCatalog(release([v3]), { from: await goingOf(careful) });
    expect(result.failures.length, explorationText(result)).toBe(0);
    expect(edgesOf(result)).toEqual(['1.0.0/install-end, refused by 3.0.0']);
  });
});

describe('a value that is made up once', () => {
  const made = forThings.defineAction({
    name: 'Made',
    owns: { secrets: Secrets },
    run: async ({ cluster, random }) => {
      const known = await cluster.secrets.get('password');
      if (known !== undefined) cluster.secrets.keep(known);
      else await cluster.secrets.apply({ metadata: { name: 'password' }, data: { password: new Sensitive(Buffer.from(random.uuid()).toString('base64')) } });
      return done();
    },
  });
  const making = release([only(made)]);

  test('differs from that of a fresh install, unless it is masked or was redacted', async () => {
    const [end] = await recordStates(making, { objects, moments: 'ends', seed: 7 });
    if (end === undefined) throw new Error('no state');
    const differing = await exploreCatalog(making, { from: end });
    expect(differing.failures[0]?.violations[0]?.object).toBe('Secret default/password');
    const masks = [{ says: 'the password is made up once', apply: (object: Readonly<Record<string, unknown>>) => (object['kind'] === 'Secret' ? { name: 'password' } : object) }];
    const masked = await exploreCatalog(making, { from: end, masks });
    expect(masked.failures.length, explorationText(masked)).toBe(0);
    const redacted = await exploreCatalog(making, { from: { ...end, redacted: ['default/password'] } });
    expect(redacted.failures.length, explorationText(redacted)).toBe(0);
    expect(redacted.assumptions).toContain('values of Secrets that were redacted: default/password');
  });
});

describe('what is no state', () => {
  const faultsOf = async (change: (end: StartState) => unknown): Promise<string> => {
    const end = named(await recordStates(first, { objects }), '1.0.0/install-end');
    const state = change(JSON.parse(formatStartState(end)) as StartState);
    try {
      await exploreCatalog(first, { from: parseStartState(state, 'cluster.yaml') });
      return 'nothing was refused';
    } catch (error) {
      return (error as Error).message;
    }
  };
  const changed = (kind: string, change: (object: KubernetesObject) => object) => (end: StartState) => ({ ...end, objects: end.objects.map((object) => (object.kind === kind ? change(object) : object)) });
  const meta = (fields: object) => (object: KubernetesObject) => ({ ...object, metadata: { ...object.metadata, ...fields } });

  test.each([
    ['no document of a state', () => ({ kind: 'List', items: [] }), 'cluster.yaml: kind: found "List"; allowed is StartState\ncluster.yaml: formatVersion: found nothing; allowed is 1\n'],
    ['an object without a name', changed('ConfigMap', meta({ name: undefined })), 'cluster.yaml: objects[0] (ConfigMap): metadata.name: found nothing; allowed is a text'],
    ['a kind that nobody knows', changed('ConfigMap', (object) => ({ ...object, kind: 'Gadget' })), 'cluster.yaml: Gadget default/map: kind: found v1 Gadget, which the package does not know; allowed are cases.pawl.dev/v1 Thing'],
    ['an invalid field', changed('ConfigMap', (object) => ({ ...object, data: { 'a b': 'x' } })), 'cluster.yaml: ConfigMap default/map: data[a b]: '],
    ['an invalid status', changed('Thing', (object) => ({ ...object, status: { removing: 3 } })), 'cluster.yaml: Thing default/one: status.removing: '],
    ['an owner that is not there', (end: StartState) => ({ ...end, objects: [...end.objects, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'x', namespace: 'default', ownerReferences: [{ apiVersion: 'v1', kind: 'Pod', name: 'gone', uid: '1' }] } }] }), 'cluster.yaml: ConfigMap default/x: metadata.ownerReferences[0]: found Pod gone, which is not among the objects'],
    ['another uid than the owner has', changed('Thing', meta({ uid: 'other' })), 'metadata.ownerReferences[0].uid: found '],
    ['a child that is being deleted', changed('ConfigMap', meta({ deletionTimestamp: '2026-01-01T00:00:00Z' })), 'cluster.yaml: ConfigMap default/map: metadata.deletionTimestamp: found 2026-01-01T00:00:00Z; allowed is none'],
    ['an object that a person holds back', changed('Thing', (object) => ({ ...object, spec: { procedure: { paused: true } } })), 'cluster.yaml: Thing default/one: spec.procedure.paused: found true'],
    ['nothing of the package', (end: StartState) => ({ ...end, objects: [{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'x', namespace: 'default' } }] }), 'cluster.yaml: objects: found none of cases.pawl.dev/v1 Thing'],
  ])('%s is named', async (_what, change, says) => {
    expect(await faultsOf(change)).toContain(says);
  });
});
