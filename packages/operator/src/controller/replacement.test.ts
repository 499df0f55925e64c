// A StatefulSet whose claims must change: replaced without its pods, killed at every write, in both directions.
import { expect, test } from 'vitest';
import { done, pending, proceduresFor } from '@pawl/reconciler';
import {
  crdFor,
  defineCatalog,
  definePackage,
  defineResource,
  StatefulSets,
  type CustomResource,
  type KubernetesContext,
  type KubernetesObject,
  type ProcedurePackage,
} from '@pawl/reconciler/kubernetes';
import { crashingTransport, type CrashPlan } from '../testing/crashing-transport.ts';
import { World } from '../testing/world.ts';
import { partsOf } from './custom-object.ts';

interface Store extends CustomResource<'test.pawl.dev/v1', 'Store', { readonly replicas: number }> {}
const Stores = defineResource<Store>({ apiVersion: 'test.pawl.dev/v1', kind: 'Store', plural: 'stores' });
const forStores = proceduresFor<KubernetesContext<Store>>();
const ref = { name: 'db', namespace: 'default' };

const running = (storage: string, policy: 'OrderedReady' | 'Parallel') =>
  forStores.defineAction({
    name: 'Running',
    owns: { sets: StatefulSets },
    immutable: { sets: 'OrphanRecreate' },
    run: async ({ object, cluster }) => {
      const labels = { store: object.metadata.name };
      const claim = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage } } };
      const { metadata, spec, status } = await cluster.sets.apply({
        metadata: { name: object.metadata.name },
        spec: {
          replicas: object.spec.replicas,
          serviceName: object.metadata.name,
          podManagementPolicy: policy,
          selector: { matchLabels: labels },
          template: { metadata: { labels }, spec: { containers: [{ name: 'db', image: 'db:1' }] } },
          volumeClaimTemplates: [{ metadata: { name: 'data' }, spec: claim }],
        },
      });
      const isSeen = status?.observedGeneration === metadata.generation;
      return isSeen && status?.readyReplicas === spec?.replicas ? done() : pending('Starting', 'pods are starting');
    },
  });

const first = running('1Gi', 'OrderedReady');
const v1 = forStores.defineProcedure({ version: '1.0.0', actions: [first] });
const v2 = forStores.deriveProcedure(v1, {
  version: '2.0.0',
  rollbackTo: '>=1.0.0',
  replace: [forStores.replaceAction(first, running('2Gi', 'Parallel'))],
});

function release(...procedures: readonly (typeof v1)[]): ProcedurePackage {
  const spec = { type: 'object', properties: { replicas: { type: 'integer' } } } as const;
  return definePackage({ name: 'stores', kinds: [defineCatalog(Stores, procedures)], crds: [crdFor(Stores, { spec })] });
}

async function isAt(world: World, version: string): Promise<boolean> {
  const found = await world.get(Stores.apiVersion, Stores.kind, ref.name, ref.namespace);
  const { procedure } = (found === undefined ? {} : partsOf(found).status) as {
    readonly procedure?: { readonly version?: string; readonly phase?: string };
  };
  return procedure?.version === version && procedure.phase === 'Steady';
}

async function uidsOf(world: World, kind: 'Pod' | 'PersistentVolumeClaim'): Promise<Readonly<Record<string, string>>> {
  const { items } = await world.client.list({ apiVersion: 'v1', kind }, { namespace: 'default' });
  return Object.fromEntries(items.map(({ metadata }) => [metadata.name, metadata.uid]));
}

const theSet = (world: World): Promise<KubernetesObject | undefined> =>
  world.get('apps/v1', 'StatefulSet', ref.name, ref.namespace);

interface Seen {
  readonly writes: number;
  readonly crashed: boolean;
}

/** One story: a store with three pods goes up, or back, and its operator is killed once. */
async function story(direction: 'up' | 'back', plan?: CrashPlan): Promise<Seen> {
  const world = new World();
  try {
    const both = release(v1, v2);
    await world.install(both);
    const start = direction === 'up' ? release(v1) : both;
    const from = direction === 'up' ? '1.0.0' : '2.0.0';
    const to = direction === 'up' ? '2.0.0' : '1.0.0';
    const old = await world.operator([start]);
    await world.client.create(Stores, { metadata: ref, spec: { replicas: 3 } });
    await world.until(`it is at ${from}`, () => isAt(world, from));
    await world.stop(old);
    const before = { pods: await uidsOf(world, 'Pod'), claims: await uidsOf(world, 'PersistentVolumeClaim') };
    expect(Object.keys(before.pods)).toHaveLength(3);
    const uid = (await theSet(world))?.metadata.uid;
    if (direction === 'back') {
      const annotations = { 'procedures.pawl.dev/rollback': to };
      await world.client.mergePatch(Stores, ref, { metadata: { annotations } });
    }
    const transport = crashingTransport(world.api, plan);
    const operator = await world.operator([both], {}, transport);
    const lost: string[] = [];
    const check = async (): Promise<void> => {
      const pods = await uidsOf(world, 'Pod');
      for (const [name, known] of Object.entries(before.pods)) if (pods[name] !== known) lost.push(name);
    };
    await world.until('it is killed or done', async () => {
      await check();
      return transport.isDead() || isAt(world, to);
    });
    if (transport.isDead()) {
      await world.run(1_000);
      await world.operator([both]);
      await world.until(`${to} is there after ${JSON.stringify(plan)}`, async () => {
        await check();
        return isAt(world, to);
      });
    } else await world.stop(operator);
    expect({ plan, lost }).toEqual({ plan, lost: [] });
    expect(await uidsOf(world, 'PersistentVolumeClaim')).toEqual(before.claims);
    const set = await theSet(world);
    expect(set?.metadata.uid).not.toBe(uid);
    const { items } = await world.client.list({ apiVersion: 'v1', kind: 'Pod' }, { namespace: 'default' });
    for (const { metadata } of items) expect(metadata.ownerReferences?.map((owner) => owner.uid)).toEqual([set?.metadata.uid]);
    return { writes: transport.writes(), crashed: transport.isDead() };
  } finally {
    await world.abandon();
  }
}

test.each(['up', 'back'] as const)('going %s, no pod and no claim is lost wherever the operator is killed', async (direction) => {
  const { writes } = await story(direction);
  expect(writes).toBeGreaterThan(5);
  for (let atWrite = 1; atWrite <= writes; atWrite += 1)
    for (const moment of ['before', 'after'] as const)
      expect({ atWrite, moment, ...(await story(direction, { atWrite, moment })) }).toMatchObject({ crashed: true });
}, 120_000);
