// Kinds that a release only owns: their caches hold owned objects alone, and what lies beside them is found all the same.
import { afterEach, expect, test } from 'vitest';
import { done, pending } from '@pawl/reconciler';
import { ConfigMaps, LABELS, ownerHashOf, type KubernetesObject } from '@pawl/reconciler/kubernetes';
import { operatorConfig } from '../config.ts';
import { FaultWorld } from '../testing/fault-world.ts';
import { contentStored, forPages, page, Pages, release } from '../testing/pages.ts';
import { countingRandom } from '../testing/world.ts';
import { operatorContainer } from '../wiring/operator-module.ts';
import { INFORMERS, OPERATOR } from '../wiring/tokens.ts';

const CONFIG_MAP = { apiVersion: 'v1', kind: 'ConfigMap' };
const CONTENT = { name: 'front-content', namespace: 'default' };
const MINUTE_MS = 60_000;

let world: FaultWorld;
afterEach(() => world.close());

type Action = typeof contentStored;
const releaseOf = (...actions: readonly Action[]) => release(forPages.defineProcedure({ version: '1.0.0', actions: [...actions] }));

/** A world in which an operator of these Actions runs and a Page is there. */
async function worldOf(actions: readonly Action[], prepare?: () => Promise<unknown>): Promise<void> {
  world = new FaultWorld();
  const packages = [releaseOf(...actions)];
  await world.install(...packages);
  await prepare?.();
  await world.operator(packages);
  await world.client.create(Pages, page('front'));
  await world.run(MINUTE_MS);
}

/** The selectors with which the operator follows ConfigMaps. */
const followed = (): ReadonlySet<string | null> =>
  new Set(
    world.api.log
      .entries()
      .filter(({ verb, resource, userAgent }) => verb === 'watch' && resource === 'configmaps' && userAgent === 'pawl/test')
      .map(({ path }) => new URL(path, 'http://api').searchParams.get('labelSelector')),
  );
const configMap = (name: string, more: object = {}): Promise<unknown> =>
  world.client.create(CONFIG_MAP, { metadata: { name, namespace: 'default', ...more }, data: { text: 'theirs' } });
const content = async (): Promise<KubernetesObject & { readonly data?: object }> => world.client.get(CONFIG_MAP, CONTENT);
const hash = async (): Promise<string> => ownerHashOf(await world.client.get(Pages, { name: 'front', namespace: 'default' }));
const strip = (metadata: object): Promise<unknown> => world.client.mergePatch(CONFIG_MAP, CONTENT, { metadata });

test('of a kind that is only owned, only objects with an owner are asked for', async () => {
  await worldOf([contentStored]);
  expect(await world.isAt('1.0.0')()).toBe(true);
  expect(followed()).toEqual(new Set([LABELS.owner]));
});

test('hundreds of objects of others take no room in its cache', async () => {
  world = new FaultWorld();
  const packages = [releaseOf(contentStored)];
  await world.install(...packages);
  for (let index = 0; index < 300; index += 1) await configMap(`theirs-${index}`);
  const { api: transport, clock } = world;
  const log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
  const config = operatorConfig({ operatorName: 'test', settleMs: 0 });
  const container = operatorContainer(config, packages, { transport, clock, random: countingRandom(), log });
  const operator = container.get(OPERATOR);
  await Promise.all([operator.start(), world.run(2_000)]);
  await world.client.create(Pages, page('front'));
  await world.until('the page is at 1.0.0', world.isAt('1.0.0'), MINUTE_MS);
  const sizes = container.get(INFORMERS).informers.map(({ scope: { type }, size }) => `${type.kind} ${size}`);
  expect(sizes).toEqual(['Page 1', 'ConfigMap 1']);
  await Promise.all([operator.stop(), world.run(200)]);
});

test.each([
  ['reads', forPages.defineAction({ name: 'Looks', reads: { configs: ConfigMaps }, run: () => done('') })],
  ['edits', forPages.defineAction({ name: 'Looks', edits: { configs: ConfigMaps }, run: () => done('') })],
])('a kind that another Action %s is cached whole', async (_verb, looks) => {
  await worldOf([contentStored, looks as unknown as Action]);
  expect(followed()).toEqual(new Set([null]));
});

test('an object of somebody else that stands in the way is found and refused, not overwritten', async () => {
  await worldOf([contentStored], () => configMap('front-content'));
  expect((await world.statusOf()).actions?.[0]).toMatchObject({ message: expect.stringContaining('belongs to nobody that is known') });
  expect((await content()).data).toEqual({ text: 'theirs' });
});

test('once the label that the refusal names is set on it, it is taken over', async () => {
  await worldOf([contentStored], () => configMap('front-content'));
  await strip({ labels: { [LABELS.owner]: await hash() } });
  await world.until('the page is at 1.0.0', world.isAt('1.0.0'), MINUTE_MS);
  expect((await content()).data).toEqual({ text: 'hello' });
});

test.each([
  ['only owned', [contentStored]],
  ['also read', [contentStored, forPages.defineAction({ name: 'Looks', reads: { configs: ConfigMaps }, run: () => done('') }) as unknown as Action]],
])('a label that somebody took off is put back at once, by one write: of a kind that is %s', async (_how, actions) => {
  await worldOf(actions);
  world.tally.reset();
  await strip({ labels: { [LABELS.owner]: null } });
  await world.run(5_000);
  expect((await content()).metadata.labels?.[LABELS.owner]).toBe(await hash());
  expect(world.tally.lines().filter((line) => line.includes('configmaps'))).toEqual(['patch configmaps front-content 200']);
  await world.run(60 * MINUTE_MS);
  expect(world.tally.lines().filter((line) => line.includes('configmaps'))).toHaveLength(1);
});

test('an object that another one controls by now is left to it', async () => {
  await worldOf([contentStored]);
  await configMap('other');
  const { uid } = (await world.client.get(CONFIG_MAP, { name: 'other', namespace: 'default' })).metadata;
  const other = { apiVersion: 'v1', kind: 'ConfigMap', name: 'other', uid, controller: true };
  world.tally.reset();
  await strip({ labels: { [LABELS.owner]: null }, ownerReferences: [other] });
  await world.run(5_000);
  expect((await content()).metadata.ownerReferences).toEqual([other]);
  expect(world.tally.lines().filter((line) => line.includes('configmaps'))).toEqual([]);
});

test('an Action that owns a kind gets and lists what others made of it as well', async () => {
  const found: string[] = [];
  const looks = forPages.defineAction({
    name: 'ContentStored',
    owns: { configs: ConfigMaps },
    run: async ({ cluster }) => {
      const one = await cluster.configs.get('theirs');
      const some = await cluster.configs.list({ labels: { shelf: '7' } });
      found.push(`${one?.data?.['text']} ${some.map(({ metadata }) => metadata.name).join()} ${(await cluster.configs.owned()).length}`);
      return pending('Waiting', 'for ever');
    },
  });
  await worldOf([looks as unknown as Action], () => configMap('theirs', { labels: { shelf: '7' } }));
  expect(new Set(found)).toEqual(new Set(['theirs theirs 0']));
});
