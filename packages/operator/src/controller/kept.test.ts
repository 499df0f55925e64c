// An owned object that a person wants to keep outlives its owner, although the server deletes what refers to an owner that is gone.
import { afterEach, expect, test } from 'vitest';
import { done } from '@pawl/reconciler';
import { ownerHashOf, type KubernetesObject } from '@pawl/reconciler/kubernetes';
import { crashingTransport, type CrashPlan } from '../testing/crashing-transport.ts';
import { PageLab } from '../testing/page-lab.ts';
import { forPages, Pages, release, v1 } from '../testing/pages.ts';

const CONFIG_MAP = { apiVersion: 'v1', kind: 'ConfigMap' };
const FRONT = { name: 'front', namespace: 'default' };
const CONTENT = { name: 'front-content', namespace: 'default' };

let lab: PageLab;
afterEach(() => lab.close());

const keep = (value: 'true' | null): Promise<unknown> =>
  lab.world.client.mergePatch(CONFIG_MAP, CONTENT, { metadata: { annotations: { 'procedures.pawl.dev/keep': value } } });
const content = (): Promise<KubernetesObject | undefined> => lab.world.client.find(CONFIG_MAP, CONTENT);
const owners = async (): Promise<readonly string[] | undefined> => (await content())?.metadata.ownerReferences?.map(({ kind }) => kind);
const isGone = async (): Promise<boolean> => (await lab.page()) === undefined;
const remove = (propagation: 'Background' | 'Foreground' = 'Background'): Promise<unknown> =>
  lab.world.client.remove(Pages, FRONT, { propagation });

test('it loses its owner reference as soon as it is marked, by one write, and gets it back with the mark taken off', async () => {
  lab = await PageLab.at('1.0.0', release(v1));
  expect(await owners()).toEqual(['Page']);
  const mark = lab.world.mark;
  await keep('true');
  await lab.world.run(30_000);
  expect(await owners()).toBeUndefined();
  expect(lab.childWrites(mark)).toEqual(['patch configmaps front-content']);
  expect(await lab.isAt('1.0.0')).toBe(true);
  await keep(null);
  await lab.world.run(30_000);
  expect(await owners()).toEqual(['Page']);
  expect(lab.childWrites(mark)).toHaveLength(2);
});

test.each(['Background', 'Foreground'] as const)('it stays when its owner is deleted in the %s, and all else goes', async (propagation) => {
  lab = await PageLab.at('1.0.0', release(v1));
  await keep('true');
  await lab.world.run(2_000);
  await remove(propagation);
  await lab.world.until('the page is gone', isGone);
  await lab.world.run(60_000);
  expect(await lab.stamps()).toEqual(['ConfigMap front-content 1.0.0']);
});

/** Marked, and its owner deleted, while no operator runs; then one that may be killed, and its successor. */
async function tornDown(plan?: CrashPlan): Promise<{ readonly writes: readonly string[]; readonly count: number; readonly left: readonly string[] }> {
  lab = await PageLab.at('1.0.0', release(v1));
  await lab.stop();
  await keep('true');
  await remove();
  const mark = lab.world.mark;
  const transport = crashingTransport(lab.world.api, plan);
  const first = await lab.world.operator([release(v1)], {}, transport);
  await lab.world.until('it is killed or done', async () => transport.isDead() || (await isGone()));
  if (transport.isDead()) {
    await lab.world.run(1_000);
    await lab.start([release(v1)]);
    await lab.world.until(`the page is gone after ${JSON.stringify(plan)}`, isGone);
  } else await lab.world.stop(first);
  await lab.world.run(60_000);
  const writes = lab.world.writes(mark).filter((write) => !write.includes('/status') && !write.includes('events'));
  return { writes, count: transport.writes(), left: await lab.stamps() };
}

test('its owner reference is gone before the finalizer of its owner is', async () => {
  const { writes, left } = await tornDown();
  expect(writes).toEqual(['patch configmaps front-content', 'delete deployments.apps front', 'patch pages.test.pawl.dev front']);
  expect(left).toEqual(['ConfigMap front-content 1.0.0']);
});

test('it stays wherever the process that takes its owner down is killed', async () => {
  const { count } = await tornDown();
  expect(count).toBeGreaterThan(3);
  for (let atWrite = 1; atWrite <= count; atWrite += 1)
    for (const moment of ['before', 'after'] as const) {
      await lab.world.abandon();
      const { left } = await tornDown({ atWrite, moment });
      expect({ atWrite, moment, left }).toEqual({ atWrite, moment, left: ['ConfigMap front-content 1.0.0'] });
    }
}, 60_000);

test('it stays also when a person lets its owner go without a teardown', async () => {
  const detached = forPages.defineAction({ name: 'Detached', run: () => done() });
  const own = forPages.deriveProcedure(v1, { version: '2.0.0', teardown: [detached] });
  lab = await PageLab.at('2.0.0', release(v1, own));
  await lab.start([release(v1)]);
  await keep('true');
  await remove();
  await lab.world.run(10_000);
  expect(await isGone()).toBe(false);
  await lab.request('force-delete', 'abandon');
  await lab.world.until('the page is gone', isGone);
  await lab.world.run(60_000);
  expect(await lab.stamps()).toEqual(['ConfigMap front-content 2.0.0']);
  expect((await content())?.metadata.labels?.['procedures.pawl.dev/owner']).toBe(ownerHashOf({ ...Pages, metadata: FRONT }));
});
