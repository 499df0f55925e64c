// Disturbances in the middle of work: watches that break during an upgrade, children that are deleted while they are applied.
import { afterEach, expect, test } from 'vitest';
import { FaultWorld } from '../testing/fault-world.ts';
import { createPages, expectCalm, textsOf } from '../testing/page-fleet.ts';
import { page, Pages, release, v1, v2 } from '../testing/pages.ts';

const MINUTE_MS = 60_000;
let world: FaultWorld;
afterEach(() => world.close());

test('watches that break every moment of an upgrade change nothing of it', async () => {
  world = new FaultWorld();
  await world.install(release(v1));
  const old = await world.operator([release(v1)]);
  const names = await createPages(world, 10);
  await world.until('all are at 1.0.0', async () => (await world.countAt('1.0.0')) === names.length);
  await world.stop(old);
  world.tally.reset();
  const { network } = await world.operator([release(v1, v2)], { maxOpenPercent: 100 });
  let dropped = 0;
  network.setFaults(({ method }) => {
    if (method !== 'GET') dropped += network.dropWatches();
    return undefined;
  });
  await world.until('all are at 2.0.0', async () => (await world.countAt('2.0.0')) === names.length, 30 * MINUTE_MS);
  network.setFaults(undefined);
  expect(dropped).toBeGreaterThan(5);
  const counts = (map: ReadonlyMap<string, number>): object => Object.fromEntries(map);
  const once = (suffix: string): object => Object.fromEntries(names.map((name) => [`configmaps default/${name}-${suffix}`, 1]));
  expect([counts(world.tally.created), counts(world.tally.deleted)]).toEqual([once('text'), once('content')]);
  await world.run(MINUTE_MS);
  await expectCalm(world);
});

const CHILDREN = [
  { apiVersion: 'v1', kind: 'ConfigMap', name: 'front-content' },
  { apiVersion: 'v1', kind: 'ConfigMap', name: 'front-text' },
  { apiVersion: 'apps/v1', kind: 'Deployment', name: 'front' },
];
const moments = Array.from({ length: 14 }, (_, index) => index + 1);

test.each(moments)('all children are deleted right before write %i of an install and upgrade, which ends well', async (at) => {
  world = new FaultWorld();
  await world.install(release(v1));
  const { network } = await world.operator([release(v1, v2)]);
  let writes = 0;
  let struck = false;
  network.setFaults(({ method, path, headers }) => {
    if (method === 'GET' || path.includes('dryRun') || headers?.['user-agent']?.startsWith('pawl/') !== true) return undefined;
    if ((writes += 1) !== at) return undefined;
    struck = true;
    for (const { name, ...type } of CHILDREN) void world.client.remove(type, { name, namespace: 'default' }, { propagation: 'Background' }).catch(() => {});
    return { lateBy: 10 };
  });
  await world.client.create(Pages, page('front'));
  await world.until('front is at 2.0.0', world.isAt('2.0.0'));
  await world.run(MINUTE_MS);
  // An install needs fewer writes than there are moments: then nothing happened, which is right as well.
  expect(struck).toBe(writes >= at);
  expect(await world.isAt('2.0.0')()).toBe(true);
  expect((await textsOf(world)).get('front-text')).toBe('hello');
  expect(Math.max(...world.tally.created.values())).toBeLessThanOrEqual(2);
  world.tally.reset();
  await expectCalm(world, 10 * MINUTE_MS);
});
