import type { ApiRequest } from '@pawl/operator';
import type { Plugin } from '@pawl/procedures-enrollment';
import { afterEach, describe, expect, it } from 'vitest';
import { MemorySink } from './memory-sink.ts';
import { EnrollmentWorld } from './world.ts';

let world: EnrollmentWorld;
afterEach(() => world.close());

async function opened(): Promise<EnrollmentWorld> {
  world = new EnrollmentWorld();
  await world.install();
  return world;
}

const staticSource = (...ids: readonly string[]) => ({ static: ids.map((id) => ({ id })) });
const configMaps = { template: { apiVersion: 'v1', kind: 'ConfigMap' }, properties: { data: { host: '{{ id }}' } } };
const pod = (name: string) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, namespace: 'default', labels: { app: 'web' } },
  spec: { containers: [{ name: 'c', image: 'c' }] },
});
const nfs = (sink: MemorySink): { readonly plugins: Readonly<Record<string, Plugin>> } => ({
  plugins: { nfs: sink.plugin },
});

describe('an operator', () => {
  it('IC-08: enrolls static members and then writes nothing more, through a restart and a resync', async () => {
    await opened();
    const first = await world.operator();
    await world.create('hosts', { source: staticSource('h1', 'h2'), sink: configMaps });
    await world.until('hosts is at 3.0.0', world.isAt('hosts', '3.0.0'));
    expect(await world.names()).toEqual(['hosts-h1', 'hosts-h2']);
    await world.run(2_000);
    const mark = world.mark;
    await world.stop(first);
    const second = await world.operator();
    await world.run(5_000);
    second.resync();
    await world.run(20_000);
    expect(
      world.api.log
        .entries()
        .filter((entry) => entry.sequence > mark && entry.mutating && entry.userAgent.startsWith('pawl/test')),
    ).toEqual([]);
  });

  it('IC-12: the API server refuses a spec without a source, or with two sinks', async () => {
    await opened();
    await expect(world.create('a', { source: {}, sink: configMaps })).rejects.toThrow(
      'exactly one of static, selector, plugin',
    );
    await expect(world.create('b', { sink: configMaps } as never)).rejects.toThrow('spec.source');
    await expect(
      world.create('c', { source: staticSource(), sink: { ...configMaps, plugin: { name: 'x' } } }),
    ).rejects.toThrow('exactly one of template, plugin');
    await expect(
      world.create('d', { source: staticSource(), sink: configMaps, policy: { drift: 'Maybe' } }),
    ).rejects.toThrow('policy.drift');
  });

  it('follows the pods that a selector selects, as soon as they are ready', async () => {
    await opened();
    await world.operator();
    const selector = { apiVersion: 'v1', kind: 'Pod', labelSelector: { app: 'web' }, readyCondition: 'Ready' };
    const sink = {
      template: { apiVersion: 'v1', kind: 'ConfigMap' },
      properties: { data: { ip: '{{ object.status.podIP | default: "none" }}' } },
    };
    await world.create('dns', { source: { selector }, sink, policy: { allowEmptySource: true } });
    await world.until('dns is at 3.0.0', world.isAt('dns', '3.0.0'));
    for (const name of ['web-1', 'web-2']) await world.client.create({ apiVersion: 'v1', kind: 'Pod' }, pod(name));
    await world.until('both are enrolled', async () => (await world.names()).length === 2);
    await world.client.remove({ apiVersion: 'v1', kind: 'Pod' }, { name: 'web-1', namespace: 'default' });
    await world.until('one is left', async () => (await world.names()).join() === 'dns-web-2');
  });

  it('says what is wrong when a kind is not configured, and goes on with the other objects', async () => {
    await opened();
    await world.operator();
    await world.create('secrets', {
      source: staticSource('h1'),
      sink: { template: { apiVersion: 'v1', kind: 'Secret' } },
    });
    await world.create('hosts', { source: staticSource('h1'), sink: configMaps });
    await world.until('hosts is at 3.0.0', world.isAt('hosts', '3.0.0'));
    expect((await world.see('secrets')).message).toContain(
      'SinkEntry may not be v1 Secret; allowed: ConfigMap, Service',
    );
  });

  it('IC-13: an unreadable source is told, asked less and less often, and nothing is written', async () => {
    await opened();
    const sink = new MemorySink(world.clock);
    await world.operator(nfs(sink));
    await world.create('group', {
      source: { plugin: { name: 'nfs', group: 'gone' } },
      sink: { plugin: { name: 'nfs' } },
    });
    await world.until('it is told', async () => (await world.see('group')).reason === 'SourceUnavailable');
    expect((await world.see('group')).ready).toBe('False');
    const calls = (): number => sink.calls.filter((call) => call.startsWith('group')).length;
    await world.run(10_000);
    const early = calls();
    await world.run(240_000);
    expect(calls() - early).toBeLessThan(12);
    expect(sink.writes).toEqual([]);
  });

  it('IC-20 and IC-16: what is not as it should be stands in the status', async () => {
    await opened();
    const sink = new MemorySink(world.clock);
    sink.failing.add('h2');
    await world.operator(nfs(sink));
    await world.create('disks', { source: staticSource('h1', 'h2'), sink: { plugin: { name: 'nfs' } } });
    await world.until(
      'h1 is enrolled and h2 is told',
      async () => (await world.see('disks')).reason === 'EntriesFailed',
    );
    expect((await world.see('disks')).entries).toMatchObject([
      { key: 'h2', state: 'Failed', message: 'no room for h2' },
    ]);
    sink.failing.clear();
    await world.until('disks is at 3.0.0', world.isAt('disks', '3.0.0'));
    expect((await world.see('disks')).entries).toEqual([]);
  });

  it('IC-28: another interval counts at once', async () => {
    await opened();
    const sink = new MemorySink(world.clock);
    sink.groups.set('g', ['h1']);
    await world.operator(nfs(sink));
    await world.create('group', {
      source: { plugin: { name: 'nfs', group: 'g' } },
      sink: { plugin: { name: 'nfs' } },
      syncInterval: '60s',
    });
    await world.until('group is at 3.0.0', world.isAt('group', '3.0.0'));
    await world.run(60_000);
    const polls = async (ms: number): Promise<number> => {
      const before = sink.calls.length;
      await world.run(ms);
      return sink.calls.slice(before).filter((call) => call.startsWith('group')).length;
    };
    expect(await polls(30_000)).toBeLessThanOrEqual(1);
    await world.patch('group', { spec: { syncInterval: '1s' } });
    await world.run(2_000);
    expect(await polls(10_000)).toBeGreaterThanOrEqual(8);
    expect(sink.writes).toEqual(['provision group-h1']);
  });

  it('IC-26: with Orphan the entries outlive the Enrollment, and another one of its name can have them', async () => {
    await opened();
    await world.operator();
    await world.create('hosts', { source: staticSource('h1', 'h2'), sink: configMaps });
    await world.until('hosts is at 3.0.0', world.isAt('hosts', '3.0.0'));
    await world.remove('hosts');
    await world.until('it is gone', async () => (await world.find('hosts')) === undefined);
    await world.run(10_000);
    expect(await world.names()).toEqual(['hosts-h1', 'hosts-h2']);
    const mark = world.mark;
    await world.create('hosts', {
      source: staticSource('h1', 'h2'),
      sink: configMaps,
      policy: { adopt: 'MatchingKey' },
    });
    await world.until('hosts is at 3.0.0 again', world.isAt('hosts', '3.0.0'));
    expect(world.writes(mark).filter((write) => write.startsWith('delete'))).toEqual([]);
    expect(await world.names()).toEqual(['hosts-h1', 'hosts-h2']);
  });

  it('with Delete the entries go before the Enrollment does', async () => {
    await opened();
    await world.operator();
    await world.create('hosts', { source: staticSource('h1', 'h2'), sink: configMaps, deletionPolicy: 'Delete' });
    await world.until('hosts is at 3.0.0', world.isAt('hosts', '3.0.0'));
    await world.remove('hosts');
    await world.until('it is gone', async () => (await world.find('hosts')) === undefined);
    expect(await world.names()).toEqual([]);
  });

  it('IC-27: with Delete and a sink that is down for 30 seconds it waits, and then ends', async () => {
    await opened();
    const sink = new MemorySink(world.clock);
    sink.put('theirs', { Tags: {} });
    await world.operator(nfs(sink));
    await world.create('disks', {
      source: staticSource('h1', 'h2'),
      sink: { plugin: { name: 'nfs' } },
      deletionPolicy: 'Delete',
    });
    await world.until('disks is at 3.0.0', world.isAt('disks', '3.0.0'));
    sink.isDown = true;
    await world.remove('disks');
    await world.run(30_000);
    expect((await world.find('disks'))?.metadata.finalizers).toEqual(['procedures.pawl.dev/teardown']);
    sink.isDown = false;
    await world.until('it is gone', async () => (await world.find('disks')) === undefined);
    expect([...sink.instances.keys()]).toEqual(['theirs']);
  });

  it('IC-25: deleted while paused, it ends', async () => {
    await opened();
    await world.operator();
    await world.create('hosts', { source: staticSource('h1'), sink: configMaps, deletionPolicy: 'Delete' });
    await world.until('hosts is at 3.0.0', world.isAt('hosts', '3.0.0'));
    for (const paused of [true, true, false, false, true]) {
      await world.patch('hosts', { spec: { paused } });
      await world.run(1_000);
    }
    expect((await world.see('hosts')).reason).toBe('Paused');
    await world.remove('hosts');
    await world.until('it is gone', async () => (await world.find('hosts')) === undefined);
    expect(await world.names()).toEqual([]);
  });

  it('IC-29: when the leader is killed in the middle of the additions the other one ends them, and nothing is there twice', async () => {
    await opened();
    const sink = new MemorySink(world.clock);
    sink.delayMs = 300;
    let isCut = false;
    const never = new Promise<never>(() => {});
    const { instance } = sink.plugin;
    const dying = {
      ...instance,
      provision: (spec: Parameters<typeof instance.provision>[0]) => (isCut ? never : instance.provision(spec)),
    };
    const transport = {
      request: (request: ApiRequest) => (isCut ? never : world.api.request(request)),
      watch: world.api.watch,
    };
    const first = await world.operator(
      { plugins: { nfs: { instance: dying } } },
      { leaseNamespace: 'default', podName: 'one' },
      { transport },
    );
    await world.operator(nfs(sink), { leaseNamespace: 'default', podName: 'two' });
    const ids = Array.from({ length: 20 }, (_, index) => `h${index}`);
    await world.create('disks', { source: staticSource(...ids), sink: { plugin: { name: 'nfs' } }, concurrency: 2 });
    await world.until('some are there', () => sink.instances.size >= 5);
    isCut = true;
    world.abandon(first);
    await world.until('disks is at 3.0.0', world.isAt('disks', '3.0.0'), 300_000);
    expect([...sink.instances.values()].map(({ Tags }) => Tags['enrollment.pawl.dev/key'] ?? '').toSorted()).toEqual(
      ids.toSorted(),
    );
  });
});

