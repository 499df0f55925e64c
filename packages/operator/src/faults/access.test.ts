// Rights that are withdrawn and given back, tokens that run out, clocks that jump.
import { afterEach, expect, test } from 'vitest';
import { FaultWorld } from '../testing/fault-world.ts';
import { createPages, expectCalm, textRelease, textsOf } from '../testing/page-fleet.ts';
import { page, Pages, release, v1 } from '../testing/pages.ts';
import type { Credentials } from '../transport/credentials.ts';
import { HttpTransport } from '../transport/http-transport.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
let world: FaultWorld;
const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  await world.close();
  for (const end of ends.splice(0)) await end();
});

const RULES = {
  configMaps: { apiGroups: [''], resources: ['configmaps'], verbs: ['get', 'list', 'watch', 'create', 'patch', 'delete'] },
  deployments: { apiGroups: ['apps'], resources: ['deployments'], verbs: ['get', 'list', 'watch', 'create', 'patch', 'delete'] },
  pages: { apiGroups: ['test.pawl.dev'], resources: ['pages', 'pages/status'], verbs: ['get', 'list', 'watch', 'patch'] },
  events: { apiGroups: ['events.k8s.io'], resources: ['events'], verbs: ['create', 'patch'] },
};
const RBAC = 'rbac.authorization.k8s.io';

test('the right to one kind is withdrawn and restored: other kinds go on, the status says what is missing, nobody storms', async () => {
  world = new FaultWorld({
    server: { authorization: 'rbac', authentication: { others: { name: 'admin', groups: ['system:masters'] } } },
  });
  await world.install(release(v1));
  const roles = { apiVersion: `${RBAC}/v1`, kind: 'ClusterRole' };
  const grant = (rules: readonly object[]): Promise<unknown> =>
    world.client.apply(roles, { name: 'pawl' }, { rules }, { fieldManager: 'admin', force: true });
  await grant(Object.values(RULES));
  await world.client.create(
    { apiVersion: `${RBAC}/v1`, kind: 'ClusterRoleBinding' },
    { metadata: { name: 'pawl' }, roleRef: { apiGroup: RBAC, kind: 'ClusterRole', name: 'pawl' }, subjects: [{ apiGroup: RBAC, kind: 'User', name: 'pawl' }] },
  );
  const { network } = await world.operator([release(v1)], {}, world.api.as({ name: 'pawl' }));
  await world.client.create(Pages, page('front'));
  await world.until('front is at 1.0.0', world.isAt('1.0.0'));
  const { configMaps: _, ...others } = RULES;
  await grant(Object.values(others));
  network.dropWatches();
  const from = world.api.log.count();
  await world.edit('front', { text: 'needs a ConfigMap' });
  const deployment = { apiVersion: 'apps/v1', kind: 'Deployment' };
  await world.client.mergePatch(deployment, { name: 'front', namespace: 'default' }, { spec: { replicas: 7 } });
  await world.run(HOUR_MS);
  const refused = world.api.log.entries().filter(({ sequence, status }) => sequence > from && status === 403);
  // A watch that is refused is tried again every 30 s at most, the object every five minutes.
  expect(refused.length).toBeLessThan(400);
  expect(refused.filter(({ mutating }) => mutating).length).toBeLessThan(60);
  const { actions } = await world.statusOf();
  expect(actions?.find(({ name }) => name === 'ContentStored')?.message).toContain('configmaps');
  await grant(Object.values(RULES));
  await world.until('the edit is carried out', async () => (await textsOf(world)).get('front-content') === 'needs a ConfigMap', 10 * MINUTE_MS);
  await world.until('front is at 1.0.0', world.isAt('1.0.0'), 10 * MINUTE_MS);
  expect(await world.get('apps/v1', 'Deployment', 'front')).toMatchObject({ spec: { replicas: 1 } });
  await expectCalm(world);
});

