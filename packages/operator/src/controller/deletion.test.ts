// Deletion: in reverse order, by the version that may, and the object goes last.
import { afterEach, expect, test } from 'vitest';
import { done, pending } from '@pawl/reconciler';
import { ConfigMaps, ownerHashOf, PersistentVolumeClaims, type KubernetesObject } from '@pawl/reconciler/kubernetes';
import { PageLab } from '../testing/page-lab.ts';
import { forPages, page, Pages, release, served, v1, v2 } from '../testing/pages.ts';

const configMaps = { apiVersion: 'v1', kind: 'ConfigMap' };
const front = { name: 'front', namespace: 'default' };

let lab: PageLab;
afterEach(() => lab.close());

const isGone = async (): Promise<boolean> => (await lab.page()) === undefined;
const remove = (): Promise<unknown> => lab.world.client.remove(Pages, front);

/** Takes the page down in two steps: the address is released first, then the backup is made of what is still there. */
function withTeardown(log: string[], isBackedUp: () => boolean): typeof v1 {
  const addressReleased = forPages.defineAction({
    name: 'AddressReleased',
    run: () => {
      log.push('AddressReleased');
      return done('203.0.113.7');
    },
  });
  const backedUp = forPages.defineAction({
    name: 'BackedUp',
    requires: { address: addressReleased },
    reads: { configs: ConfigMaps },
    run: async ({ object, cluster }, { address }) => {
      const stored = await cluster.configs.get({ name: `${object.metadata.name}-content` });
      log.push(`BackedUp ${address} ${stored?.data?.['text'] ?? 'nothing'}`);
      return isBackedUp() ? done() : pending('Uploading', 'the backup is being uploaded', { requeueAfterMs: 1_000 });
    },
  });
  return forPages.defineProcedure({ version: '1.0.0', actions: [served], teardown: [backedUp] });
}

test('the teardown graph is True, with its values, before any owned object goes; then the last ones go first', async () => {
  const log: string[] = [];
  let isBackedUp = false;
  lab = await PageLab.at('1.0.0', release(withTeardown(log, () => isBackedUp)));
  await remove();
  await lab.world.run(5_000);
  expect(log.slice(0, 2)).toEqual(['AddressReleased', 'BackedUp 203.0.113.7 hello']);
  expect(await lab.stamps()).toEqual(['ConfigMap front-content 1.0.0', 'Deployment front 1.0.0']);
  expect((await lab.status()).procedure).toMatchObject({ phase: 'Deleting' });
  const mark = lab.world.mark;
  isBackedUp = true;
  await lab.world.until('the page is gone', isGone);
  expect(lab.childWrites(mark)).toEqual(['delete deployments.apps front', 'delete configmaps front-content']);
});

test('a teardown that fails keeps the object and its finalizer, and is tried again', async () => {
  let isBroken = true;
  const detached = forPages.defineAction({
    name: 'Detached',
    run: () => {
      if (isBroken) throw new Error('the balancer does not answer');
      return done();
    },
  });
  lab = await PageLab.at('1.0.0', release(forPages.defineProcedure({ version: '1.0.0', actions: [served], teardown: [detached] })));
  await remove();
  await lab.world.run(20_000);
  expect((await lab.page())?.metadata.finalizers).toEqual(['procedures.pawl.dev/teardown']);
  expect((await lab.status()).procedure?.summary).toContain('the balancer does not answer');
  expect(await lab.configMaps()).toHaveLength(1);
  isBroken = false;
  await lab.world.until('the page is gone', isGone);
  expect(await lab.stamps()).toEqual([]);
});

test('an owned object that does not go keeps its owner', async () => {
  lab = await PageLab.at('1.0.0', release(v1));
  const content = { name: 'front-content', namespace: 'default' };
  await lab.world.client.mergePatch(configMaps, content, { metadata: { finalizers: ['example.com/hold'] } });
  await remove();
  await lab.world.run(30_000);
  expect(await isGone()).toBe(false);
  await lab.world.client.mergePatch(configMaps, content, { metadata: { finalizers: null } });
  await lab.world.until('the page is gone', isGone);
});