describe('the ladder', () => {
  it('IC-34: from 1.0.0 to 3.0.0 the way leads through 2.0.0, and it shows', async () => {
    await opened();
    const sink = new MemorySink(world.clock);
    const old = await world.operator(nfs(sink), {}, { upTo: '1.0.0' });
    await world.create('disks', { source: staticSource('h1', 'h2'), sink: { plugin: { name: 'nfs' } } });
    await world.create('hosts', { source: staticSource('h1', 'h2'), sink: configMaps });
    for (const name of ['disks', 'hosts']) await world.until(`${name} is at 1.0.0`, world.isAt(name, '1.0.0'));
    await world.stop(old);
    const mark = world.mark;
    await world.operator(nfs(sink));
    for (const name of ['disks', 'hosts']) await world.until(`${name} is at 3.0.0`, world.isAt(name, '3.0.0'));
    expect(sink.writes).toEqual(['provision disks-h1', 'provision disks-h2', 'label i1', 'label i2']);
    expect(world.writes(mark).filter((write) => !/^patch configmaps hosts-h[12]$/.test(write))).toEqual([]);
    expect(JSON.stringify((await world.see('disks')).history)).toMatch(/2\.0\.0.*3\.0\.0|3\.0\.0.*2\.0\.0/);
  });

  it('IC-35: under an operator that only knows 1.0.0 again, what 2.0.0 has made is left alone', async () => {
    await opened();
    const sink = new MemorySink(world.clock);
    const newer = await world.operator(nfs(sink), {}, { upTo: '2.0.0' });
    await world.create('disks', { source: staticSource('h1'), sink: { plugin: { name: 'nfs' } } });
    await world.until('disks is at 2.0.0', world.isAt('disks', '2.0.0'));
    await world.stop(newer);
    await world.operator(nfs(sink), {}, { upTo: '1.0.0' });
    await world.patch('disks', { spec: { source: staticSource('h1', 'h2') } });
    await world.run(20_000);
    expect(sink.writes).toEqual(['provision disks-h1']);
    expect((await world.see('disks')).phase).toBe('Blocked');
  });
});
