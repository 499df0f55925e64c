import { afterEach, expect, test } from 'vitest';
import { done, parseRecord, recordInvariantFaults } from '@pawl/reconciler';
import { Deployments, type KubernetesObject, type ProcedurePackage } from '@pawl/reconciler/kubernetes';
import { droppableTransport } from '../testing/droppable-transport.ts';
import { contentStored, deployment, forPages, page, Pages, release, served, v1, v2 } from '../testing/pages.ts';
import { World } from '../testing/world.ts';
import { partsOf } from './custom-object.ts';

let world: World;
afterEach(() => world.close());

async function worldWith(...installed: readonly ProcedurePackage[]): Promise<World> {
  world = new World();
  await world.install(...installed);
  return world;
}

interface Status {
  readonly procedure?: { readonly phase?: string; readonly version?: string; readonly target?: string; readonly summary?: string; readonly record?: unknown };
  readonly actions?: readonly { readonly name: string; readonly status: string; readonly reason: string }[];
  readonly conditions?: readonly { readonly type: string; readonly status: string; readonly reason: string; readonly message: string }[];
}
const thePage = (name = 'front'): Promise<KubernetesObject | undefined> => world.get(Pages.apiVersion, Pages.kind, name, 'default');
const statusOf = async (name = 'front'): Promise<Status> => {
  const found = await thePage(name);
  return found === undefined ? {} : (partsOf(found).status as Status);
};
const ready = (status: Status): string | undefined => status.conditions?.find(({ type }) => type === 'Ready')?.status;
const isAt = (version: string, name?: string) => async (): Promise<boolean> => {
  const status = await statusOf(name);
  return status.procedure?.version === version && status.procedure.phase === 'Steady' && ready(status) === 'True';
};
const names = async (kind: 'ConfigMap' | 'Deployment'): Promise<readonly string[]> => {
  const apiVersion = kind === 'ConfigMap' ? 'v1' : 'apps/v1';
  const { items } = await world.client.list({ apiVersion, kind }, { namespace: 'default' });
  return items.map(({ metadata }) => metadata.name).filter((name) => name !== 'kube-root-ca.crt');
};

/** The page served by a Deployment with one more label in its selector. */
const servedWith = (strategy: 'Refuse' | 'Recreate') =>
  forPages.defineAction({
    name: 'Served',
    requires: { content: contentStored },
    owns: { deployments: Deployments },
    immutable: { deployments: strategy },
    run: async ({ object, cluster }, { content }) => {
      const { metadata, spec } = deployment(object, content);
      const labels = { page: object.metadata.name, tier: 'web' };
      const template = { ...spec?.template, metadata: { labels } };
      await cluster.deployments.apply({ metadata, spec: { ...spec, selector: { matchLabels: labels }, template } as never });
      return done();
    },
  });

test('a new object is installed: the record first, then finalizer, then children, and only a verified version is reported', async () => {
  await worldWith(release(v1));
  const mark = world.mark;
  await world.operator([release(v1)]);
  await world.client.create(Pages, page('front'));
  await world.until('front is at 1.0.0', isAt('1.0.0'));
  expect(world.writes(mark).slice(0, 4)).toEqual([
    'patch pages.test.pawl.dev/status front',
    'patch pages.test.pawl.dev front',
    'patch configmaps front-content',
    'patch deployments.apps front',
  ]);
  const record = parseRecord((await statusOf()).procedure?.record);
  expect(record).toMatchObject({ version: '1.0.0', applied: [{ version: '1.0.0', state: 'Complete' }] });
  expect(recordInvariantFaults(undefined, record as never)).toEqual([]);
  expect((await thePage())?.metadata.finalizers).toEqual(['procedures.pawl.dev/teardown']);
});

