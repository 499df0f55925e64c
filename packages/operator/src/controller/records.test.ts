// Records that are lost, foreign, restored or strange: nothing is done to an object that nobody can be sure about.
import { afterEach, expect, test } from 'vitest';
import { done } from '@pawl/reconciler';
import { ownerHashOf, PersistentVolumeClaims, type KubernetesObject } from '@pawl/reconciler/kubernetes';
import { PageLab } from '../testing/page-lab.ts';
import { contentStored, forPages, page, Pages, release, v1, v2 } from '../testing/pages.ts';

const MIRROR = 'procedures.pawl.dev/record';
const both = release(v1, v2);
const configMaps = { apiVersion: 'v1', kind: 'ConfigMap' };
const content = { name: 'front-text', namespace: 'default' };

let lab: PageLab;
afterEach(() => lab.close());

test('a status that was lost comes back from its copy, and no owned object is touched', async () => {
  lab = await PageLab.at('2.0.0', both);
  const before = await lab.record();
  const mark = lab.world.mark;
  await lab.patchStatus(null);
  await lab.reaches('2.0.0');
  expect(lab.childWrites(mark)).toEqual([]);
  const after = await lab.record();
  expect(after?.applied).toEqual(before?.applied);
  expect(after?.epoch).toBeGreaterThan(before?.epoch ?? 0);
});

test('a copy that was lost is written again', async () => {
  lab = await PageLab.at('2.0.0', both);
  const mark = lab.world.mark;
  await lab.patch({ metadata: { annotations: { [MIRROR]: null } } });
  await lab.world.until('the copy is back', async () => (await lab.page())?.metadata.annotations?.[MIRROR] !== undefined);
  expect(lab.childWrites(mark)).toEqual([]);
  expect(await lab.isAt('2.0.0')).toBe(true);
});

test('with status and copy lost the object is not taken for a new one: what is there is counted after late writes are dead', async () => {
  lab = await PageLab.at('2.0.0', both);
  await lab.stop();
  await lab.patch({ metadata: { annotations: { [MIRROR]: null } } });
  await lab.patchStatus(null);
  const mark = lab.world.mark;
  await lab.start([both], { settleMs: 30_000 });
  await lab.world.run(5_000);
  expect(lab.childWrites(mark)).toEqual([]);
  expect((await lab.status()).procedure).toMatchObject({ phase: 'Waiting' });
  await lab.reaches('2.0.0');
  expect((await lab.record())?.floor).toBe('2.0.0');
  expect(lab.childWrites(mark)).toEqual([]);
  expect(await lab.events('Page')).toContainEqual(expect.stringContaining('RecordReconstructed'));
});

test('a status that was set back to an older one does not hide what was done since', async () => {
  lab = await PageLab.at('2.0.0', both);
  await lab.stop();
  const old = { version: '1.0.0', state: 'Complete', rollbackTo: 'none', teardown: 'Inventory' };
  await lab.patchRecord({ ...(await lab.record()), epoch: 1, version: '1.0.0', applied: [old] });
  const mark = lab.world.mark;
  await lab.start([release(v1)]);
  await lab.world.run(10_000);
  expect((await lab.condition('UpgradeBlocked'))?.message).toContain('2.0.0');
  await lab.start([both]);
  await lab.says('UpgradeBlocked', 'StrandedMidUpgrade');
  expect(lab.childWrites(mark)).toEqual([]);
  await lab.request('adopt', '2.0.0');
  await lab.reaches('2.0.0');
});

test('an object that comes back under another uid keeps its version if all that is there agrees', async () => {
  lab = await PageLab.at('2.0.0', both);
  await lab.restoreUnderAnotherUid();
  await lab.start([both]);
  await lab.reaches('2.0.0');
  expect(await lab.stamps()).toEqual(['ConfigMap front-text 2.0.0', 'Deployment front 2.0.0']);
  const { uid } = (await lab.page())?.metadata ?? {};
  for (const { metadata } of [...(await lab.configMaps()), ...(await lab.deployments())])
    expect(metadata.annotations?.['procedures.pawl.dev/owner-uid']).toBe(uid);
});

test('an object that comes back under another uid beside older traces is not taken for complete', async () => {
  lab = await PageLab.at('2.0.0', both);
  await lab.restoreUnderAnotherUid();
  await lab.world.client.mergePatch(configMaps, content, { metadata: { annotations: { 'procedures.pawl.dev/version': '1.0.0' } } });
  const mark = lab.world.mark;
  await lab.start([both]);
  await lab.says('UpgradeBlocked', 'StrandedMidUpgrade');
  expect(lab.childWrites(mark)).toEqual([]);
  await lab.request('adopt', '2.0.0');
  await lab.reaches('2.0.0');
  expect((await lab.status()).procedure?.history?.[0]).toMatchObject({ version: '2.0.0' });
});

