import { LABELS, ownerHashOf } from '@pawl/reconciler/kubernetes';
import { MemoryCluster } from '@pawl/reconciler/testing';
import { describe, expect, it } from 'vitest';
import { CONFIRM_REMOVALS, RELEASED, TAGS } from './sinks/marks.ts';
import { Enrolling, intoConfigMaps, intoPlugin, members, said } from './testing/enrolling.ts';
import { FakePlugin } from './testing/fake-plugin.ts';
import { v1 } from './v1/index.ts';
import { v2 } from './v2/index.ts';
import { v3 } from './v3/index.ts';

const hosts = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => `h${String(index + 1).padStart(2, '0')}`);
/** Tags of an instance that 1.0.0 made for this Enrollment. */
const made = (sourceId: string) => ({ [TAGS.sourceId]: sourceId, [TAGS.enrollment]: 'default/nfs' });

describe('a source and a sink', () => {
  it('IC-07: h1, h2, h3 against h1, h2, h5: one is provisioned, then one destroyed', async () => {
    const enrolling = new Enrolling({
      source: { static: ['h1', 'h2', 'h3'].map((id) => ({ id, properties: { iops: 10 } })) },
      sink: { ...intoPlugin, properties: { host: '{{ id }}', iops: '{{ properties.iops }}' } },
    });
    for (const id of ['h1', 'h2', 'h5']) enrolling.plugin.put(`nfs${id}`, made(id));
    await enrolling.sync(v1);
    expect(enrolling.plugin.writes).toEqual(['provision nfs-h3', 'destroy nfsh5 terminate']);
    expect(enrolling.plugin.instances.get('i1')).toMatchObject({
      Properties: { host: 'h3', iops: 10 },
      Tags: made('h3'),
    });
  });

  it.each([v1, v2, v3])(
    'IC-08: 100 cycles over a static source write in the first only, $version',
    async (procedure) => {
      const enrolling = new Enrolling({
        source: members('h1', 'h2', 'h3'),
        sink: { ...intoPlugin, labels: { team: 'a' } },
      });
      await enrolling.sync(procedure);
      expect(enrolling.plugin.writes).toHaveLength(3);
      for (let cycle = 0; cycle < 100; cycle += 1)
        expect((await enrolling.test.cycle(procedure)).reconciled).toBe(true);
      expect(enrolling.plugin.writes).toHaveLength(3);
    },
  );

  it.each([v1, v2, v3])('IC-08: the same for objects of a kind, $version', async (procedure) => {
    const enrolling = new Enrolling({
      source: members('h1', 'h2', 'h3'),
      sink: { ...intoConfigMaps, labels: { team: 'a' } },
    });
    await enrolling.sync(procedure);
    const writes = enrolling.cluster.writes.length;
    expect(enrolling.names()).toEqual(['nfs-h1', 'nfs-h2', 'nfs-h3']);
    for (let cycle = 0; cycle < 100; cycle += 1) await enrolling.test.cycle(procedure);
    expect(enrolling.cluster.writes).toHaveLength(writes);
  });

  it('IC-09: a key of the source alone is stable after the first cycle', async () => {
    const enrolling = new Enrolling({
      source: {
        static: [
          { id: 'h1', tags: { name: 'Alpha' } },
          { id: 'h2', tags: { name: 'Beta' } },
        ],
      },
      sink: intoPlugin,
      keys: { source: '{{ tags.name | downcase }}' },
    });
    await enrolling.sync(v2);
    for (let cycle = 0; cycle < 10; cycle += 1) await enrolling.test.cycle(v2);
    expect(enrolling.plugin.writes).toEqual(['provision nfs-alpha', 'provision nfs-beta']);
  });

  it('IC-10: keys of both sides, where a number and its text are the same key', async () => {
    const enrolling = new Enrolling({
      source: { static: ['1', '2', '3'].map((id) => ({ id: `host-${id}`, properties: { backend_id: id } })) },
      sink: { ...intoPlugin, properties: { backend_id: '{{ properties.backend_id | to_integer }}' } },
      keys: { source: '{{ properties.backend_id }}', enrolled: '{{ properties.backend_id }}' },
    });
    for (const id of [1, 2, 4])
      enrolling.plugin.put(`e${id}`, { [TAGS.enrollment]: 'default/nfs' }, { backend_id: id });
    await enrolling.sync(v1);
    expect(enrolling.plugin.writes).toEqual(['provision nfs-3', 'destroy e4 terminate']);
    expect(enrolling.plugin.instances.get('i1')?.Properties).toEqual({ backend_id: 3 });
  });

  it('IC-30: a group that is resized again and again ends where it was resized to', async () => {
    const enrolling = new Enrolling({ source: { plugin: { name: 'nfs', group: 'workers' } }, sink: intoPlugin });
    for (const size of [5, 10, 3]) {
      enrolling.plugin.setGroup('workers', hosts(size));
      await enrolling.test.cycle(v3);
    }
    await enrolling.sync(v3);
    expect(enrolling.enrolled()).toEqual(hosts(3));
  });

  it('IC-31: of 1000 members ten are worked on at once, after one list', async () => {
    const enrolling = new Enrolling({
      source: { static: Array.from({ length: 1000 }, (_, index) => ({ id: `m${index}` })) },
      sink: intoPlugin,
      concurrency: 10,
    });
    await enrolling.test.cycle(v3);
    enrolling.plugin.calls.length = 0;
    await enrolling.test.cycle(v3);
    expect(enrolling.plugin.writes).toHaveLength(1000);
    expect(enrolling.plugin.mostInFlight).toBe(10);
    expect(enrolling.plugin.calls.filter((call) => call === 'list')).toHaveLength(1);
  });
});