test('a minute with a restart, a dropped watch and a forced resync causes no write', async () => {
  await worldWith(release(v1));
  const first = await world.operator([release(v1)]);
  await world.client.create(Pages, page('front'));
  await world.until('front is at 1.0.0', isAt('1.0.0'));
  await world.run(2_000);
  const mark = world.mark;
  await world.stop(first);
  const transport = droppableTransport(world.api);
  const second = await world.operator([release(v1)], {}, transport);
  await world.run(10_000);
  expect(transport.dropWatches()).toBe(3);
  await world.run(10_000);
  second.resync();
  await world.run(40_000);
  expect(world.writes(mark)).toEqual([]);
});

test('a release with a newer version upgrades in place, prunes what it no longer wants and keeps the record true', async () => {
  await worldWith(release(v1));
  const old = await world.operator([release(v1)]);
  await world.client.create(Pages, page('front'));
  await world.until('front is at 1.0.0', isAt('1.0.0'));
  const uid = (await world.get('apps/v1', 'Deployment', 'front', 'default'))?.metadata.uid;
  await world.stop(old);
  await world.operator([release(v1, v2)]);
  await world.until('front is at 2.0.0', isAt('2.0.0'));
  expect(await names('ConfigMap')).toEqual(['front-text']);
  expect((await world.get('apps/v1', 'Deployment', 'front', 'default'))?.metadata.uid).toBe(uid);
});

test('an older operator leaves an object of a newer version alone and says what to deploy', async () => {
  await worldWith(release(v1, v2));
  const newer = await world.operator([release(v1, v2)]);
  await world.client.create(Pages, page('front'));
  await world.until('front is at 2.0.0', isAt('2.0.0'));
  await world.stop(newer);
  const mark = world.mark;
  await world.operator([release(v1)]);
  await world.run(10_000);
  expect(world.writes(mark).filter((write) => !write.startsWith('patch pages.test.pawl.dev/status'))).toEqual([]);
  const { procedure, conditions } = await statusOf();
  expect(procedure?.phase).toBe('Blocked');
  expect(conditions?.find(({ type }) => type === 'UpgradeBlocked')?.message).toContain('2.0.0');
  expect(await names('ConfigMap')).toEqual(['front-text']);
});

test('a deleted object takes its children with it, and goes last', async () => {
  await worldWith(release(v1));
  await world.operator([release(v1)]);
  await world.client.create(Pages, page('front'));
  await world.until('front is at 1.0.0', isAt('1.0.0'));
  await world.client.remove(Pages, { name: 'front', namespace: 'default' });
  await world.until('front is gone', async () => (await thePage()) === undefined);
  expect([await names('ConfigMap'), await names('Deployment')]).toEqual([[], []]);
});

test('a child that is deleted or changed by hand is restored', async () => {
  await worldWith(release(v1));
  await world.operator([release(v1)]);
  await world.client.create(Pages, page('front'));
  await world.until('front is at 1.0.0', isAt('1.0.0'));
  await world.client.remove({ apiVersion: 'v1', kind: 'ConfigMap' }, { name: 'front-content', namespace: 'default' });
  await world.until('the content is back', async () => (await names('ConfigMap')).includes('front-content'));
  const configMap = { apiVersion: 'v1', kind: 'ConfigMap' };
  await world.client.mergePatch(configMap, { name: 'front-content', namespace: 'default' }, { data: { text: 'vandal' } });
  await world.until('the text is back', async () => {
    const found = await world.get('v1', 'ConfigMap', 'front-content', 'default');
    return (found as { data?: { text?: string } } | undefined)?.data?.text === 'hello';
  });
});

test('an edited object is rolled out, and its generation counts as verified only when it is', async () => {
  await worldWith(release(v1));
  await world.operator([release(v1)]);
  await world.client.create(Pages, page('front'));
  await world.until('front is at 1.0.0', isAt('1.0.0'));
  await world.client.mergePatch(Pages, { name: 'front', namespace: 'default' }, { spec: { replicas: 3 } });
  await world.until('three pods are ready', async () => {
    const found = await world.get('apps/v1', 'Deployment', 'front', 'default');
    return (found as { status?: { readyReplicas?: number } } | undefined)?.status?.readyReplicas === 3;
  });
  await world.run(3_000);
  const found = await thePage();
  expect(partsOf(found as KubernetesObject).status).toMatchObject({ observedGeneration: 2, verifiedGeneration: 2 });
});