test('over HTTP: a token that has run out is replaced on the way; with none there is no storm, and it goes on by itself', async () => {
  const tokens: Record<string, { readonly name: string }> = { one: { name: 'pawl' } };
  const others = { name: 'admin', groups: ['system:masters'] };
  world = new FaultWorld({ server: { authorization: 'rbac', authentication: { tokens, others } }, realIo: true });
  const bundle = textRelease();
  await world.install(bundle);
  await world.client.create(
    { apiVersion: `${RBAC}/v1`, kind: 'ClusterRoleBinding' },
    { metadata: { name: 'pawl' }, roleRef: { apiGroup: RBAC, kind: 'ClusterRole', name: 'cluster-admin' }, subjects: [{ apiGroup: RBAC, kind: 'User', name: 'pawl' }] },
  );
  const listening = await world.api.listen();
  // As a token in a file: the newest is taken when the one in use was refused.
  let [held, newest] = ['one', 'one'];
  const credentials: Credentials = {
    server: listening.url,
    identity: async (refresh) => {
      if (refresh) held = newest;
      return { headers: { authorization: `Bearer ${held}` }, tls: {} };
    },
  };
  const transport = new HttpTransport({ credentials });
  ends.push(transport.close, listening.close);
  const { network } = await world.operator([bundle], {}, transport);
  const names = await createPages(world, 3);
  await world.until('all are at 1.0.0', async () => (await world.countAt('1.0.0')) === 3);

  delete tokens['one'];
  tokens['two'] = { name: 'pawl' };
  newest = 'two';
  for (const name of names) await world.edit(name, { text: 'second' });
  await world.until('the second token is used', async () => [...(await textsOf(world)).values()].filter((text) => text === 'second').length === 3, MINUTE_MS);

  delete tokens['two'];
  const from = world.api.log.count();
  network.dropWatches();
  for (const name of names) await world.edit(name, { text: 'third' });
  await world.run(10 * MINUTE_MS);
  const refused = world.api.log.entries().filter(({ sequence, status }) => sequence > from && status === 401);
  expect(refused.length).toBeGreaterThan(10);
  // Each call is tried with a fresh identity once.
  expect(refused.length).toBeLessThan(2 * 2 * 60);
  tokens['three'] = { name: 'pawl' };
  newest = 'three';
  await world.until('the third token is used', async () => [...(await textsOf(world)).values()].filter((text) => text === 'third').length === 3, MINUTE_MS);
  await world.run(MINUTE_MS);
  await expectCalm(world, 5 * MINUTE_MS);
}, 60_000);

test('wall clocks that jump by a day, forth and back, move no Lease, lose no edit and stop no watch', async () => {
  world = new FaultWorld();
  const bundle = textRelease();
  await world.install(bundle);
  const lease = { leaseNamespace: 'default' };
  const one = await world.operator([bundle], { ...lease, podName: 'one' });
  const two = await world.operator([bundle], { ...lease, podName: 'two' });
  const lost: string[] = [];
  for (const { operator } of [one, two]) void operator.lost.then((reason) => lost.push(reason));
  const names = await createPages(world, 5);
  await world.until('all are at 1.0.0', async () => (await world.countAt('1.0.0')) === 5);
  const day = 24 * HOUR_MS;
  for (const [round, jump] of [day, -day, -day, 3 * day, 1_000, -1_000].entries()) {
    world.clock.correct(jump);
    for (const name of names) await world.edit(name, { text: `${name} ${round}` });
    await world.until('the edits are carried out', async () => {
      const texts = await textsOf(world);
      return names.every((name) => texts.get(name) === `${name} ${round}`);
    }, MINUTE_MS);
    await world.run(2 * MINUTE_MS);
  }
  expect(lost).toEqual([]);
  const found = await world.get('coordination.k8s.io/v1', 'Lease', 'pawl-test');
  expect(found).toMatchObject({ spec: { holderIdentity: expect.stringMatching(/^one_/) } });
  await expectCalm(world);
});