describe('an empty or unreadable list', () => {
  it.each([v1, v2, v3])('IC-11: an empty source removes nothing, $version', async (procedure) => {
    const enrolling = new Enrolling({ source: { plugin: { name: 'nfs', group: 'workers' } }, sink: intoPlugin });
    enrolling.plugin.setGroup('workers', ['h1', 'h2', 'h3']);
    await enrolling.sync(procedure);
    enrolling.plugin.setGroup('workers', []);
    const result = await enrolling.sync(procedure);
    expect(enrolling.enrolled()).toEqual(['h1', 'h2', 'h3']);
    expect(said(result, 'EntriesInStep')).toBe('False RemovalGuarded');
    expect(enrolling.status.entries?.map(({ state, reason }) => `${state} ${reason}`)).toEqual(
      Array(3).fill('Held SourceEmpty'),
    );
  });

  it('IC-11: with allowEmptySource it removes all', async () => {
    const enrolling = new Enrolling({ source: members('h1'), sink: intoPlugin, policy: { allowEmptySource: true } });
    await enrolling.sync(v3);
    enrolling.edit({ source: { static: [] } });
    await enrolling.sync(v3);
    expect(enrolling.enrolled()).toEqual([]);
  });

  it('IC-12: a spec without a source is not taken for an empty one', async () => {
    const enrolling = new Enrolling({ source: {}, sink: intoPlugin });
    enrolling.plugin.put('e1', made('h1'));
    const result = await enrolling.sync(v1);
    expect(said(result, 'OptionsValid')).toBe('Unknown Terminal');
    expect(result.outcomes.get('OptionsValid')?.result.message).toBe(
      'spec.source: found none of them; allowed is exactly one of static, selector, plugin',
    );
    expect(enrolling.plugin.calls).toEqual([]);
  });

  it('IC-13: a source that does not answer leads to nothing, and is asked again later and later', async () => {
    const enrolling = new Enrolling({ source: { plugin: { name: 'nfs', group: 'workers' } }, sink: intoPlugin });
    enrolling.plugin.put('e1', made('h1'));
    const result = await enrolling.sync(v3);
    expect(said(result, 'SourceListed')).toBe('False SourceUnavailable');
    expect(result.requeueAfterMs).toBe(1_000);
    expect(enrolling.plugin.writes).toEqual([]);
  });

  it('IC-14: a sink that cannot be listed leads to nothing', async () => {
    const enrolling = new Enrolling({ source: members('h1'), sink: intoPlugin });
    enrolling.plugin.before = (call) => {
      if (call === 'list') throw new Error('down');
    };
    const result = await enrolling.sync(v3);
    expect(said(result, 'SinkListed')).toBe('False SinkUnavailable');
    expect(result.outcomes.get('SinkListed')?.result.message).toBe('down');
    expect(enrolling.plugin.writes).toEqual([]);
  });

  it('a group in the middle of a change is waited for, if that is asked for', async () => {
    const enrolling = new Enrolling({
      source: { plugin: { name: 'nfs', group: 'g', waitForConverged: true } },
      sink: intoPlugin,
    });
    enrolling.plugin.setGroup('g', ['h1'], false);
    expect(said(await enrolling.sync(v3), 'SourceListed')).toBe('False SourceNotConverged');
    enrolling.plugin.setGroup('g', ['h1'], true);
    await enrolling.sync(v3);
    expect(enrolling.enrolled()).toEqual(['h1']);
  });
});

