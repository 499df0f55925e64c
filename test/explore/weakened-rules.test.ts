// Every rule of the protocol that is left out is missed: the explorer finds something wrong with the product's own
// controller when it follows a protocol without the rule, and nothing when it follows the real one.
import { done, nextStep, type Action, type CycleReport, type ProtocolState, type RecordEntry, type Step } from '@pawl/reconciler';
import { ConfigMaps, type KubernetesContext, type ProcedurePackage } from '@pawl/reconciler/kubernetes';
import { explorationText, exploreCatalog, type ExploreOptions, type ModeName } from '@pawl/testkit';
import { afterAll, describe, expect, test } from 'vitest';
import { weakenedProtocol, workshop } from '../model/weaken.ts';
import { WEAKENED } from '../model/weakened.ts';
import { followingDaemons } from './cases/relations.ts';
import { forThings, release, thing, type Thing } from './cases/shared.ts';

const stored = (suffix: string): Action<KubernetesContext<Thing>, undefined> =>
  forThings.defineAction({
    name: 'Stored',
    owns: { maps: ConfigMaps },
    ...(suffix === 'old' ? {} : { revision: 1 }),
    run: async ({ cluster }) => {
      await cluster.maps.apply({ metadata: { name: 'always' }, data: { in: 'both' } });
      await cluster.maps.apply({ metadata: { name: `only-${suffix}` }, data: { in: suffix } });
      return done(undefined);
    },
  }) as Action<KubernetesContext<Thing>, undefined>;

const [before, behind] = [stored('old'), stored('new')];
const v1 = forThings.defineProcedure({ version: '1.0.0', minVersion: '0.1.0', actions: [before] });
const next = (rollbackTo?: string) =>
  forThings.deriveProcedure(v1, {
    version: '2.0.0',
    ...(rollbackTo === undefined ? {} : { rollbackTo }),
    replace: [forThings.replaceAction(before, behind)],
  });
/** The way back is permitted in one package and not in the other. */
const [returning, oneWay] = [release([v1, next('1.0.0')]), release([v1, next()])];

type Protocol = (state: ProtocolState) => Step;
const withCycle =
  (change: Partial<CycleReport>): Protocol =>
  (state) =>
    nextStep(state.cycle === undefined ? state : { ...state, cycle: { ...state.cycle, ...change } });

const withEntries =
  (change: (entry: RecordEntry) => RecordEntry): Protocol =>
  (state) => {
    const { record, mirror } = state.cr;
    const changed = {
      ...state.cr,
      record: record === undefined ? undefined : { ...record, applied: record.applied.map(change) },
      mirror: mirror === undefined ? undefined : { ...mirror, applied: mirror.applied.map(change) },
    };
    return nextStep({ ...state, cr: changed });
  };

interface Weakened {
  readonly rule: string;
  readonly protocol: Protocol;
  readonly modes: readonly ModeName[];
  readonly in: ProcedurePackage;
}

const weakened: readonly Weakened[] = [
  { rule: 'what the old version left is pruned', protocol: withCycle({ extras: 0 }), modes: ['upgrade'], in: returning },
  {
    rule: 'the old version stays recorded until the hop is complete',
    modes: ['upgrade'],
    in: returning,
    protocol: (state) => {
      const step = nextStep(state);
      if (step.step !== 'intent') return step;
      return { ...step, record: { ...step.record, applied: step.record.applied.filter(({ version }) => version === step.record.target) } };
    },
  },
  {
    rule: 'every write of the record raises the epoch',
    modes: ['upgrade'],
    in: returning,
    protocol: (state) => {
      const step = nextStep(state);
      return step.step === 'complete' ? { ...step, record: { ...step.record, epoch: state.cr.record?.epoch ?? 0 } } : step;
    },
  },
  {
    rule: 'the finalizer is there before any child',
    modes: ['teardown'],
    in: returning,
    protocol: (state) => {
      const step = nextStep(state);
      return step.step === 'metadata' && step.finalizer === true ? { ...step, finalizer: false } : step;
    },
  },
  {
    rule: 'the finalizer stays until a look found nothing left',
    modes: ['teardown'],
    in: returning,
    protocol: (state) => nextStep(state.cr.deleting ? { ...state, cycle: { version: '', clean: true, verified: true, extras: 0, ownedLeft: 0 } } : state),
  },
  {
    rule: 'the newer version permits the way back, or there is none',
    protocol: withEntries((entry) => ({ ...entry, rollbackTo: '*' })),
    modes: ['rollback'],
    in: oneWay,
  },
  {
    rule: 'a half-applied version is finished by whoever knows it',
    protocol: withEntries((entry) => ({ ...entry, state: 'Complete' })),
    modes: ['interrupted'],
    in: returning,
  },
  {
    rule: 'after a way back the newer version is avoided',
    modes: ['rollback'],
    in: returning,
    protocol: (state) => {
      const step = nextStep(state);
      return step.step === 'intent' || step.step === 'complete' ? { ...step, record: { ...step.record, avoid: [] } } : step;
    },
  },
];