test('an operator that does not know the version deletes what carries the label, if that version allows it', async () => {
  lab = await PageLab.at('2.0.0', release(v1, v2));
  await lab.stop();
  await lab.start([release(forPages.defineProcedure({ version: '1.5.0', from: '>=1.0.0', actions: [served] }))]);
  await remove();
  await lab.world.until('the page is gone', isGone);
  expect(await lab.stamps()).toEqual([]);
});

/** A page of a version that has a teardown of its own, under an operator that has never heard of it. */
async function unknownTeardown(): Promise<void> {
  const detached = forPages.defineAction({ name: 'Detached', run: () => done() });
  const own = forPages.deriveProcedure(v1, { version: '2.0.0', teardown: [detached] });
  lab = await PageLab.at('2.0.0', release(v1, own));
  await lab.start([release(v1)]);
  await remove();
  await lab.says('UpgradeBlocked', 'DeletionBlocked').catch(() => lab.says('DeletionBlocked', 'DeletionBlocked'));
}

test('a version with a teardown of its own is only taken down by an operator that has it', async () => {
  await unknownTeardown();
  await lab.world.run(10_000);
  expect(await lab.stamps()).toEqual(['ConfigMap front-content 2.0.0', 'Deployment front 2.0.0']);
  const { summary } = (await lab.status()).procedure ?? {};
  expect(summary).toContain('2.0.0');
  expect(summary).toContain('procedures.pawl.dev/force-delete=inventory');
});

test('force-delete=inventory deletes by label what the missing version left', async () => {
  await unknownTeardown();
  await lab.request('force-delete', 'inventory');
  await lab.world.until('the page is gone', isGone);
  expect(await lab.stamps()).toEqual([]);
});

test('force-delete=abandon lets the object go and leaves what it owned to whoever cleans up', async () => {
  await unknownTeardown();
  const mark = lab.world.mark;
  await lab.request('force-delete', 'abandon');
  await lab.world.until('the page is gone', isGone);
  expect(lab.childWrites(mark)).toEqual([]);
});

test('something that a killed operator creates late does not outlive the object: the last look is after the wait', async () => {
  lab = await PageLab.at('1.0.0', release(v1));
  const owner = (await lab.page()) as KubernetesObject;
  const [stored] = await lab.configMaps();
  await lab.stop();
  await remove();
  await lab.start([release(v1)], { settleMs: 20_000 });
  await lab.world.run(10_000);
  expect(await lab.stamps()).toEqual([]);
  expect(await isGone()).toBe(false);
  const labels = { 'procedures.pawl.dev/owner': ownerHashOf(owner) };
  const { annotations } = stored?.metadata ?? {};
  await lab.world.client.create(configMaps, { metadata: { name: 'late', namespace: 'default', labels, annotations } });
  await lab.world.until('the page is gone', isGone);
  expect(await lab.stamps()).toEqual([]);
});

test('an object that was never touched by any version goes at once', async () => {
  lab = new PageLab();
  await lab.world.install(release(v1));
  await lab.world.client.create(Pages, { ...page('front'), spec: { text: 'hello', procedure: { paused: true } } });
  await lab.start([release(v1)]);
  await remove();
  await lab.world.until('the page is gone', isGone);
  expect(lab.childWrites(0)).toEqual([]);
});

test('what its Action marks to be kept stays, and so do claims of volumes', async () => {
  const dataKept = forPages.defineAction({
    name: 'DataKept',
    owns: { configs: ConfigMaps, claims: PersistentVolumeClaims },
    run: async ({ cluster }) => {
      const annotations = { 'procedures.pawl.dev/keep': 'true' };
      await cluster.configs.apply({ metadata: { name: 'key', annotations }, data: { key: 'k' } });
      const resources = { requests: { storage: '1Gi' } };
      await cluster.claims.apply({ metadata: { name: 'data' }, spec: { accessModes: ['ReadWriteOnce'], resources } });
      return done();
    },
  });
  lab = await PageLab.at('1.0.0', release(forPages.defineProcedure({ version: '1.0.0', actions: [served, dataKept] })));
  await remove();
  await lab.world.until('the page is gone', isGone);
  await lab.world.run(5_000);
  expect(await lab.stamps()).toEqual(['ConfigMap key 1.0.0']);
  expect(await lab.world.get('v1', 'PersistentVolumeClaim', 'data', 'default')).toBeDefined();
});