describe('single failures', () => {
  it('IC-15: one of ten that fails three times is tried after 1, 2 and 4 seconds; the others do not wait', async () => {
    const enrolling = new Enrolling({ source: members(...hosts(10)), sink: intoPlugin });
    let failures = 0;
    enrolling.plugin.before = (call) => {
      if (call === 'provision nfs-h03' && (failures += 1) <= 3) throw new Error('no');
    };
    const waits: (number | undefined)[] = [];
    await enrolling.test.cycle(v3);
    for (let round = 0; round < 3; round += 1) {
      const result = await enrolling.test.cycle(v3);
      expect(enrolling.enrolled()).toHaveLength(9);
      expect(said(result, 'EntriesInStep')).toBe('False EntriesFailed');
      waits.push(Date.parse(enrolling.status.entries?.[0]?.nextRetry ?? '') - enrolling.test.clock.now());
      // Until its time has come it is left alone.
      await enrolling.test.cycle(v3);
      expect(failures).toBe(round + 1);
      enrolling.test.clock.advance(waits.at(-1) ?? 0);
    }
    await enrolling.sync(v3);
    expect(waits).toEqual([1_000, 2_000, 4_000]);
    expect(enrolling.enrolled()).toEqual(hosts(10));
    expect((await enrolling.test.cycle(v3)).reconciled).toBe(true);
    expect(enrolling.status.entries).toEqual([]);
  });

  it('IC-16: an entry that cannot be destroyed stays in the status as Removing, and is tried again', async () => {
    const enrolling = new Enrolling({ source: members('h1', 'h2'), sink: intoPlugin });
    await enrolling.sync(v3);
    let isDown = true;
    enrolling.plugin.before = (call) => {
      if (call.startsWith('destroy') && isDown) throw new Error('busy');
    };
    enrolling.edit({ source: members('h1') });
    await enrolling.test.cycle(v3);
    expect(enrolling.status.entries).toMatchObject([{ key: 'h2', state: 'Removing', message: 'busy', attempts: 1 }]);
    isDown = false;
    enrolling.test.clock.advance(1_000);
    await enrolling.sync(v3);
    expect(enrolling.enrolled()).toEqual(['h1']);
  });

  it('IC-23: a key that a template misses fails that member only', async () => {
    const enrolling = new Enrolling({
      source: { static: [{ id: 'h1', properties: { iops: 1 } }, { id: 'h2' }, { id: 'h3', properties: { iops: 3 } }] },
      sink: { ...intoPlugin, properties: { iops: '{{ properties.iops }}' } },
    });
    await enrolling.sync(v3);
    expect(enrolling.enrolled()).toEqual(['h1', 'h3']);
    expect(enrolling.status.entries).toMatchObject([
      {
        key: 'h2',
        state: 'Failed',
        reason: 'RenderError',
        message: 'spec.sink.properties.iops: undefined variable: properties.iops',
      },
    ]);
  });

  it('a sink where everything fails is left alone after a few attempts', async () => {
    const enrolling = new Enrolling({ source: members(...hosts(50)), sink: intoPlugin, concurrency: 1 });
    enrolling.plugin.before = (call) => {
      if (call.startsWith('provision')) throw new Error('down');
    };
    await enrolling.test.cycle(v3);
    await enrolling.test.cycle(v3);
    expect(enrolling.plugin.writes).toHaveLength(5);
  });
});

