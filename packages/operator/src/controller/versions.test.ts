// What a user does and sees between versions: paths, approvals, pins, pauses, requests, points of no return.
import { afterEach, expect, test } from 'vitest';
import { done, pending, TerminalError } from '@pawl/reconciler';
import { ConfigMaps } from '@pawl/reconciler/kubernetes';
import { PageLab } from '../testing/page-lab.ts';
import { forPages, release, v1, v2 } from '../testing/pages.ts';

const v3 = forPages.deriveProcedure(v2, { version: '3.0.0', rollbackTo: '>=2.0.0' });
const all = release(v1, v2, v3);
const DAY_MS = 24 * 60 * 60 * 1000;

let lab: PageLab;
afterEach(() => lab.close());

/** A page at 1.0.0, under an operator that knows only that; then the release. */
async function upgradedTo(...packages: readonly (typeof all)[]): Promise<void> {
  lab = await PageLab.at('1.0.0', release(v1));
  await lab.start(packages);
}

/** A page at 1.0.0 with settings that hold it there; then the release. */
async function heldAtOne(procedure: object, ...packages: readonly (typeof all)[]): Promise<void> {
  lab = await PageLab.at('1.0.0', release(v1));
  await lab.stop();
  await lab.patch({ spec: { procedure } });
  await lab.start(packages);
}

test('an upgrade over several versions says its path, and each of them is completed on the way', async () => {
  let isOpen = false;
  const gate = forPages.defineAction({ name: 'Gate', run: () => (isOpen ? done() : pending('Waiting', 'not yet', { requeueAfterMs: 500 })) });
  const two = forPages.deriveProcedure(v1, { version: '2.0.0', add: [gate] });
  const three = forPages.deriveProcedure(two, { version: '3.0.0' });
  await upgradedTo(release(v1, two, three));
  const paths = new Set<string>();
  const reached = new Set<string>();
  await lab.world.until('front is at 3.0.0', async () => {
    const { procedure } = await lab.status();
    if (procedure?.path !== undefined) paths.add(procedure.path.join(' '));
    if (procedure?.version !== undefined) reached.add(procedure.version);
    isOpen = !isOpen;
    return lab.isAt('3.0.0');
  });
  expect([...paths]).toEqual(['2.0.0 3.0.0', '3.0.0']);
  expect([...reached]).toEqual(['1.0.0', '2.0.0', '3.0.0']);
  const { history = [] } = (await lab.status()).procedure ?? {};
  expect(history.map(({ from, version, result }) => `${String(from)} ${String(version)} ${String(result)}`).toSorted()).toEqual([
    '1.0.0 2.0.0 Completed',
    '2.0.0 3.0.0 Completed',
    'undefined 1.0.0 Completed',
  ]);
});

test('with policy Manual each hop waits for its own approval, which is used up by it', async () => {
  await heldAtOne({ policy: 'Manual' }, all);
  await lab.says('UpgradeBlocked', 'ApprovalRequired');
  expect((await lab.condition('UpgradeAvailable'))?.message).toContain('2.0.0');
  const mark = lab.world.mark;
  await lab.world.run(10_000);
  expect(lab.world.writes(mark)).toEqual([]);
  await lab.request('approve', '3.0.0');
  await lab.world.run(5_000);
  expect(await lab.isAt('1.0.0')).toBe(true);
  await lab.request('approve', '2.0.0');
  await lab.reaches('2.0.0');
  expect((await lab.page())?.metadata.annotations?.['procedures.pawl.dev/approve']).toBeUndefined();
  await lab.world.run(10_000);
  expect(await lab.isAt('2.0.0')).toBe(true);
  await lab.request('approve', '3.0.0');
  await lab.reaches('3.0.0');
});

test('a pin is a ceiling, and what is held back is said', async () => {
  await heldAtOne({ version: '2.0.0' }, all);
  await lab.reaches('2.0.0');
  await lab.says('UpgradeBlocked', 'HeldBack');
  await lab.patch({ spec: { procedure: { version: '7.0.0' } } });
  await lab.says('UpgradeBlocked', 'PinnedVersionUnknown');
  expect((await lab.status()).procedure?.version).toBe('2.0.0');
  await lab.patch({ spec: { procedure: { version: '1.0.0' } } });
  await lab.says('UpgradeBlocked', 'RollbackNotRequested');
  expect((await lab.status()).procedure?.version).toBe('2.0.0');
  await lab.patch({ spec: { procedure: null } });
  await lab.reaches('3.0.0');
  expect(await lab.condition('UpgradeBlocked')).toBeUndefined();
});

test('a version with preconditions waits until they are True, and writes nothing before', async () => {
  let isLicensed = false;
  const licensed = forPages.defineAction({ name: 'Licensed', run: () => (isLicensed ? done() : pending('NoLicence', 'none was found')) });
  await upgradedTo(release(v1, forPages.deriveProcedure(v2, { version: '2.0.0', minVersion: '1.0.0', preconditions: [licensed] })));
  await lab.says('UpgradeBlocked', 'PreconditionNotMet');
  const mark = lab.world.mark;
  await lab.world.run(20_000);
  expect(lab.childWrites(mark)).toEqual([]);
  expect(await lab.isAt('1.0.0')).toBe(true);
  isLicensed = true;
  await lab.reaches('2.0.0');
});