test('what an independent action does is not lost when another one fails; the failure is tried again and mended', async () => {
  let broken = true;
  const flaky = forPages.defineAction({
    name: 'Announced',
    run: () => {
      if (broken) throw new Error('the registry is down');
      return done();
    },
  });
  const flakyRelease = release(forPages.defineProcedure({ version: '1.0.0', actions: [served, flaky] }));
  await worldWith(flakyRelease);
  await world.operator([flakyRelease]);
  await world.client.create(Pages, page('front'));
  await world.until('the site is served', async () => (await statusOf()).actions?.find(({ name }) => name === 'Served')?.status === 'True');
  const { actions, procedure } = await statusOf();
  expect(actions?.find(({ name }) => name === 'Announced')).toMatchObject({ status: 'Unknown', reason: 'Failed' });
  expect(procedure?.version).toBeUndefined();
  broken = false;
  await world.until('front is at 1.0.0', isAt('1.0.0'));
});

test('fifty objects at once do not disturb each other', async () => {
  await worldWith(release(v1));
  await world.operator([release(v1)]);
  const all = Array.from({ length: 50 }, (_, index) => `page-${index}`);
  await Promise.all(all.map((name) => world.client.create(Pages, page(name, `I am ${name}`))));
  const steady = async (): Promise<number> => {
    const { items } = await world.client.list(Pages, { namespace: 'default' });
    return items.filter((item) => (partsOf(item).status as Status).procedure?.version === '1.0.0').length;
  };
  await world.until('all are at 1.0.0', async () => (await steady()) === all.length);
  const { items } = await world.client.list({ apiVersion: 'v1', kind: 'ConfigMap' }, { namespace: 'default' });
  const texts = new Map(items.map((item) => [item.metadata.name, (item as { data?: { text?: string } }).data?.text]));
  for (const name of all) expect(texts.get(`${name}-content`)).toBe(`I am ${name}`);
}, 30_000);

test('of few objects one at a time goes to a new version', async () => {
  await worldWith(release(v1));
  const old = await world.operator([release(v1)]);
  for (const name of ['a', 'b', 'c']) await world.client.create(Pages, page(name));
  for (const name of ['a', 'b', 'c']) await world.until(`${name} is at 1.0.0`, isAt('1.0.0', name));
  await world.stop(old);
  await world.operator([release(v1, v2)]);
  let most = 0;
  await world.until('all are at 2.0.0', async () => {
    const { items } = await world.client.list(Pages, { namespace: 'default' });
    const statuses = items.map((item) => (partsOf(item).status as Status).procedure);
    most = Math.max(most, statuses.filter((procedure) => procedure?.target !== undefined).length);
    return statuses.every((procedure) => procedure?.version === '2.0.0');
  });
  expect(most).toBe(1);
});

test('an object that somebody else owns is not taken over, and the status says so', async () => {
  await worldWith(release(v1));
  await world.client.create(
    { apiVersion: 'v1', kind: 'ConfigMap' },
    { metadata: { name: 'front-content', namespace: 'default' }, data: { text: 'mine' } },
  );
  await world.operator([release(v1)]);
  await world.client.create(Pages, page('front'));
  await world.run(5_000);
  const stored = (await statusOf()).actions?.find(({ name }) => name === 'ContentStored');
  expect(stored).toMatchObject({ status: 'Unknown' });
  const found = await world.get('v1', 'ConfigMap', 'front-content', 'default');
  expect(found).toMatchObject({ data: { text: 'mine' } });
});

