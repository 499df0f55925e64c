// What is sent for owned objects, judged on the request log: nothing while nothing differs, one repair for one disturbance.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { childrenOf, disturbances } from '../testing/disturbances.ts';
import { FaultWorld } from '../testing/fault-world.ts';
import { page, Pages } from '../testing/pages.ts';
import { trickyRelease, wanted } from '../testing/tricky-children.ts';

const HOUR_MS = 3_600_000;
const want = wanted();
const packages = [trickyRelease(want)];
let world: FaultWorld;

beforeAll(async () => {
  world = new FaultWorld();
  await world.install(...packages);
  await world.operator(packages);
  await world.client.create(Pages, page('front'));
  await world.until('front is at 1.0.0', world.isAt('1.0.0'));
  await world.run(60_000);
});
afterAll(() => world.close());

const childWrites = (): readonly string[] => world.tally.lines().filter((line) => !line.includes('pages.test.pawl.dev'));

test('an idle object causes no request that could change anything, for an hour, in which it is looked at again and again', async () => {
  world.tally.reset();
  await world.run(HOUR_MS);
  expect(world.tally.lines()).toEqual([]);
});

test('a second operator process, which knows nothing, finds nothing to do', async () => {
  world.tally.reset();
  const second = await world.operator(packages, { podName: 'second' });
  await world.run(HOUR_MS / 2);
  await world.stop(second);
  expect(world.tally.lines()).toEqual([]);
});

test.each(disturbances)('$name: $repairs repairs, then silence for an hour', async ({ disturb, repairs, look, expected }) => {
  world.tally.reset();
  await disturb(world.clientOf('somebody'));
  await world.run(HOUR_MS);
  expect(childWrites().length, childWrites().join('\n')).toBeLessThanOrEqual(repairs);
  // The report of a repair, and of the silence after it.
  expect(world.tally.total() - childWrites().length).toBeLessThanOrEqual(2 * repairs);
  expect(look(await childrenOf(world.client))).toEqual(expected);
});

test('what is wanted no longer is really removed: a field, a label, an item of a list; what others added stays', async () => {
  const { metadata, data } = want.configMap;
  want.configMap = { metadata: { name: metadata.name }, data: { text: data?.['text'] ?? '' } };
  const { spec } = want.deployment;
  const [container] = spec?.template.spec?.containers ?? [];
  want.deployment = {
    ...want.deployment,
    spec: {
      ...spec,
      template: {
        ...spec?.template,
        metadata: { labels: { page: 'front' } },
        spec: {
          containers: [
            { name: 'web', image: 'web:1', env: container?.env?.slice(0, 2), ports: container?.ports?.slice(0, 1), resources: { requests: { cpu: '500m' } } },
          ],
        },
      },
    },
  } as never;
  want.service = { ...want.service, spec: { ...want.service.spec, ports: [{ name: 'web', port: 80 }] } };
  world.tally.reset();
  await world.edit('front', { text: 'second' });
  await world.run(HOUR_MS);
  expect(childWrites().length).toBeLessThanOrEqual(3);
  const { configMap, deployment, service } = await childrenOf(world.client);
  expect(configMap.at('data')).toEqual({ text: 'hello' });
  expect(configMap.at('metadata', 'labels')).toEqual({ shelf: '7', 'procedures.pawl.dev/owner': expect.any(String) });
  const pod = deployment.at('spec', 'template') as Readonly<Record<'metadata' | 'spec', Readonly<Record<string, unknown>>>>;
  expect(pod.metadata['annotations']).toEqual({ 'kubectl.kubernetes.io/restartedAt': 'now' });
  const [web, sidecar] = pod.spec['containers'] as readonly Readonly<Record<string, unknown>>[];
  expect(web).toMatchObject({ env: [{ name: 'B' }, { name: 'A' }], ports: [{ containerPort: 8080 }], resources: { requests: { cpu: '500m' } } });
  expect(web?.['resources']).toEqual({ requests: { cpu: '500m' } });
  expect(sidecar?.['name']).toBe('sidecar');
  expect((service.at('spec', 'ports') as readonly { readonly name: string }[]).map(({ name }) => name)).toEqual(['web']);
  expect(deployment.at('spec', 'replicas')).toBe(4);
});
