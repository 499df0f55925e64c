import { Inspector, systemRandom } from '@pawl/operator';
import { enrollmentPackage } from '@pawl/procedures-enrollment';
import { afterEach, expect, it } from 'vitest';
import { MemorySink } from './memory-sink.ts';
import { EnrollmentWorld, KINDS } from './world.ts';

let world: EnrollmentWorld;
afterEach(() => world.close());

const staticSource = (...ids: readonly string[]) => ({ static: ids.map((id) => ({ id })) });
const configMaps = { template: { apiVersion: 'v1', kind: 'ConfigMap' }, properties: { data: { host: '{{ id }}' } } };

async function opened(): Promise<EnrollmentWorld> {
  world = new EnrollmentWorld();
  await world.install();
  return world;
}

it('IC-32: a plan shows members to add, change and remove with reasons, against the live cluster, and writes nothing', async () => {
  await opened();
  const sink = new MemorySink(world.clock);
  const packages = [enrollmentPackage({ plugins: { nfs: sink.plugin } })];
  const operator = await world.operator({ plugins: { nfs: sink.plugin } });
  await world.create('hosts', { source: staticSource('h1', 'h2'), sink: configMaps });
  await world.create('disks', { source: staticSource('h1', 'h2'), sink: { plugin: { name: 'nfs' } } });
  for (const name of ['hosts', 'disks']) await world.until(`${name} is at 3.0.0`, world.isAt(name, '3.0.0'));
  await world.stop(operator);
  for (const name of ['hosts', 'disks']) await world.patch(name, { spec: { source: staticSource('h2', 'h3') } });
  await world.patch('hosts', { spec: { sink: { properties: { data: { host: 'new {{ id }}' } } } } });
  const mark = world.mark;
  const { api: transport, client, clock } = world;
  const inspector = new Inspector({
    packages,
    client,
    clock,
    random: systemRandom,
    log: silent,
    config: { openKinds: KINDS, external: {} },
  });
  const [setup] = inspector.kinds;
  if (setup === undefined) throw new Error('no kind');
  const planOf = async (name: string) => {
    const object = await inspector.find(setup, { name, namespace: 'default' });
    if (object === undefined) throw new Error(`no ${name}`);
    return inspector.plan(setup, object, '3.0.0');
  };
  const hosts = await planOf('hosts');
  expect(hosts.notes.map(({ message }) => message)).toEqual([
    'add h3: the sink has no entry for it\nremove h1 (hosts-h1): the source has no such member',
    'change h2: its properties or labels are other ones now (policy.drift Update)',
  ]);
  expect(
    hosts.changes
      .filter(({ operation }) => operation !== 'status')
      .map(({ operation, target }) => `${operation} ${target}`),
  ).toEqual([
    'create ConfigMap default/hosts-h3',
    'update ConfigMap default/hosts-h2',
    'delete ConfigMap default/hosts-h1',
  ]);
  const disks = await planOf('disks');
  expect(disks.changes.filter(({ operation }) => operation === 'effect').map(({ target }) => target)).toEqual([
    'plugins.provision nfs: h3',
    'plugins.destroy nfs: h1',
  ]);
  expect(transport.log.entries().filter((entry) => entry.sequence > mark && entry.mutating && !entry.dryRun)).toEqual(
    [],
  );
  expect(sink.writes).toEqual(['provision disks-h1', 'provision disks-h2']);
});

it('entries may be in another namespace, and go from there as well', async () => {
  await opened();
  await world.client.create(
    { apiVersion: 'v1', kind: 'Namespace' },
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shared' } },
  );
  await world.operator();
  const sink = { ...configMaps, template: { ...configMaps.template, namespace: 'shared' } };
  await world.create('hosts', { source: staticSource('h1', 'h2'), sink, deletionPolicy: 'Delete' });
  await world.until('hosts is at 3.0.0', world.isAt('hosts', '3.0.0'));
  const names = async (): Promise<readonly string[]> => {
    const { items } = await world.client.list({ apiVersion: 'v1', kind: 'ConfigMap' }, { namespace: 'shared' });
    return items.map(({ metadata }) => metadata.name).filter((name) => name.startsWith('hosts'));
  };
  expect(await names()).toEqual(['hosts-h1', 'hosts-h2']);
  await world.patch('hosts', { spec: { source: staticSource('h2') } });
  await world.until('one is gone', async () => (await names()).join() === 'hosts-h2');
  await world.remove('hosts');
  await world.until('it is gone', async () => (await world.find('hosts')) === undefined);
  expect(await names()).toEqual([]);
});

it('with Delete also those go that the framework never deletes by itself, such as claims of volumes', async () => {
  await opened();
  const claims = { apiVersion: 'v1', kind: 'PersistentVolumeClaim', plural: 'persistentvolumeclaims' };
  await world.operator({}, { openKinds: { SinkEntry: [claims] } });
  const claim = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };
  const sink = { template: { apiVersion: 'v1', kind: 'PersistentVolumeClaim' }, properties: { spec: claim } };
  await world.create('disks', { source: staticSource('h1', 'h2'), sink, deletionPolicy: 'Delete' });
  await world.until('disks is at 3.0.0', world.isAt('disks', '3.0.0'));
  await world.remove('disks');
  await world.until('it is gone', async () => (await world.find('disks')) === undefined);
  await world.run(5_000);
  expect(await world.names('PersistentVolumeClaim')).toEqual([]);
});

it('a member whose object the server refuses fails alone', async () => {
  await opened();
  await world.operator();
  const sink = {
    template: { apiVersion: 'v1', kind: 'Service' },
    properties: { spec: { ports: [{ port: '{{ properties.port }}' }] } },
  };
  await world.create('ports', {
    source: {
      static: [
        { id: 'good', properties: { port: 80 } },
        { id: 'bad', properties: { port: 99_999 } },
      ],
    },
    sink,
  });
  await world.until('it is told', async () => (await world.see('ports')).reason === 'EntriesFailed');
  expect(await world.names('Service')).toContain('ports-good');
  expect((await world.see('ports')).entries).toMatchObject([{ key: 'bad', state: 'Failed', reason: 'Invalid' }]);
});

it('IC-31: 1000 members as objects: each is written once, and then nothing is', async () => {
  await opened();
  await world.operator();
  const source = { static: Array.from({ length: 1_000 }, (_, index) => ({ id: `m${index}` })) };
  const mark = world.mark;
  await world.create('many', { source, sink: configMaps, concurrency: 10 });
  await world.until('many is at 3.0.0', world.isAt('many', '3.0.0'));
  expect(world.writes(mark).filter((write) => write.includes('configmaps'))).toHaveLength(1_000);
  const lists = world.api.log
    .entries()
    .filter(
      ({ sequence, verb, resource, userAgent }) =>
        sequence > mark && verb === 'list' && resource === 'configmaps' && userAgent.startsWith('pawl/test'),
    );
  expect(lists.length).toBeLessThan(10);
  const done = world.mark;
  await world.run(20_000);
  expect(world.writes(done)).toEqual([]);
});

const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