describe('removals', () => {
  it('IC-17: more than the limit at once waits for a person, who confirms exactly that', async () => {
    const enrolling = new Enrolling({
      source: members(...hosts(10)),
      sink: intoPlugin,
      policy: { maxRemovals: '30%' },
    });
    await enrolling.sync(v3);
    enrolling.edit({ source: members(...hosts(4)) });
    const held = await enrolling.sync(v3);
    expect(enrolling.enrolled()).toHaveLength(10);
    expect(said(held, 'EntriesInStep')).toBe('False RemovalGuarded');
    const message = held.outcomes.get('EntriesInStep')?.result.message ?? '';
    expect(message).toContain('6 of 10 entries would be removed at once, allowed are 3');
    enrolling.annotate({ [CONFIRM_REMOVALS]: 'something-else' });
    await enrolling.sync(v3);
    expect(enrolling.enrolled()).toHaveLength(10);
    enrolling.annotate({ [CONFIRM_REMOVALS]: message.split('=').at(-1) ?? '' });
    await enrolling.sync(v3);
    expect(enrolling.enrolled()).toEqual(hosts(4));
  });

  it('IC-18: entries of others are never touched, only counted', async () => {
    const enrolling = new Enrolling({
      source: members('h1'),
      sink: { ...intoPlugin, labels: { pool: 'a' } },
      policy: { allowEmptySource: true },
    });
    enrolling.plugin.put('theirs', { pool: 'a' });
    enrolling.plugin.put('other', {
      pool: 'a',
      [TAGS.enrollment]: 'default/other',
      [TAGS.sourceId]: 'h9',
      [TAGS.ownerUid]: 'u9',
    });
    await enrolling.sync(v3);
    expect(enrolling.status.counts).toMatchObject({ source: 1, unmanaged: 2 });
    enrolling.edit({ source: { static: [] } });
    await enrolling.sync(v3);
    expect([...enrolling.plugin.instances.keys()]).toEqual(['theirs', 'other']);
  });

  it('IC-18: objects of others are never touched, not even under the name that an entry would have', async () => {
    const cluster = new MemoryCluster();
    cluster.put({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'nfs-h1', namespace: 'default' },
      data: { mine: 'x' },
    } as never);
    const enrolling = new Enrolling(
      { source: members('h1', 'h2'), sink: { ...intoConfigMaps, labels: {} } },
      { cluster },
    );
    await enrolling.sync(v3);
    expect(cluster.all().find(({ metadata }) => metadata.name === 'nfs-h1')).toMatchObject({ data: { mine: 'x' } });
    expect(enrolling.status.entries).toMatchObject([{ key: 'h1', state: 'Failed' }]);
    expect(enrolling.names()).toEqual(['nfs-h1', 'nfs-h2']);
  });

  it('IC-20: of several entries of one member the extra ones go, if the policy says so', async () => {
    const enrolling = new Enrolling({ source: members('h1'), sink: intoPlugin });
    await enrolling.sync(v3);
    const [first] = enrolling.plugin.instances.values();
    enrolling.plugin.put('i9', first?.Tags ?? {}, first?.Properties);
    await enrolling.sync(v3);
    expect(enrolling.status.counts?.duplicates).toBe(1);
    expect(enrolling.status.entries).toMatchObject([{ key: 'h1', sinkID: 'i9', state: 'Duplicate' }]);
    enrolling.edit({ policy: { duplicates: 'Prune' } });
    await enrolling.sync(v3);
    expect([...enrolling.plugin.instances.keys()]).toEqual(['i1']);
  });

  it('entries of a sink that the spec names no longer go after the new ones are there', async () => {
    const enrolling = new Enrolling({ source: members('h1', 'h2'), sink: intoPlugin });
    await enrolling.sync(v3);
    enrolling.edit({ sink: intoConfigMaps });
    await enrolling.sync(v3);
    expect(enrolling.names()).toEqual(['nfs-h1', 'nfs-h2']);
    expect(enrolling.enrolled()).toEqual([]);
    expect(enrolling.status.sinks).toEqual([{ apiVersion: 'v1', kind: 'ConfigMap', namespace: 'default' }]);
  });
});

