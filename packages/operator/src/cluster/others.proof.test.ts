// Owned objects among others who write them as well: webhooks, a person who takes an object away, two Actions, a fight.
import { afterEach, expect, test } from 'vitest';
import { done, pending } from '@pawl/reconciler';
import { ConfigMaps, Deployments, LABELS, type ProcedurePackage } from '@pawl/reconciler/kubernetes';
import { childrenOf, strippedOfManagers } from '../testing/disturbances.ts';
import { FaultWorld, type FaultWorldOptions } from '../testing/fault-world.ts';
import { forPages, page, Pages, release } from '../testing/pages.ts';
import { CHILD, CONFIG_MAP, DEPLOYMENT, trickyRelease, wanted } from '../testing/tricky-children.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
let world: FaultWorld;
afterEach(() => world.close());

/** A world in which a Page is there; whether it becomes Ready is the test's matter. */
async function worldOf(packages: readonly ProcedurePackage[], options: FaultWorldOptions = {}, prepare?: () => Promise<unknown>): Promise<void> {
  world = new FaultWorld(options);
  await world.install(...packages);
  await prepare?.();
  await world.operator(packages);
  await world.client.create(Pages, page('front'));
  await world.run(MINUTE_MS);
}
const childWrites = (): readonly string[] => world.tally.lines().filter((line) => !line.includes('pages.test.pawl.dev'));

/** Answers every review of a Deployment with the same JSON patch, as a service mesh does. */
const injecting = (...operations: readonly object[]): FaultWorldOptions => ({
  server: {
    webhooks: {
      send: async ({ body: { apiVersion, kind, request } }) => {
        const { uid, object } = request as { readonly uid: string; readonly object: { readonly spec: { readonly template: { readonly spec: { readonly containers: readonly { readonly name: string }[] } } } } };
        const isThere = object.spec.template.spec.containers.some(({ name }) => name === 'mesh');
        const patch = Buffer.from(JSON.stringify(isThere ? operations.slice(1) : operations)).toString('base64');
        const response = { uid, allowed: true, patchType: 'JSONPatch', patch };
        return { status: 200, text: JSON.stringify({ apiVersion, kind, response }) };
      },
    },
  },
});
const MESH = { op: 'add', path: '/spec/template/spec/containers/-', value: { name: 'mesh', image: 'mesh:1' } };

const configureWebhook = (): Promise<unknown> =>
  world.client.create(
    { apiVersion: 'admissionregistration.k8s.io/v1', kind: 'MutatingWebhookConfiguration' },
    {
      metadata: { name: 'mesh' },
      webhooks: [
        {
          name: 'mesh.test.dev',
          clientConfig: { url: 'https://mesh.test/' },
          rules: [{ apiGroups: ['apps'], apiVersions: ['v1'], resources: ['deployments'], operations: ['CREATE', 'UPDATE'] }],
          sideEffects: 'None',
          admissionReviewVersions: ['v1'],
        },
      ],
    },
  );

test.each([
  { what: 'adds a sidecar and a label', operations: [MESH, { op: 'add', path: '/metadata/labels/mesh', value: 'on' }] },
  { what: 'adds a sidecar and changes a value of ours', operations: [MESH, { op: 'replace', path: '/spec/template/metadata/annotations/note', value: 'mesh' }] },
])('a webhook that $what is not fought: nothing is sent in an hour', async ({ operations }) => {
  await worldOf([trickyRelease(wanted())], injecting(...operations), configureWebhook);
  expect(await world.isAt('1.0.0')()).toBe(true);
  expect((await childrenOf(world.client)).deployment.at('spec', 'template', 'spec', 'containers', 1, 'name')).toBe('mesh');
  world.tally.reset();
  await world.run(HOUR_MS);
  expect(world.tally.lines()).toEqual([]);
});

test('somebody strips the managers: one repair, then silence', async () => {
  await worldOf([trickyRelease(wanted())]);
  world.tally.reset();
  await strippedOfManagers.disturb(world.client);
  await world.run(HOUR_MS);
  expect(childWrites().length).toBe(1);
  expect(strippedOfManagers.look(await childrenOf(world.client))).toEqual(strippedOfManagers.expected);
});

test('an object that somebody took away, by its owner label and its owner reference, is left alone and reported, without a storm', async () => {
  await worldOf([trickyRelease(wanted())]);
  world.tally.reset();
  const taken = { labels: { [LABELS.owner]: null }, ownerReferences: null };
  await world.client.mergePatch(CONFIG_MAP, CHILD, { metadata: taken, data: { text: 'mine now' } });
  await world.run(HOUR_MS);
  expect(childWrites()).toEqual([]);
  const { actions } = await world.statusOf();
  expect(actions?.[0]).toMatchObject({ status: 'Unknown', message: expect.stringContaining('exists and belongs to') });
  expect(world.tally.total()).toBeLessThanOrEqual(4);
});

