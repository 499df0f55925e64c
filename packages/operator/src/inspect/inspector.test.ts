import { afterEach, beforeEach, expect, test } from 'vitest';
import type { KubernetesObject } from '@pawl/reconciler/kubernetes';
import { page, Pages, release, v1, v2 } from '../testing/pages.ts';
import { countingRandom, World } from '../testing/world.ts';
import { partsOf } from '../controller/custom-object.ts';
import { Inspector } from './inspector.ts';

let world: World;
beforeEach(async () => {
  world = new World();
  await world.install(release(v1, v2));
});
afterEach(() => world.close());

const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
const inspectorFor = (...packages: readonly ReturnType<typeof release>[]): Inspector =>
  new Inspector({ packages, client: world.client, clock: world.clock, random: countingRandom(2), log: silent });

async function installed(): Promise<KubernetesObject> {
  await world.operator([release(v1)]);
  await world.client.create(Pages, page('front'));
  await world.until('front is at 1.0.0', async () => {
    const found = await world.get(Pages.apiVersion, Pages.kind, 'front', 'default');
    const { procedure } = partsOf(found as KubernetesObject).status as { procedure?: { version?: string; phase?: string } };
    return procedure?.version === '1.0.0' && procedure.phase === 'Steady';
  });
  return (await world.get(Pages.apiVersion, Pages.kind, 'front', 'default')) as KubernetesObject;
}

test('a plan of the next version shows what it creates, changes and deletes, and writes nothing', async () => {
  const object = await installed();
  const inspector = inspectorFor(release(v1, v2));
  const [setup] = inspector.kinds;
  if (setup === undefined) throw new Error('no kind');
  const mark = world.mark;
  const plan = await inspector.plan(setup, object, '2.0.0');
  expect(plan).toMatchObject({ from: '1.0.0', to: '2.0.0', guessed: [], irreversible: [] });
  expect(plan.changes.map(({ operation, target }) => `${operation} ${target}`)).toEqual([
    'create ConfigMap default/front-text',
    'update Deployment default/front',
    'delete ConfigMap default/front-content',
  ]);
  const deployment = plan.changes.find(({ target }) => target.startsWith('Deployment'));
  expect(deployment?.restartsPods).toBe(true);
  expect(deployment?.fields).toContainEqual({
    path: 'spec.template.metadata.annotations.content',
    before: 'front-content',
    after: 'front-text',
  });
  expect(world.writes(mark, 'user')).toEqual([]);
});

test('a plan of the version that is there is empty', async () => {
  const object = await installed();
  const inspector = inspectorFor(release(v1));
  const [setup] = inspector.kinds;
  if (setup === undefined) throw new Error('no kind');
  const { changes, unknown, blocked } = await inspector.plan(setup, object, '1.0.0');
  expect({ changes, unknown: [...unknown], blocked: [...blocked] }).toEqual({ changes: [], unknown: [], blocked: [] });
});

test('an inspection says what another release would do', async () => {
  const object = await installed();
  const newer = inspectorFor(release(v1, v2));
  const [setup] = newer.kinds;
  if (setup === undefined) throw new Error('no kind');
  const { decision, owned } = await newer.inspect(setup, object);
  expect(decision).toMatchObject({ kind: 'Run', mode: 'Upgrade', version: '2.0.0', path: ['2.0.0'] });
  expect(owned.map(({ metadata }) => metadata.name).toSorted()).toEqual(['front', 'front-content']);
});