describe('a release before the removal', () => {
  const policy = { beforeRemoval: { timeout: '5m' } };

  it('is asked for, waited for, and ends with the removal', async () => {
    const enrolling = new Enrolling({ source: members('h1', 'h2'), sink: intoPlugin, policy });
    await enrolling.sync(v3);
    enrolling.edit({ source: members('h1') });
    await enrolling.sync(v3);
    expect(enrolling.plugin.writes.slice(2)).toEqual(['label i2']);
    expect(enrolling.status.entries).toMatchObject([{ key: 'h2', state: 'Removing', reason: 'ReleaseAwaited' }]);
    await enrolling.plugin.instance.label('i2', { [RELEASED]: 'true' });
    await enrolling.sync(v3);
    expect(enrolling.enrolled()).toEqual(['h1']);
  });

  it('is not waited for longer than it is said', async () => {
    const enrolling = new Enrolling({ source: members('h1', 'h2'), sink: intoConfigMaps, policy });
    await enrolling.sync(v3);
    enrolling.edit({ source: members('h1') });
    await enrolling.sync(v3);
    enrolling.test.clock.advance(299_000);
    await enrolling.sync(v3);
    expect(enrolling.names()).toEqual(['nfs-h1', 'nfs-h2']);
    enrolling.test.clock.advance(1_000);
    await enrolling.sync(v3);
    expect(enrolling.names()).toEqual(['nfs-h1']);
  });

  it.each([intoPlugin, intoConfigMaps])('is taken back when the member is there again', async (sink) => {
    const enrolling = new Enrolling({ source: members('h1', 'h2'), sink, policy });
    await enrolling.sync(v3);
    enrolling.edit({ source: members('h1') });
    await enrolling.sync(v3);
    enrolling.edit({ source: members('h1', 'h2') });
    await enrolling.sync(v3);
    enrolling.test.clock.advance(600_000);
    enrolling.edit({ source: members('h1') });
    await enrolling.sync(v3);
    expect(enrolling.status.entries).toMatchObject([
      { key: 'h2', reason: 'ReleaseAwaited', nextRetry: new Date(enrolling.test.clock.now() + 300_000).toISOString() },
    ]);
  });
});

