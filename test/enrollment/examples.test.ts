// The examples that the package ships, as they stand there, on a whole world.
import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { MemorySink } from './memory-sink.ts';
import { EnrollmentWorld } from './world.ts';

type Json = Readonly<Record<string, unknown>>;
type Document = Json & {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace: string };
};

const FOLDER = new URL('../../packages/procedures/enrollment/examples/', import.meta.url);
const textOf = (name: string): string => readFileSync(new URL(name, FOLDER), 'utf8');
const documentsOf = (name: string): readonly Document[] =>
  parseAllDocuments(textOf(name)).map((document) => document.toJS() as Document);
const settings = parse(textOf('operator.yaml')) as {
  readonly openKinds: Json;
  readonly external: { readonly plugins: Json };
};

let world: EnrollmentWorld;
afterEach(() => world.close());

/** A world with an operator that is configured as the examples say, but for plugins, which are in process. */
async function opened(...sinks: readonly (readonly [string, MemorySink])[]): Promise<EnrollmentWorld> {
  await world.install();
  await world.client.create({ apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition' }, dnsEndpoints);
  await world.run(500);
  const plugins = Object.fromEntries(sinks.map(([name, { plugin }]) => [name, plugin]));
  await world.operator({ plugins }, { openKinds: settings.openKinds });
  return world;
}

/** As much of external-dns as is needed. */
const dnsEndpoints = {
  metadata: {
    name: 'dnsendpoints.externaldns.k8s.io',
    annotations: { 'api-approved.kubernetes.io': 'https://github.com/kubernetes-sigs/external-dns' },
  },
  spec: {
    group: 'externaldns.k8s.io',
    scope: 'Namespaced',
    names: { kind: 'DNSEndpoint', listKind: 'DNSEndpointList', plural: 'dnsendpoints', singular: 'dnsendpoint' },
    versions: [
      {
        name: 'v1alpha1',
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: { spec: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
          },
        },
      },
    ],
  },
};

const apply = async (name: string): Promise<void> => {
  for (const document of documentsOf(name)) await world.client.create(document, document);
};

describe('the examples', () => {
  it('name only what the configuration has, and the API server takes them', async () => {
    world = new EnrollmentWorld();
    await opened();
    for (const name of ['nfs-hosts.yaml', 'disk-per-node.yaml', 'dns-per-pod.yaml', 'database-users.yaml']) {
      await apply(name);
      for (const { spec } of documentsOf(name).filter(({ kind }) => kind === 'Enrollment')) {
        const plugins = [...JSON.stringify(spec).matchAll(/"plugin":\{"name":"([^"]+)"/g)].map(([, plugin]) => plugin);
        for (const plugin of plugins) expect(Object.keys(settings.external.plugins)).toContain(plugin);
      }
    }
  });

  it('authorise every host of a group, and hold back when too many would lose access', async () => {
    world = new EnrollmentWorld();
    const [workers, nfs] = [new MemorySink(world.clock), new MemorySink(world.clock)];
    workers.groups.set('workers', ['h1', 'h2', 'h3', 'h4', 'h5']);
    await opened(['workers', workers], ['nfs-auth', nfs]);
    await apply('nfs-hosts.yaml');
    await world.until('the hosts are authorised', world.isAt('nfs-hosts', '3.0.0'));
    expect([...nfs.instances.values()].map(({ Properties }) => Properties)).toContainEqual({
      host: 'h3',
      access: 'rw',
    });
    workers.groups.set('workers', ['h1', 'h2']);
    await world.until('it is held', async () => (await world.see('nfs-hosts')).reason === 'RemovalGuarded');
    expect(nfs.instances.size).toBe(5);
    workers.groups.set('workers', ['h1', 'h2', 'h3', 'h4']);
    await world.until('one goes', () => nfs.instances.size === 4);
  });

  it('give every ready node a disk', async () => {
    world = new EnrollmentWorld();
    await opened();
    for (const [name, pool] of [
      ['n1', 'workers'],
      ['n2', 'workers'],
      ['n3', 'other'],
    ] as const)
      await world.client.create(
        { apiVersion: 'v1', kind: 'Node' },
        { apiVersion: 'v1', kind: 'Node', metadata: { name, labels: { pool, disk: '20Gi' } } },
      );
    await apply('disk-per-node.yaml');
    for (const name of ['n1', 'n2', 'n3'])
      await world.client.mergePatch(
        { apiVersion: 'v1', kind: 'Node' },
        { name },
        { status: { conditions: [{ type: 'Ready', status: 'True', reason: 'KubeletReady', message: '' }] } },
        { subresource: 'status' },
      );
    await world.until('both have one', async () => (await world.names('PersistentVolumeClaim')).length === 2);
    expect(await world.names('PersistentVolumeClaim')).toEqual(['scratch-n1', 'scratch-n2']);
    const claim = await world.client.find(
      { apiVersion: 'v1', kind: 'PersistentVolumeClaim' },
      { name: 'scratch-n1', namespace: 'default' },
    );
    expect(claim).toMatchObject({
      metadata: { labels: { node: 'n1', purpose: 'scratch' } },
      spec: { resources: { requests: { storage: '20Gi' } } },
    });
  });

  it('publish a record for each ready pod, and take it back when the pod goes', async () => {
    world = new EnrollmentWorld();
    await opened();
    await apply('dns-per-pod.yaml');
    const pod = { apiVersion: 'v1', kind: 'Pod' };
    for (const name of ['game-1', 'game-2'])
      await world.client.create(pod, {
        ...pod,
        metadata: { name, namespace: 'default', labels: { app: 'game' } },
        spec: { containers: [{ name: 'c', image: 'c' }] },
      });
    const endpoints = { apiVersion: 'externaldns.k8s.io/v1alpha1', kind: 'DNSEndpoint' };
    const records = async (): Promise<readonly unknown[]> => {
      const { items } = await world.client.list(endpoints, { namespace: 'default' });
      return items.map(
        (item) =>
          (
            item as unknown as {
              readonly spec: {
                readonly endpoints: readonly [{ readonly dnsName: string; readonly targets: readonly string[] }];
              };
            }
          ).spec.endpoints[0],
      );
    };
    await world.until('both are published', async () => (await records()).length === 2);
    const found = await world.client.find(pod, { name: 'game-1', namespace: 'default' });
    const { podIP } = (found as unknown as { readonly status: { readonly podIP: string } }).status;
    expect(await records()).toContainEqual({
      dnsName: 'game-1.game.example.com',
      recordType: 'A',
      recordTTL: 60,
      targets: [podIP],
    });
    await world.client.remove(pod, { name: 'game-1', namespace: 'default' });
    await world.until('one is taken back', async () => (await records()).length === 1);
  });

  it('keep one database user for each name in a ConfigMap', async () => {
    world = new EnrollmentWorld();
    const accounts = new MemorySink(world.clock);
    await opened(['accounts', accounts]);
    await apply('database-users.yaml');
    await world.until('both are users', world.isAt('database-users', '3.0.0'));
    const users = (): readonly unknown[] => [...accounts.instances.values()].map(({ Properties }) => Properties);
    expect(users()).toEqual([
      { user: 'ada', role: 'admin' },
      { user: 'grace', role: 'reader' },
    ]);
    await world.client.mergePatch(
      { apiVersion: 'v1', kind: 'ConfigMap' },
      { name: 'team', namespace: 'default' },
      { data: { grace: 'writer', lin: 'reader', ada: null } },
    );
    await world.until('the list is followed', () => users().length === 2 && JSON.stringify(users()).includes('lin'));
    await world.run(5_000);
    expect(users()).toContainEqual({ user: 'grace', role: 'writer' });
    expect(users()).toHaveLength(2);
    await world.client.mergePatch(
      { apiVersion: 'v1', kind: 'ConfigMap' },
      { name: 'team', namespace: 'default' },
      { data: null },
    );
    await world.until(
      'a list that is gone is not an empty one',
      async () => (await world.see('database-users')).reason === 'SourceUnavailable',
    );
    expect(users()).toHaveLength(2);
  });
});
