// A release that would strand objects, next to one that drives them: it does not become ready, and harms nothing.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { partsOf } from '../controller/custom-object.ts';
import { page, Pages, release, v1, v2 } from '../testing/pages.ts';
import { World } from '../testing/world.ts';

let world: World;
beforeEach(async () => {
  world = new World();
  await world.install(release(v1));
});
afterEach(() => world.close());

const LEASE = { leaseNamespace: 'default' };
const procedureOf = async (name: string): Promise<{ readonly version?: string; readonly phase?: string }> => {
  const found = await world.get(Pages.apiVersion, Pages.kind, name, 'default');
  return found === undefined ? {} : (partsOf(found).status['procedure'] ?? {});
};
const isAt = (name: string, version: string) => async (): Promise<boolean> => {
  const { version: is, phase } = await procedureOf(name);
  return is === version && phase === 'Steady';
};
const held = () => world.logged.filter(({ message }) => message === 'this release is held back');

test('an older release is held back next to the newer one, and takes over when the objects have gone back', async () => {
  const newer = await world.operator([release(v1, v2)], { ...LEASE, podName: 'new' });
  await world.client.create(Pages, page('front'));
  await world.until('front is at 2.0.0', isAt('front', '2.0.0'));

  const older = await world.operator([release(v1)], { ...LEASE, podName: 'old' });
  await world.run(120_000);
  expect(older.isReady).toBe(false);
  expect(held()).toHaveLength(1);
  expect(held()[0]?.bindings['text']).toMatch(/^RolloutHeld: 1 object that is fine now would stand still .*; Page default\/front \(RollbackNotRequested\)/);

  const annotations = { 'procedures.pawl.dev/rollback': '1.0.0' };
  await world.client.mergePatch(Pages, { name: 'front', namespace: 'default' }, { metadata: { annotations } });
  await world.until('front is at 1.0.0', isAt('front', '1.0.0'));
  await world.until('the older release is ready', () => older.isReady, 60_000);
  await world.stop(newer);
  await world.client.create(Pages, page('back'));
  await world.until('the older release leads', isAt('back', '1.0.0'));
  expect(await procedureOf('front')).toMatchObject({ version: '1.0.0', phase: 'Steady' });
});

/** `kind name reason count` of what Events say of a release that is held back. */
async function told(namespace: string): Promise<readonly string[]> {
  const { items } = await world.client.list({ apiVersion: 'events.k8s.io/v1', kind: 'Event' }, { namespace });
  const events = items as unknown as readonly { reason: string; type: string; note: string; regarding: { kind: string; name: string; uid?: string } }[];
  return events
    .filter(({ reason }) => reason === 'RolloutHeld')
    .map(({ type, note, regarding: { kind, name, uid } }) => `${type} ${kind} ${name} ${uid}: ${note}`);
}

test('it is told by one Event about its pod, though it does not lead', async () => {
  await world.operator([release(v1, v2)], { ...LEASE, podName: 'new' });
  await world.client.create(Pages, page('front'));
  await world.until('front is at 2.0.0', isAt('front', '2.0.0'));
  await world.client.create({ apiVersion: 'v1', kind: 'Namespace' }, { metadata: { name: 'ops' } });
  const older = await world.operator([release(v1)], { ...LEASE, podName: 'old', podNamespace: 'ops', podUid: 'pod-uid' });
  await world.run(300_000);
  expect(await told('ops')).toEqual([
    expect.stringMatching(/^Warning Pod old pod-uid: 1 object that is fine now would stand still under this release; Page default\/front \(RollbackNotRequested\)/),
  ]);
  await world.stop(older);
});

test('where its pod is not known, the Event is about the first object that would be stranded', async () => {
  await world.operator([release(v1, v2)], { ...LEASE, podName: 'new' });
  for (const name of ['front', 'back']) await world.client.create(Pages, page(name));
  for (const name of ['front', 'back']) await world.until(`${name} is at 2.0.0`, isAt(name, '2.0.0'));
  await world.operator([release(v1)], { ...LEASE, podName: 'old' });
  await world.run(5_000);
  const { uid } = (await world.client.get(Pages, { name: 'back', namespace: 'default' })).metadata;
  expect(await told('default')).toEqual([expect.stringContaining(`Warning Page back ${uid}: 2 objects that are fine now`)]);
});

test('a release that is held back does not lead when the leader is gone: nothing is reported as blocked', async () => {
  const newer = await world.operator([release(v1, v2)], { ...LEASE, podName: 'new' });
  await world.client.create(Pages, page('front'));
  await world.until('front is at 2.0.0', isAt('front', '2.0.0'));
  await world.operator([release(v1)], { ...LEASE, podName: 'old' });
  await world.stop(newer);
  const mark = world.mark;
  await world.run(300_000);
  expect(world.writes(mark)).toEqual([]);
  expect(await procedureOf('front')).toMatchObject({ version: '2.0.0', phase: 'Steady' });
});

test('a release that knows all versions is ready at once, and so is one that may strand objects', async () => {
  const newer = await world.operator([release(v1, v2)], { ...LEASE, podName: 'new' });
  await world.client.create(Pages, page('front'));
  await world.until('front is at 2.0.0', isAt('front', '2.0.0'));
  const same = await world.operator([release(v1, v2)], { ...LEASE, podName: 'same' });
  const careless = await world.operator([release(v1)], { ...LEASE, podName: 'old', onStranded: 'warn' });
  expect([newer.isReady, same.isReady, careless.isReady]).toEqual([true, true, true]);
});

test('objects that stand still already hold nothing back', async () => {
  const newer = await world.operator([release(v1, v2)]);
  await world.client.create(Pages, page('front'));
  await world.until('front is at 2.0.0', isAt('front', '2.0.0'));
  await world.stop(newer);
  const careless = await world.operator([release(v1)]);
  await world.until('front is blocked', async () => (await procedureOf('front')).phase === 'Blocked');
  await world.stop(careless);
  const again = await world.operator([release(v1)]);
  expect(again.isReady).toBe(true);
});

test('without replicas an operator acts for the objects that it can act for, but is not ready', async () => {
  const newer = await world.operator([release(v1, v2)]);
  await world.client.create(Pages, page('front'));
  await world.until('front is at 2.0.0', isAt('front', '2.0.0'));
  await world.stop(newer);
  const older = await world.operator([release(v1)]);
  await world.client.create(Pages, page('back'));
  await world.until('back is at 1.0.0', isAt('back', '1.0.0'));
  await world.run(60_000);
  expect(held()).toHaveLength(1);
  expect(older.isReady).toBe(false);
});