describe('adoption and drift', () => {
  it('IC-19: entries of nobody with the key of a member are marked, not made again', async () => {
    const enrolling = new Enrolling({
      source: members('h1', 'h2'),
      sink: intoPlugin,
      policy: { adopt: 'MatchingKey' },
    });
    enrolling.plugin.put('old', { [TAGS.sourceId]: 'h1' });
    enrolling.plugin.put('theirs', { [TAGS.sourceId]: 'h2', [TAGS.ownerUid]: 'somebody', [TAGS.enrollment]: 'x/y' });
    await enrolling.sync(v3);
    expect(enrolling.plugin.writes).toEqual(['label old', 'provision nfs-h2']);
    expect(enrolling.plugin.instances.get('old')?.Tags[TAGS.ownerUid]).toBe(enrolling.test.object.metadata.uid);
  });

  it('IC-19: the same for an object', async () => {
    const cluster = new MemoryCluster();
    const there = {
      metadata: { name: 'mine', namespace: 'default', annotations: { 'enrollment.pawl.dev/source-id': 'h1' } },
      data: { host: 'h1' },
    };
    cluster.put({ apiVersion: 'v1', kind: 'ConfigMap', ...there } as never);
    const enrolling = new Enrolling(
      { source: members('h1'), sink: intoConfigMaps, policy: { adopt: 'MatchingKey' } },
      { cluster },
    );
    await enrolling.sync(v3);
    expect(enrolling.names()).toEqual(['mine']);
    expect(cluster.all().find(({ kind }) => kind === 'ConfigMap')?.metadata.labels?.[LABELS.owner]).toBe(
      ownerHashOf(enrolling.test.object),
    );
  });

  it('IC-21: with drift Recreate entries are made anew one by one, the new one before the old one goes', async () => {
    const enrolling = new Enrolling({
      source: members('h1', 'h2', 'h3'),
      sink: { ...intoPlugin, properties: { iops: 10 } },
      policy: { drift: 'Recreate' },
    });
    await enrolling.sync(v3);
    enrolling.plugin.calls.length = 0;
    enrolling.edit({ sink: { ...intoPlugin, properties: { iops: 20 } } });
    await enrolling.sync(v3, 20);
    const steps = enrolling.plugin.writes.map((call) =>
      call.replace(/-[0-9a-f]{6}$/, '').replace(' rolling_update', ''),
    );
    expect(steps).toEqual([
      'provision nfs-h1',
      'destroy i1',
      'provision nfs-h2',
      'destroy i2',
      'provision nfs-h3',
      'destroy i3',
    ]);
    expect(enrolling.enrolled()).toEqual(['h1', 'h2', 'h3']);
  });

  it('IC-21: the same for objects, under new names', async () => {
    const enrolling = new Enrolling({
      source: members('h1', 'h2'),
      sink: intoConfigMaps,
      policy: { drift: 'Recreate' },
    });
    await enrolling.sync(v3);
    enrolling.edit({ sink: { ...intoConfigMaps, properties: { data: { host: 'new {{ id }}' } } } });
    const mark = enrolling.cluster.writes.length;
    await enrolling.sync(v3, 20);
    const steps = enrolling.cluster.writes.slice(mark).map((write) => write.replace(/-[0-9a-f]{6}$/, ''));
    const of = (id: string): readonly string[] => [
      `create ConfigMap default/nfs-${id}`,
      `delete ConfigMap default/nfs-${id}`,
    ];
    expect(steps).toEqual([...of('h1'), ...of('h2')]);
  });

  it('IC-21: an old entry stays until the new one is ready, and the next one waits for that', async () => {
    const sink = { ...intoConfigMaps, template: { apiVersion: 'v1', kind: 'Pod', readyCondition: 'Ready' } };
    const enrolling = new Enrolling({ source: members('h1', 'h2'), sink, policy: { drift: 'Recreate' } });
    await enrolling.sync(v3);
    enrolling.edit({ sink: { ...sink, properties: { data: { host: 'new {{ id }}' } } } });
    await enrolling.sync(v3, 20);
    const pods = enrolling.names('Pod');
    expect(pods.map((name) => name.replace(/-[0-9a-f]{6}$/, ''))).toEqual(['nfs-h1', 'nfs-h1', 'nfs-h2']);
    const fresh = enrolling.cluster.writes.at(-1)?.split('/').at(-1) ?? '';
    const conditions = [{ type: 'Ready', status: 'True' }];
    enrolling.cluster.setStatus(
      { apiVersion: 'v1', kind: 'Pod' },
      { name: fresh, namespace: 'default' },
      { conditions },
    );
    await enrolling.sync(v3, 20);
    expect(enrolling.names('Pod').map((name) => name.replace(/-[0-9a-f]{6}$/, ''))).toEqual([
      'nfs-h1',
      'nfs-h2',
      'nfs-h2',
    ]);
  });

  it('IC-22: with drift Ignore nothing is written, and it is told how many are outdated', async () => {
    const enrolling = new Enrolling({
      source: members('h1', 'h2'),
      sink: { ...intoPlugin, properties: { iops: 10 } },
      policy: { drift: 'Ignore' },
    });
    await enrolling.sync(v3);
    enrolling.edit({ sink: { ...intoPlugin, properties: { iops: 20 } } });
    const result = await enrolling.sync(v3);
    expect(enrolling.plugin.writes).toHaveLength(2);
    expect(enrolling.status.counts?.outdated).toBe(2);
    expect(result.reconciled).toBe(true);
  });

  it('with drift Update objects change in place, and so do those that somebody else has changed', async () => {
    const enrolling = new Enrolling({ source: members('h1', 'h2'), sink: intoConfigMaps });
    await enrolling.sync(v3);
    enrolling.edit({ sink: { ...intoConfigMaps, properties: { data: { host: 'new {{ id }}' } } } });
    const mark = enrolling.cluster.writes.length;
    await enrolling.sync(v3);
    expect(enrolling.cluster.writes.slice(mark)).toEqual([
      'update ConfigMap default/nfs-h1',
      'update ConfigMap default/nfs-h2',
    ]);
  });

  it('with drift Update a plugin, which changes no entries, has its outdated ones told and left', async () => {
    const enrolling = new Enrolling({ source: members('h1'), sink: { ...intoPlugin, properties: { iops: 10 } } });
    await enrolling.sync(v3);
    enrolling.edit({ sink: { ...intoPlugin, properties: { iops: 20 } } });
    const result = await enrolling.sync(v3);
    expect(said(result, 'EntriesInStep')).toBe('False EntriesOutdated');
    expect(enrolling.plugin.writes).toHaveLength(1);
  });

  it('other labels are put on the instances of a plugin in place', async () => {
    const enrolling = new Enrolling({ source: members('h1'), sink: { ...intoPlugin, labels: { team: 'a' } } });
    await enrolling.sync(v3);
    enrolling.edit({ sink: { ...intoPlugin, labels: { team: 'b' } } });
    await enrolling.sync(v3);
    expect(enrolling.plugin.writes).toEqual(['provision nfs-h1', 'label i1']);
    expect(enrolling.plugin.instances.get('i1')?.Tags['team']).toBe('b');
    expect(enrolling.status.sinks).toEqual([{ plugin: 'nfs', labels: { team: 'b' } }]);
  });
});