test('an object that comes back from a backup and owns data waits for a person who has looked', async () => {
  const dataKept = forPages.defineAction({
    name: 'DataKept',
    owns: { claims: PersistentVolumeClaims },
    run: async ({ object, cluster }) => {
      const spec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };
      await cluster.claims.apply({ metadata: { name: `${object.metadata.name}-data` }, spec });
      return done();
    },
  });
  const keeping = release(v1, forPages.deriveProcedure(v2, { version: '2.0.0', minVersion: '1.0.0', add: [dataKept] }));
  lab = await PageLab.at('2.0.0', keeping);
  await lab.restoreUnderAnotherUid();
  const mark = lab.world.mark;
  await lab.start([keeping]);
  await lab.world.until('it is held', async () => (await lab.status()).procedure?.phase === 'Held');
  await lab.world.run(10_000);
  expect(lab.childWrites(mark)).toEqual([]);
  expect((await lab.status()).procedure?.summary).toContain('procedures.pawl.dev/adopt=2.0.0');
  await lab.request('adopt', '2.0.0');
  await lab.reaches('2.0.0');
});

/** Installs the kind with another schema of `status.procedure`. */
async function installPruning(procedure: object): Promise<void> {
  const [crd] = both.crds as unknown as readonly { readonly spec: { readonly versions: readonly object[] } }[];
  const versions = crd?.spec.versions.map((version) => {
    const copy = structuredClone(version) as {
      readonly schema: { readonly openAPIV3Schema: { readonly properties: { readonly status: { readonly properties: Record<string, unknown> } } } };
    };
    copy.schema.openAPIV3Schema.properties.status.properties['procedure'] = procedure;
    return copy;
  });
  const definitions = { apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition' };
  await lab.world.client.create(definitions, { ...crd, spec: { ...crd?.spec, versions } });
  await lab.world.run(500);
}

const FIELDS = ['formatVersion', 'minReader', 'epoch', 'target', 'applied', 'avoid', 'scope', 'lease', 'operator', 'startedAt'];
const anything = { 'x-kubernetes-preserve-unknown-fields': true };

test.each(FIELDS)('a schema that drops only %s of the record is found by the first write, before any owned object', async (dropped) => {
  lab = new PageLab();
  const kept = Object.fromEntries(FIELDS.filter((field) => field !== dropped).map((field) => [field, anything]));
  const record = { type: 'object', properties: kept };
  await installPruning({ type: 'object', properties: { record }, ...anything });
  await lab.world.client.create(Pages, page('front'));
  await lab.start([both]);
  await lab.world.run(10_000);
  expect(lab.childWrites(0)).toEqual([]);
  expect(await lab.events('CustomResourceDefinition')).toEqual([expect.stringContaining('RecordNotPersisted')]);
});

test('a kind whose schema drops the record: no owned object is written, and one Event on the definition says so', async () => {
  lab = new PageLab();
  await installPruning({ type: 'object', properties: { phase: { type: 'string' } } });
  await lab.start([both]);
  for (const name of ['front', 'back', 'side']) await lab.world.client.create(Pages, page(name));
  await lab.world.run(30_000);
  expect(lab.childWrites(0)).toEqual([]);
  expect(await lab.configMaps()).toEqual([]);
  expect(await lab.events('CustomResourceDefinition')).toEqual([expect.stringContaining('RecordNotPersisted')]);
  const [crd] = both.crds as unknown as readonly { readonly spec: { readonly versions: readonly object[] } }[];
  const definitions = { apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition' };
  await lab.world.client.mergePatch(definitions, { name: 'pages.test.pawl.dev' }, { spec: { versions: crd?.spec.versions } });
  await lab.world.until('the mended kind is used', () => lab.isAt('2.0.0'), 900_000);
});

test('a record that somebody has spoilt by hand stops its object, and the status says how to go on', async () => {
  lab = await PageLab.at('2.0.0', both);
  const mark = lab.world.mark;
  await lab.patchRecord({ applied: [{ version: 'the newest one', state: 'Complete' }] });
  await lab.says('UpgradeBlocked', 'RecordAmbiguous');
  await lab.patch({ spec: { text: 'changed' } });
  await lab.world.run(5_000);
  expect(lab.childWrites(mark)).toEqual([]);
  const message = (await lab.condition('UpgradeBlocked'))?.message;
  expect(message).toContain('the newest one');
  expect(message).toContain(`kubectl patch page.test.pawl.dev/front -n default --subresource=status`);
  await lab.patchRecord(null);
  await lab.reaches('2.0.0');
});

test('a record that only newer readers understand stops an older operator, which says so and nothing else', async () => {
  lab = await PageLab.at('2.0.0', both);
  const mark = lab.world.mark;
  await lab.patchRecord({ minReader: 2, futureField: { kept: true } });
  await lab.says('UpgradeBlocked', 'RecordTooNew');
  await lab.patch({ spec: { text: 'changed' } });
  await lab.world.run(5_000);
  expect(lab.childWrites(mark)).toEqual([]);
  expect((await lab.status()).procedure?.record).toMatchObject({ minReader: 2, futureField: { kept: true } });
});

test('a stray older stamp blocks nothing and is gone after the next change', async () => {
  lab = await PageLab.at('2.0.0', both);
  const mark = lab.world.mark;
  await lab.world.client.mergePatch(configMaps, content, { metadata: { annotations: { 'procedures.pawl.dev/version': '1.0.0' } } });
  await lab.world.run(5_000);
  expect(lab.childWrites(mark)).toEqual([]);
  expect((await lab.status()).procedure).toMatchObject({ phase: 'Steady', version: '2.0.0' });
  await lab.patch({ spec: { text: 'changed' } });
  await lab.world.until('the stamp is right', async () => (await lab.stamps()).includes('ConfigMap front-text 2.0.0'));
  await lab.reaches('2.0.0');
});

test('a stray object of an older version is pruned', async () => {
  lab = await PageLab.at('2.0.0', both);
  const [stored] = await lab.configMaps();
  const { labels, annotations } = stored?.metadata ?? {};
  const marks = { ...annotations, 'procedures.pawl.dev/version': '1.0.0' };
  await lab.world.client.create(configMaps, { metadata: { name: 'late', namespace: 'default', labels, annotations: marks } });
  await lab.patch({ spec: { text: 'changed' } });
  await lab.world.until('the stray is gone', async () => (await lab.configMaps()).length === 1);
  await lab.reaches('2.0.0');
});

test('a newer stamp blocks, whoever left it, until an operator of that version or a person clears it', async () => {
  lab = await PageLab.at('2.0.0', both);
  const mark = lab.world.mark;
  const stamp = (version: string): Promise<unknown> =>
    lab.world.client.mergePatch(configMaps, content, { metadata: { annotations: { 'procedures.pawl.dev/version': version } } });
  await stamp('3.0.0');
  await lab.says('UpgradeBlocked', 'DowngradeRefused');
  await lab.patch({ spec: { text: 'changed' } });
  await lab.world.run(5_000);
  expect(lab.childWrites(mark)).toEqual([]);
  expect((await lab.condition('UpgradeBlocked'))?.message).toContain('3.0.0');
  await stamp('2.0.0');
  await lab.reaches('2.0.0');
});

test('owned objects without a stamp are left until a person adopts them, and that is recorded', async () => {
  lab = new PageLab();
  await lab.world.install(both);
  const created = await lab.world.client.create(Pages, page('front'));
  const labels = { 'procedures.pawl.dev/owner': ownerHashOf(created as KubernetesObject) };
  await lab.world.client.create(configMaps, { metadata: { ...content, labels }, data: { text: 'from long ago' } });
  await lab.start([both]);
  await lab.says('UpgradeBlocked', 'StrandedMidUpgrade');
  expect(lab.childWrites(0)).toEqual([]);
  await lab.request('adopt', '2.0.0');
  await lab.reaches('2.0.0');
  expect((await lab.status()).procedure?.history?.[0]).toMatchObject({ version: '2.0.0', acceptedRisks: ['unknown'] });
  expect(await lab.events('Page')).toContainEqual(expect.stringContaining('RiskAccepted'));
  expect((await lab.page())?.metadata.annotations?.['procedures.pawl.dev/adopt']).toBeUndefined();
});

test('the same version with other contents is recorded as partly applied before it acts, and verified again', async () => {
  lab = await PageLab.at('1.0.0', release(v1));
  const announced = forPages.defineAction({ name: 'Announced', run: () => done() });
  const changed = release(forPages.defineProcedure({ version: '1.0.0', actions: [contentStored, announced, ...v1.actions.values()] as never }));
  const epoch = (await lab.record())?.epoch ?? 0;
  await lab.start([changed]);
  await lab.world.until('it is recorded anew', async () => ((await lab.record())?.epoch ?? 0) >= epoch + 2);
  await lab.reaches('1.0.0');
  expect(await lab.events('Page')).toContainEqual(expect.stringContaining('ProcedureContentChanged'));
});