test('a paused object is only looked at, also half way, and goes on where it was', async () => {
  let isReady = false;
  const waiting = forPages.defineAction({ name: 'Waiting', run: () => (isReady ? done() : pending('Waiting', 'not yet')) });
  await upgradedTo(release(v1, forPages.deriveProcedure(v2, { version: '2.1.0', minVersion: '1.0.0', add: [waiting] })));
  await lab.world.until('it is half way', async () => (await lab.status()).actions?.some(({ name }) => name === 'Waiting') === true);
  await lab.patch({ spec: { procedure: { paused: true } } });
  await lab.world.until('it is paused', async () => (await lab.status()).procedure?.phase === 'Paused');
  isReady = true;
  await lab.patch({ spec: { text: 'changed' } });
  const mark = lab.world.mark;
  await lab.world.run(10_000);
  expect(lab.childWrites(mark)).toEqual([]);
  expect((await lab.record())?.target).toBe('2.1.0');
  await lab.patch({ spec: { procedure: null } });
  await lab.reaches('2.1.0');
});

test('after a rollback the object stays where it is until a person lets it climb', async () => {
  lab = await PageLab.at('2.0.0', release(v1, v2));
  await lab.request('rollback', '1.0.0');
  await lab.reaches('1.0.0');
  await lab.says('UpgradeBlocked', 'HeldBack');
  await lab.start([release(v1, v2)]);
  await lab.world.run(10_000);
  expect(await lab.isAt('1.0.0')).toBe(true);
  expect((await lab.status()).procedure?.history?.at(-1)).toMatchObject({ version: '1.0.0', from: '2.0.0', result: 'Completed' });
  await lab.request('retry', 'now');
  await lab.reaches('2.0.0');
  expect((await lab.page())?.metadata.annotations?.['procedures.pawl.dev/retry']).toBeUndefined();
});

test('a release that the rollback did not know is not held back', async () => {
  lab = await PageLab.at('2.0.0', release(v1, v2));
  await lab.request('rollback', '1.0.0');
  await lab.reaches('1.0.0');
  const v201 = forPages.deriveProcedure(v2, { version: '2.0.1', minVersion: '1.0.0', rollbackTo: '>=1.0.0' });
  await lab.start([release(v1, v2, v201)]);
  await lab.reaches('2.0.1');
});

test('a rollback goes on although its request disappears half way', async () => {
  let isReady = true;
  const gate = forPages.defineAction({ name: 'Gate', run: () => (isReady ? done() : pending('Waiting', 'not yet')) });
  const one = forPages.deriveProcedure(v1, { version: '1.1.0', minVersion: '1.0.0', add: [gate] });
  const two = forPages.deriveProcedure(one, { version: '2.0.0', rollbackTo: '>=1.0.0', remove: [gate] });
  lab = await PageLab.at('2.0.0', release(one, two));
  isReady = false;
  await lab.request('rollback', '1.1.0');
  await lab.world.until('it is half way', async () => (await lab.record())?.target === '1.1.0');
  await lab.request('rollback', null);
  await lab.request('approve', null);
  await lab.world.run(10_000);
  expect((await lab.status()).procedure).toMatchObject({ phase: 'RollingBack', target: '1.1.0' });
  isReady = true;
  await lab.patch({ spec: { text: 'changed' } });
  await lab.reaches('1.1.0');
});

test('a request that is refused or cannot be read is said, and repair goes on', async () => {
  const final = forPages.deriveProcedure(v1, { version: '2.0.0' });
  lab = await PageLab.at('2.0.0', release(v1, final));
  await lab.request('rollback', '1.0.0');
  await lab.says('UpgradeBlocked', 'RollbackNotPermitted');
  await lab.patch({ spec: { text: 'repaired' } });
  const text = async (): Promise<unknown> => ((await lab.configMaps())[0] as { data?: { text?: string } } | undefined)?.data?.text;
  await lab.world.until('the text is there', async () => (await text()) === 'repaired');
  await lab.request('rollback', 'the last one');
  await lab.says('UpgradeBlocked', 'RequestNotUnderstood');
  expect((await lab.condition('UpgradeBlocked'))?.message).toContain('the last one');
  await lab.patch({ spec: { text: 'again' } });
  await lab.world.until('the text is there', async () => (await text()) === 'again');
  await lab.request('rollback', null);
  await lab.reaches('2.0.0');
});