describe('pause, dry run and the end', () => {
  it('IC-24: while it is paused nothing happens, then the difference', async () => {
    const enrolling = new Enrolling({ source: members('h1', 'h2'), sink: intoPlugin });
    await enrolling.sync(v3);
    enrolling.plugin.calls.length = 0;
    enrolling.edit({ paused: true, source: members('h1', 'h2', 'h3') });
    const result = await enrolling.sync(v3);
    expect(said(result, 'NotPaused')).toBe('False Paused');
    expect(enrolling.plugin.calls).toEqual([]);
    enrolling.edit({ paused: false });
    await enrolling.sync(v3);
    expect(enrolling.plugin.writes).toEqual(['provision nfs-h3']);
  });

  it('IC-25: paused twice, resumed twice, deleted while paused', async () => {
    const enrolling = new Enrolling({ source: members('h1'), sink: intoPlugin, deletionPolicy: 'Delete' });
    await enrolling.sync(v3);
    for (const paused of [true, true, false, false, true]) {
      enrolling.edit({ paused });
      await enrolling.sync(v3);
    }
    await enrolling.test.teardown(v3);
    expect((await enrolling.test.teardown(v3)).reconciled).toBe(true);
    expect(enrolling.enrolled()).toEqual([]);
  });

  it('IC-32: a plan names what would happen and why, and nothing is called that changes anything', async () => {
    const enrolling = new Enrolling({
      source: members('h1', 'h2', 'h3'),
      sink: { ...intoPlugin, properties: { iops: 1 } },
      policy: { drift: 'Recreate' },
    });
    await enrolling.sync(v3);
    enrolling.edit({ source: members('h1', 'h3', 'h4'), sink: { ...intoPlugin, properties: { iops: 2 } } });
    enrolling.plugin.calls.length = 0;
    const { outcomes, changes } = await enrolling.test.plan(v3);
    expect(enrolling.plugin.writes).toEqual([]);
    expect(outcomes.get('DeltaComputed')?.result.message).toBe(
      'add h4: the sink has no entry for it\nremove h2 (i2): the source has no such member',
    );
    expect(outcomes.get('DriftComputed')?.result.message).toContain(
      'change h1: its properties or labels are other ones now',
    );
    expect(changes.filter(({ operation }) => operation === 'effect').map(({ target }) => target)).toEqual([
      'plugins.provision nfs: h4',
      'plugins.provision nfs: h1',
      'plugins.destroy nfs: h2',
    ]);
  });

  it('IC-32: a plan of objects lists each of them', async () => {
    const enrolling = new Enrolling({ source: members('h1'), sink: intoConfigMaps });
    await enrolling.sync(v3);
    enrolling.edit({ source: members('h2') });
    const { changes } = await enrolling.test.plan(v3);
    expect(
      changes
        .filter(({ operation }) => operation !== 'status')
        .map(({ operation, target }) => `${operation} ${target}`),
    ).toEqual(['create ConfigMap default/nfs-h2', 'delete ConfigMap default/nfs-h1']);
    expect(enrolling.names()).toEqual(['nfs-h1']);
  });
});