const settings = { objects: [thing({})], budgetMs: 20_000 };

describe('weakened rules are found', () => {
  test.each(weakened)('$rule', async ({ protocol, modes, in: target }) => {
    const result = await exploreCatalog(target, { ...settings, modes, protocol, mostFailures: 1 });
    expect(result.failures.length, explorationText(result)).toBeGreaterThan(0);
  }, 60_000);
});

test.each([
  ['a way back', returning],
  ['none', oneWay],
])('the real protocol keeps them all, with %s', async (_what, target) => {
  const modes = [...new Set(weakened.flatMap((each) => each.modes))];
  const result = await exploreCatalog(target, { ...settings, modes, budgetMs: 40_000 });
  expect(result.failures.length, explorationText(result)).toBe(0);
  expect(result.notRun).toEqual([]);
}, 90_000);

/** `revision` tells the versions of the Action apart. */
const storing = (suffix: string, revision: number): Action<KubernetesContext<Thing>, undefined> =>
  forThings.defineAction({
    name: 'Stored',
    owns: { maps: ConfigMaps },
    revision,
    run: async ({ cluster }) => {
      await cluster.maps.apply({ metadata: { name: `only-${suffix}` }, data: { in: suffix } });
      return done(undefined);
    },
  }) as Action<KubernetesContext<Thing>, undefined>;
const later = (version: string, revision: number, rest: object) =>
  forThings.deriveProcedure(v1, { version, ...rest, replace: [forThings.replaceAction(before, storing(version, revision))] });

const irreversible = forThings.defineAction({
  name: 'OldDataDeleted',
  stage: 'finalize',
  owns: { maps: ConfigMaps },
  run: async ({ cluster }) => {
    await cluster.maps.apply({ metadata: { name: 'proof' }, data: {} });
    return done();
  },
});
const finalizing = forThings.deriveProcedure(v1, { version: '2.0.0', finalize: 'Auto', rollbackTo: '1.0.0', add: [irreversible] });
const generous = forThings.deriveProcedure(finalizing, { version: '3.0.0', rollbackTo: '>=1.0.0', remove: [irreversible] });

interface WeakenedText {
  /** As the model names it. */
  readonly rule: string;
  readonly in: ProcedurePackage;
  readonly options: ExploreOptions;
}

/** Rules that the model weakens in the text of the protocol, and that show in the controller too. */
const texts: readonly WeakenedText[] = [
  {
    rule: 'only applied versions avoided',
    in: release([v1, later('2.0.0', 2, { rollbackTo: '1.0.0' }), later('3.0.0', 3, { rollbackTo: '>=1.0.0', fromPartial: '>=1.0.0' })]),
    options: { objects: [thing({})], modes: ['rollback'] },
  },
  {
    rule: 'the greatest next step instead of a planned path',
    in: release([v1, later('2.0.0', 2, { from: '1.x' }), later('3.0.0', 3, { from: '1.x' }), later('4.0.0', 4, { from: '2.x' })]),
    options: { objects: [thing({})], modes: ['upgrade'] },
  },
  {
    rule: 'a point of no return forgotten after the next hop',
    in: release([v1, finalizing, generous]),
    options: { objects: [thing({})], modes: ['rollback'] },
  },
  { rule: 'the mirror always united with the record', in: returning, options: { objects: [thing({})], modes: ['upgrade'] } },
  {
    rule: 'a child that does not wait for its parent to release it',
    in: followingDaemons.repaired,
    options: { ...followingDaemons.options, modes: followingDaemons.modes },
  },
];

describe('rules that the model weakens', () => {
  const shop = workshop();
  afterAll(shop.remove);

  test.each(texts)('$rule', async ({ rule, in: target, options }) => {
    const patches = WEAKENED.find(({ name }) => name === rule)?.patches;
    if (patches === undefined) throw new Error('the model has no such text');
    const protocol = await weakenedProtocol(shop.folder, String(texts.findIndex((each) => each.rule === rule)), patches);
    const result = await exploreCatalog(target, { ...options, protocol, budgetMs: 40_000, mostFailures: 1 });
    expect(result.failures.length, explorationText(result)).toBeGreaterThan(0);
    const real = await exploreCatalog(target, { ...options, budgetMs: 40_000 });
    expect(real.failures.length, explorationText(real)).toBe(0);
    expect(real.notRun).toEqual([]);
  }, 120_000);
});