test('a terminal error is not tried again by itself; retry has it tried at once and is used up', async () => {
  let attempts = 0;
  let isMended = false;
  const checked = forPages.defineAction({
    name: 'Checked',
    run: () => {
      attempts += 1;
      if (!isMended) throw new TerminalError('the account is closed');
      return done();
    },
  });
  lab = await PageLab.at('1.0.0', release(v1));
  await lab.start([release(v1, forPages.deriveProcedure(v1, { version: '2.0.0', add: [checked] }))]);
  await lab.world.until('it is stalled', async () => (await lab.condition('Stalled'))?.status === 'True');
  await lab.world.run(2_000);
  const before = attempts;
  isMended = true;
  await lab.world.run(60_000);
  expect(attempts).toBe(before);
  await lab.request('retry', 'now');
  await lab.reaches('2.0.0');
  expect((await lab.page())?.metadata.annotations?.['procedures.pawl.dev/retry']).toBeUndefined();
});

const isDeleted = async (): Promise<boolean> =>
  (await lab.configMaps()).some(({ metadata }) => metadata.name === 'proof-of-deletion');

/** 2.0.0 cleans up for good once it has soaked. */
function soaking(): typeof v2 {
  const cleaned = forPages.defineAction({
    name: 'OldDataDeleted',
    stage: 'finalize',
    owns: { configs: ConfigMaps },
    run: async ({ cluster }) => {
      await cluster.configs.apply({ metadata: { name: 'proof-of-deletion' } });
      return done();
    },
  });
  return forPages.deriveProcedure(v2, { version: '2.0.0', minVersion: '1.0.0', rollbackTo: '>=1.0.0', add: [cleaned] });
}

test('what cannot be undone waits a day, in which the way back is open', async () => {
  await upgradedTo(release(v1, soaking()));
  await lab.world.until('it soaks', async () => (await lab.status()).procedure?.phase === 'Soaking');
  await lab.world.run(60_000);
  expect(await isDeleted()).toBe(false);
  await lab.request('rollback', '1.0.0');
  await lab.reaches('1.0.0');
  expect(await isDeleted()).toBe(false);
});

test('behind the point of no return there is no way back, whatever a later version permits', async () => {
  const two = soaking();
  await upgradedTo(release(v1, two));
  await lab.world.until('it soaks', async () => (await lab.status()).procedure?.phase === 'Soaking');
  lab.world.fake.advance(DAY_MS);
  await lab.reaches('2.0.0');
  expect(await isDeleted()).toBe(true);
  expect(await lab.record()).toMatchObject({ floor: '2.0.0', applied: [{ finalized: true, rollbackTo: 'none' }] });
  expect(await lab.events('Page')).toContainEqual(expect.stringContaining('FinalizeStarted'));
  const generous = forPages.deriveProcedure(v2, { version: '3.0.0', minVersion: '2.0.0', rollbackTo: '>=1.0.0' });
  await lab.start([release(v1, two, generous)]);
  await lab.reaches('3.0.0');
  const mark = lab.world.mark;
  await lab.request('rollback', '1.0.0');
  await lab.says('UpgradeBlocked', 'RollbackNotPermitted');
  await lab.world.run(5_000);
  expect(lab.childWrites(mark)).toEqual([]);
  expect((await lab.condition('UpgradeBlocked'))?.message).toContain('behind which there is no way back');
  expect((await lab.record())?.floor).toBe('2.0.0');
});

test('a person may end the soak early', async () => {
  await upgradedTo(release(v1, soaking()));
  await lab.world.until('it soaks', async () => (await lab.status()).procedure?.phase === 'Soaking');
  await lab.request('approve', '2.0.0');
  await lab.reaches('2.0.0');
  expect(await isDeleted()).toBe(true);
});

test('a version that can never be finished is superseded by the release that repairs it', async () => {
  const broken = forPages.defineAction({
    name: 'Broken',
    run: () => {
      throw new Error('this never works');
    },
  });
  const bad = forPages.deriveProcedure(v1, { version: '2.0.0', add: [broken] });
  const good = forPages.deriveProcedure(v1, { version: '2.0.1', fromPartial: '2.0.0' });
  await upgradedTo(release(v1, bad));
  await lab.world.until('it is half way', async () => (await lab.status()).procedure?.summary?.includes('this never works') === true);
  await lab.start([release(v1, bad, good)]);
  await lab.reaches('2.0.1');
  const { history = [] } = (await lab.status()).procedure ?? {};
  expect(history.map(({ version, result }) => `${String(version)} ${String(result)}`)).toContain('2.0.0 Superseded');
});

test('an object that no version accepts names what would help; a person who takes the risk is recorded', async () => {
  const far = forPages.deriveProcedure(v2, { version: '3.0.0', from: '>=2.0.0' });
  await upgradedTo(release(far));
  await lab.says('UpgradeBlocked', 'Stranded');
  expect((await lab.condition('UpgradeBlocked'))?.message).toContain('procedures.pawl.dev/adopt=3.0.0');
  await lab.request('adopt', '3.0.0');
  await lab.reaches('3.0.0');
  const { history = [] } = (await lab.status()).procedure ?? {};
  expect(history.at(-1)).toMatchObject({ version: '3.0.0', from: '1.0.0', acceptedRisks: ['1.0.0'] });
});