describe('the ladder', () => {
  it('IC-33: entries of 1.0.0 are marked where they are: none is provisioned, none destroyed', async () => {
    const enrolling = new Enrolling({
      source: members('h1', 'h2'),
      sink: intoPlugin,
      keys: { source: 'key-{{ id }}' },
    });
    for (const id of ['h1', 'h2']) enrolling.plugin.put(`nfs${id}`, made(id));
    await enrolling.sync(v2);
    expect(enrolling.plugin.writes).toEqual(['label nfsh1', 'label nfsh2']);
    expect(enrolling.plugin.instances.get('nfsh1')?.Tags).toMatchObject({
      [TAGS.key]: 'key-h1',
      [TAGS.sourceId]: 'h1',
    });
    expect((await enrolling.test.cycle(v2)).reconciled).toBe(true);
  });

  it('IC-33: objects of 1.0.0 keep uid and content', async () => {
    const enrolling = new Enrolling({ source: members('h1', 'h2'), sink: intoConfigMaps });
    await enrolling.sync(v1);
    const uids = (): readonly string[] =>
      enrolling.cluster.all().flatMap(({ kind, metadata }) => (kind === 'ConfigMap' ? [metadata.uid] : []));
    const before = uids();
    await enrolling.sync(v2);
    expect(uids()).toEqual(before);
    expect(enrolling.cluster.writes.filter((write) => /create|delete/.test(write))).toHaveLength(2);
  });

  it('3.0.0 would take what 1.0.0 has made for foreign: that is why it does not begin there', async () => {
    const plugin = new FakePlugin();
    const enrolling = new Enrolling({ source: members('h1'), sink: intoPlugin }, { plugin });
    plugin.put('nfsh1', made('h1'));
    await enrolling.sync(v3);
    expect(enrolling.plugin.writes).toEqual(['provision nfs-h1']);
  });
});
