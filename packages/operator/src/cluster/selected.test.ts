// An operator that is for some objects of its kind only.
import { afterEach, expect, test } from 'vitest';
import { ConfigError } from '../config.ts';
import { FaultWorld } from '../testing/fault-world.ts';
import { contentStored, forPages, page, Pages, release } from '../testing/pages.ts';
import { done } from '@pawl/reconciler';

const MINUTE_MS = 60_000;
let world: FaultWorld;
afterEach(() => world.close());

const packages = [release(forPages.defineProcedure({ version: '1.0.0', actions: [contentStored] }))];
const pageOf = (name: string, labels: object): Readonly<Record<string, unknown>> => ({ ...page(name), metadata: { name, namespace: 'default', labels } });
const isTouched = async (name: string): Promise<boolean> =>
  (await world.client.get(Pages, { name, namespace: 'default' })).metadata.finalizers !== undefined;

test.each([
  [{ labelSelector: 'shard in (a, b),!off' }, { front: true, back: false, off: false }],
  [{ fieldSelector: 'metadata.name!=front' }, { front: false, back: true, off: true }],
])('with %j it acts on what that selects, and on nothing else', async (config, expected) => {
  world = new FaultWorld();
  await world.install(...packages);
  await world.operator(packages, config);
  await world.client.create(Pages, pageOf('front', { shard: 'a' }));
  await world.client.create(Pages, pageOf('back', { shard: 'c' }));
  await world.client.create(Pages, pageOf('off', { shard: 'b', off: 'yes' }));
  await world.run(MINUTE_MS);
  expect({ front: await isTouched('front'), back: await isTouched('back'), off: await isTouched('off') }).toEqual(expected);
});

test('an object that gets the label is taken up, and one that loses it is let be', async () => {
  world = new FaultWorld();
  await world.install(...packages);
  await world.operator(packages, { labelSelector: 'shard=a' });
  await world.client.create(Pages, pageOf('front', { shard: 'c' }));
  const label = (shard: string): Promise<unknown> =>
    world.client.mergePatch(Pages, { name: 'front', namespace: 'default' }, { metadata: { labels: { shard } } });
  await world.run(MINUTE_MS);
  await label('a');
  await world.until('the page is at 1.0.0', world.isAt('1.0.0'), MINUTE_MS);
  await label('c');
  world.tally.reset();
  await world.edit('front', { text: 'changed' });
  await world.run(20 * MINUTE_MS);
  expect(world.tally.lines()).toEqual([]);
});

test('a selector is refused for a kind of which Actions need all objects', async () => {
  world = new FaultWorld();
  const looks = forPages.defineAction({ name: 'Looks', reads: { pages: Pages }, run: () => done() });
  const nosy = [release(forPages.defineProcedure({ version: '1.0.0', actions: [looks] }))];
  await expect(world.operator(nosy, { labelSelector: 'shard=a' })).rejects.toThrow(
    new ConfigError(['labelSelector: found "shard=a", but Actions look at objects of kind Page themselves and need all of them; allowed is nothing']),
  );
});
