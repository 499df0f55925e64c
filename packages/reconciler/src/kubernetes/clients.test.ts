// What the clients of an Action send: everything that tells later whose an object is and who wrote it.
import { expect, test } from 'vitest';
import { proceduresFor } from '../define.ts';
import { done } from '../result.ts';
import { MemoryCluster, TestObject } from '../testing/index.ts';
import { ConfigMaps, Namespaces, Nodes } from './builtin.ts';
import type { KubernetesContext } from './context.ts';
import type { CustomResource } from './model.ts';
import { ANNOTATIONS, LABELS, ownerHash } from './names.ts';
import type { ApplyRequest } from './port.ts';
import { defineResource, guarded, type Resource } from './resource.ts';

interface Cache extends CustomResource<'x.example/v1', 'Cache', { readonly size: number }> {}
const { defineAction, defineProcedure } = proceduresFor<KubernetesContext<Cache>>();
const hash = ownerHash({ group: 'x.example', kind: 'Cache', namespace: 'n', name: 'c' });

/** A cluster that remembers the requests of apply. */
function recording(): { readonly cluster: MemoryCluster; readonly requests: ApplyRequest[] } {
  const cluster = new MemoryCluster();
  const requests: ApplyRequest[] = [];
  const { apply } = cluster;
  cluster.apply = (request) => {
    requests.push(request);
    return apply(request);
  };
  return { cluster, requests };
}
const cacheIn = (cluster: MemoryCluster, namespace: string | undefined = 'n'): TestObject<Cache> => {
  const metadata = { name: 'c', ...(namespace === undefined ? {} : { namespace }) };
  return new TestObject<Cache>({ apiVersion: 'x.example/v1', kind: 'Cache', metadata, spec: { size: 1 } }, { cluster });
};
const applying = (namespace?: string, kind = ConfigMaps) =>
  defineProcedure({
    version: '1.2.0',
    actions: [
      defineAction({
        name: 'Stored',
        owns: { maps: kind },
        run: async ({ cluster }) => {
          const metadata = { name: 'm', labels: { app: 'web' }, annotations: { note: 'x' } };
          await cluster.maps.apply({
            metadata: { ...metadata, ...(namespace === undefined ? {} : { namespace }) },
            data: { a: '1' },
          });
          return done();
        },
      }),
    ],
  });
const references = (request: ApplyRequest | undefined): unknown =>
  (request?.body['metadata'] as { readonly ownerReferences?: unknown } | undefined)?.ownerReferences;

test('an owned object carries the owner label, the stamp and the hash of what was wanted, on top of the own metadata', async () => {
  const { cluster, requests } = recording();
  const object = cacheIn(cluster);
  await object.cycle(applying());
  const [request] = requests;
  const { uid } = object.object.metadata;
  expect(request).toMatchObject({
    mode: 'whole',
    fieldManager: 'pawl-test',
    stamp: { version: '1.2.0', ownerUid: uid, action: 'Stored' },
  });
  expect(request?.body).toEqual({
    data: { a: '1' },
    metadata: {
      name: 'm',
      labels: { app: 'web', [LABELS.owner]: hash },
      annotations: {
        note: 'x',
        [ANNOTATIONS.version]: '1.2.0',
        [ANNOTATIONS.ownerUid]: uid,
        [ANNOTATIONS.action]: 'Stored',
        [ANNOTATIONS.applied]: request?.appliedHash,
      },
      ownerReferences: [{ apiVersion: 'x.example/v1', kind: 'Cache', name: 'c', uid, controller: true }],
    },
  });
});

test('the hash tells what is wanted, not in which order it was written', async () => {
  const { cluster, requests } = recording();
  const object = cacheIn(cluster);
  const wants = (data: Record<string, string>) =>
    defineProcedure({
      actions: [
        defineAction({
          name: 'Stored',
          owns: { maps: ConfigMaps },
          run: async ({ cluster: { maps } }) => {
            await maps.apply({ data, metadata: { name: 'm' } });
            return done();
          },
        }),
      ],
    });
  for (const data of [
    { a: '1', b: '2' },
    { b: '2', a: '1' },
    { a: '2', b: '2' },
  ])
    await object.cycle(wants(data));
  const [first, second, third] = requests.map(({ appliedHash }) => appliedHash);
  expect(second).toBe(first);
  expect(third).not.toBe(first);
});

test('the server is told of the owner only where it can follow, and never for what is deleted in an order', async () => {
  const sent = async (namespace: string | undefined, procedure: ReturnType<typeof applying>): Promise<unknown> => {
    const { cluster, requests } = recording();
    await cacheIn(cluster, namespace).cycle(procedure);
    return references(requests[0]);
  };
  expect(await sent('n', applying())).toHaveLength(1);
  expect(await sent('n', applying('other'))).toBeUndefined();
  expect(await sent('n', applying(undefined, guarded(ConfigMaps)))).toBeUndefined();
  const clusterWide = defineProcedure({
    actions: [
      defineAction({
        name: 'Made',
        owns: { namespaces: Namespaces },
        run: async ({ cluster }) => {
          await cluster.namespaces.apply({ metadata: { name: 'made' } });
          return done();
        },
      }),
    ],
  });
  expect(await sent('n', clusterWide)).toBeUndefined();
});

test('owned objects are found by their label, in every namespace', async () => {
  const { cluster } = recording();
  const object = cacheIn(cluster);
  cluster.put({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'foreign', namespace: 'n' } });
  await object.cycle(applying('other'));
  const names: string[] = [];
  const listing = defineAction({
    name: 'Listed',
    owns: { maps: ConfigMaps },
    run: async ({ cluster: { maps } }) => {
      names.push(...(await maps.owned()).map(({ metadata }) => `${metadata.namespace ?? ''}/${metadata.name}`));
      return done();
    },
  });
  await object.cycle(defineProcedure({ actions: [listing] }));
  expect(names).toEqual(['other/m']);
});

test('a claim is the name of the package and of the claim, whichever Action makes it', async () => {
  const { cluster, requests } = recording();
  cluster.put({ apiVersion: 'v1', kind: 'Node', metadata: { name: 'w' } });
  const claimed = defineAction({
    name: 'Claimed',
    edits: { nodes: Nodes },
    run: async ({ cluster: { nodes } }) => {
      const node = await nodes.get('w');
      if (node !== undefined) await nodes.edit(node, 'maintenance', { spec: { unschedulable: true } });
      return done();
    },
  });
  await cacheIn(cluster).cycle(defineProcedure({ actions: [claimed] }));
  expect(requests[0]).toMatchObject({
    mode: 'fields',
    fieldManager: 'pawl-test/maintenance',
    body: { spec: { unschedulable: true } },
  });
  expect(requests[0]).not.toHaveProperty('stamp');
});

test('a handle is known to the engine by its id alone', () => {
  const Caches: Resource<Cache> = defineResource<Cache>({
    apiVersion: 'x.example/v1',
    kind: 'Cache',
    plural: 'caches',
  });
  expect(Caches.id).toBe('x.example/v1/Cache');
  expect(guarded(Caches)).toMatchObject({ id: Caches.id, guarded: true });
});