test('an upgrade that the server would refuse is not begun: no child is written', async () => {
  const selectorChanged = forPages.deriveProcedure(v1, {
    version: '2.0.0',
    replace: [forPages.replaceAction(served, servedWith('Refuse'))],
  });
  await worldWith(release(v1));
  const old = await world.operator([release(v1)]);
  await world.client.create(Pages, page('front'));
  await world.until('front is at 1.0.0', isAt('1.0.0'));
  await world.stop(old);
  const mark = world.mark;
  await world.operator([release(v1, selectorChanged)]);
  await world.run(10_000);
  expect(world.writes(mark).filter((write) => !write.includes('pages.test.pawl.dev'))).toEqual([]);
  const { procedure, conditions } = await statusOf();
  expect(procedure).toMatchObject({ version: '1.0.0', phase: 'Steady' });
  const blocked = conditions?.find(({ type }) => type === 'UpgradeBlocked');
  expect(blocked?.reason).toBe('ImmutableFieldChange');
  expect(blocked?.message).toMatch(/Action Served would change Deployment default\/front: .* spec\.selector: Invalid value: field is immutable\. /);
});

test('a requested rollback that the newer version permits returns to the old objects and stays there', async () => {
  await worldWith(release(v1, v2));
  await world.operator([release(v1, v2)]);
  await world.client.create(Pages, page('front'));
  await world.until('front is at 2.0.0', isAt('2.0.0'));
  await world.client.mergePatch(Pages, { name: 'front', namespace: 'default' }, {
    metadata: { annotations: { 'procedures.pawl.dev/rollback': '1.0.0' } },
  });
  await world.until('front is at 1.0.0', isAt('1.0.0'));
  await world.run(20_000);
  expect(await isAt('1.0.0')()).toBe(true);
  expect(await names('ConfigMap')).toEqual(['front-content']);
  expect((await thePage())?.metadata.annotations?.['procedures.pawl.dev/rollback']).toBeUndefined();
});

test('an invalid object is refused by the API with the field named', async () => {
  await worldWith(release(v1));
  const invalid = { ...page('front'), spec: { replicas: -1 } };
  await expect(world.client.create(Pages, invalid)).rejects.toMatchObject({
    code: 422,
    causes: expect.arrayContaining(['spec.text', 'spec.replicas']) as unknown,
  });
});

test('a selector changes by replacing the Deployment where the action says so, and the upgrade completes', async () => {
  const relabelled = forPages.deriveProcedure(v1, {
    version: '2.0.0',
    replace: [forPages.replaceAction(served, servedWith('Recreate'))],
  });
  await worldWith(release(v1));
  const old = await world.operator([release(v1)]);
  await world.client.create(Pages, page('front'));
  await world.until('front is at 1.0.0', isAt('1.0.0'));
  const uid = (await world.get('apps/v1', 'Deployment', 'front', 'default'))?.metadata.uid;
  await world.stop(old);
  await world.operator([release(v1, relabelled)]);
  await world.until('front is at 2.0.0', isAt('2.0.0'));
  const replaced = await world.get('apps/v1', 'Deployment', 'front', 'default');
  expect(replaced?.metadata.uid).not.toBe(uid);
  expect(replaced).toMatchObject({ spec: { selector: { matchLabels: { page: 'front', tier: 'web' } } } });
});

test('a kind without a status subresource is told of in the log, and nothing is written', async () => {
  const [crd] = release(v1).crds;
  const bare = structuredClone(crd) as unknown as { spec: { versions: { subresources?: unknown }[] } };
  for (const version of bare.spec.versions) delete version.subresources;
  world = new World();
  await world.client.create({ apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition' }, bare as never);
  await world.run(500);
  await world.operator([release(v1)]);
  await world.client.create(Pages, page('front'));
  await world.run(5_000);
  expect(world.logged.map(({ bindings }) => String((bindings['err'] as Error | undefined)?.message))).toContainEqual(
    expect.stringContaining('its CRD must declare subresources.status'),
  );
  expect(await names('ConfigMap')).toEqual([]);
});
