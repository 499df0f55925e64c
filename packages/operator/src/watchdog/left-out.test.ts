// Objects that blocked the process, in a whole operator: left out from the second time on, tried again after an hour.
import { ANNOTATIONS } from '@pawl/reconciler/kubernetes';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { partsOf } from '../controller/custom-object.ts';
import { page, Pages, release, v1 } from '../testing/pages.ts';
import { World } from '../testing/world.ts';
import { markOf } from './quarantine.ts';

let world: World;
beforeEach(async () => {
  world = new World();
  await world.install(release(v1));
});
afterEach(() => world.close());

const object = async (name: string) => world.client.get(Pages, { name, namespace: 'default' });
const isSteady = (name: string) => async (): Promise<boolean> => {
  const { phase } = (partsOf(await object(name)).status['procedure'] ?? {}) as { readonly phase?: string };
  return phase === 'Steady';
};
/** A page that has blocked the process so many times, the last time now. */
const poisoned = (times: number): Readonly<Record<string, unknown>> => {
  const mark = { action: 'Served', times, at: new Date(world.clock.now()).toISOString(), generation: 1, release: 'test' };
  return { ...page('bad'), metadata: { name: 'bad', namespace: 'default', annotations: { [ANNOTATIONS.blocked]: JSON.stringify(mark) } } };
};
const childrenOf = async (name: string): Promise<number> =>
  (await world.client.list({ apiVersion: 'apps/v1', kind: 'Deployment' }, { namespace: 'default' })).items.filter(({ metadata }) => metadata.name === name).length;

test('once is forgiven, and forgotten when the object has come to rest', async () => {
  await world.client.create(Pages, poisoned(1));
  await world.operator([release(v1)]);
  await world.until('bad is steady', isSteady('bad'));
  await world.until('the mark is gone', async () => markOf(await object('bad')) === undefined);
});

test('the second time it is left out while others go on, and says so once', async () => {
  await world.client.create(Pages, poisoned(2));
  await world.client.create(Pages, page('good'));
  await world.operator([release(v1)]);
  await world.until('good is steady', isSteady('good'));
  expect(await childrenOf('bad')).toBe(0);
  const { conditions, procedure } = partsOf(await object('bad')).status;
  expect(procedure).toMatchObject({ phase: 'Stalled', summary: expect.stringMatching(/^Action Served of Page default\/bad has blocked/) as string });
  expect(conditions).toContainEqual(expect.objectContaining({ type: 'Stalled', status: 'True', reason: 'Quarantined' }));
  const mark = world.mark;
  await world.run(1_200_000);
  expect(world.writes(mark)).toEqual([]);
});

test('after an hour it is tried again, and forgotten if it does not block', async () => {
  await world.client.create(Pages, poisoned(2));
  await world.operator([release(v1)], { resyncMs: 86_400_000 });
  await world.run(3_500_000);
  expect(await childrenOf('bad')).toBe(0);
  await world.until('bad is steady', isSteady('bad'), 300_000);
  await world.until('the mark is gone', async () => markOf(await object('bad')) === undefined);
});

test('another spec, another release, or a person who asks for it ends it at once', async () => {
  await world.client.create(Pages, poisoned(2));
  await world.operator([release(v1)]);
  await world.run(5_000);
  expect(await childrenOf('bad')).toBe(0);
  await world.client.mergePatch(Pages, { name: 'bad', namespace: 'default' }, { metadata: { annotations: { 'procedures.pawl.dev/retry': 'now' } } });
  await world.until('bad is steady', isSteady('bad'));
});