test('two Actions that apply the same object: the second is told so, and the object is written once', async () => {
  const writer = (name: string, text: string) =>
    forPages.defineAction({
      name,
      owns: { configs: ConfigMaps },
      run: async ({ cluster }) => {
        await cluster.configs.apply({ metadata: { name: 'front' }, data: { text } });
        return done();
      },
    });
  const actions = [writer('One', 'one'), writer('Two', 'two')];
  await worldOf([release(forPages.defineProcedure({ version: '1.0.0', actions }))]);
  await world.run(HOUR_MS);
  const messages = (await world.statusOf()).actions?.map(({ message }) => message).join();
  expect(messages).toContain('an object belongs to one action');
  // Which of both comes first is chosen anew each time, but neither hurries.
  expect(childWrites().length).toBeLessThanOrEqual(30);
});

test('an autoscaler keeps what it decided while the Action, which leaves replicas out, changes everything else', async () => {
  const want = wanted();
  await worldOf([trickyRelease(want)]);
  const autoscaler = world.clientOf('autoscaler');
  await autoscaler.mergePatch(DEPLOYMENT, CHILD, { spec: { replicas: 5 } }, { subresource: 'scale', fieldManager: 'autoscaler' });
  for (const note of ['a', 'b', 'c']) {
    const { spec } = want.deployment;
    const template = { ...spec?.template, metadata: { ...spec?.template.metadata, annotations: { note } } };
    want.deployment = { ...want.deployment, spec: { ...spec, template } } as never;
    await world.edit('front', { text: note });
    await world.run(MINUTE_MS);
    const { deployment } = await childrenOf(world.client);
    expect([deployment.at('spec', 'replicas'), deployment.at('spec', 'template', 'metadata', 'annotations', 'note')]).toEqual([5, note]);
  }
});

test('a fight over a value slows down, the loser is not forgotten, and it ends when the other one ends', async () => {
  const owned = forPages.defineAction({
    name: 'Served',
    owns: { configs: ConfigMaps, deployments: Deployments },
    run: async ({ cluster }) => {
      await cluster.configs.apply({ metadata: { name: 'front' }, data: { text: 'ours' } });
      return done();
    },
  });
  await worldOf([release(forPages.defineProcedure({ version: '1.0.0', actions: [owned] }))]);
  const other = world.clientOf('other-operator');
  let isFighting = true;
  const fighting = (async (): Promise<void> => {
    const stop = new AbortController();
    const events = await world.client.watch(CONFIG_MAP, { namespace: 'default', query: {}, signal: stop.signal });
    for await (const { object } of events) {
      if (!isFighting) return stop.abort();
      const { metadata, data } = object as { readonly metadata: { readonly name: string }; readonly data?: { readonly text?: string } };
      if (metadata.name !== 'front' || data?.text === 'theirs') continue;
      await new Promise<void>((resolve) => world.clock.setTimer(50, resolve));
      await other.mergePatch(CONFIG_MAP, CHILD, { data: { text: 'theirs' } });
    }
  })();
  world.tally.reset();
  await world.run(HOUR_MS);
  expect(childWrites().length).toBeGreaterThan(30);
  expect(childWrites().length).toBeLessThanOrEqual(90);
  isFighting = false;
  await world.run(5 * MINUTE_MS);
  await fighting;
  expect((await childrenOf(world.client)).configMap.at('data', 'text')).toBe('ours');
  world.tally.reset();
  await world.run(HOUR_MS);
  expect(world.tally.lines()).toEqual([]);
});

test('a claim on an object of somebody else is sent once, although the server spells its quantities in another way', async () => {
  const claiming = forPages.defineAction({
    name: 'Limited',
    edits: { deployments: Deployments },
    run: async ({ cluster }) => {
      const found = await cluster.deployments.get('front');
      if (found === undefined) return pending('Missing', 'it is not there');
      const { containers = [] } = found.spec?.template.spec ?? {};
      const limited = containers.map((container) => ({ ...container, resources: { requests: { cpu: '1000m' } } }));
      await cluster.deployments.edit(found, 'limits', { spec: { template: { spec: { containers: limited } } } });
      return done();
    },
  });
  const packages = [release(forPages.defineProcedure({ version: '1.0.0', actions: [claiming] }))];
  const { deployment } = wanted();
  await worldOf(packages, {}, () => world.client.create(DEPLOYMENT, { ...deployment, metadata: { ...deployment.metadata, namespace: 'default' } }));
  expect((await childrenOf(world.client)).deployment.at('spec', 'template', 'spec', 'containers', 0, 'resources', 'requests', 'cpu')).toBe('1');
  world.tally.reset();
  await world.run(HOUR_MS);
  expect(world.tally.lines()).toEqual([]);
});
