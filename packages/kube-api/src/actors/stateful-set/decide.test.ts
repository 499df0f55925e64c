// StatefulSet decisions.
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../json.ts';
import type { Live, StatefulSet } from '../base/model.ts';
import { dataOf, revisionName } from '../base/revisions.ts';
import { inShort, live, pod, reported, viewOf } from '../testing/view.ts';
import { decideStatefulSet } from './decide.ts';

const labels = { app: 'db' };
const NOW = Date.parse('2024-01-01T01:00:00Z');
const templateWith = (image: string): JsonObject => ({
  metadata: { labels },
  spec: { containers: [{ name: 'a', image }] },
});

function statefulSet(spec: JsonObject = {}, status: JsonObject = {}, metadata: JsonObject = {}): StatefulSet {
  return live(
    'apps/v1',
    'StatefulSet',
    { name: 'db', ...metadata },
    {
      spec: {
        replicas: 3,
        serviceName: 'db',
        selector: { matchLabels: labels },
        template: templateWith('a:2'),
        ...spec,
      },
      status,
    },
  ) as StatefulSet;
}

function revision(owner: StatefulSet, number: number): Live {
  const ownerReferences = [
    { apiVersion: 'apps/v1', kind: 'StatefulSet', name: 'db', uid: owner.metadata.uid, controller: true },
  ];
  return live(
    'apps/v1',
    'ControllerRevision',
    { name: revisionName(owner), ownerReferences, labels },
    { data: dataOf(owner.spec.template), revision: number },
  );
}

const member = (
  owner: StatefulSet,
  ordinal: number,
  state: Parameters<typeof pod>[3] = { ready: 0 },
  of = owner,
): Live => pod(`db-${ordinal}`, owner, { ...labels, 'controller-revision-hash': revisionName(of) }, state);

const decide = (...objects: readonly Live[]): ReturnType<typeof decideStatefulSet> =>
  decideStatefulSet('default/db', viewOf(...objects), NOW);

describe('a StatefulSet in order', () => {
  const set = statefulSet();
  const kept = revision(set, 1);

  it('keeps its template as a revision first', () => {
    expect(inShort(decide(set))).toEqual([`create ControllerRevision ${revisionName(set)}`]);
  });

  it('creates the lowest missing pod, with its identity', () => {
    const decision = decide(set, kept, member(set, 0));
    expect(inShort(decision)).toEqual(['create Pod db-1']);
    expect(decision.steps[0]).toMatchObject({
      object: {
        metadata: {
          labels: {
            'statefulset.kubernetes.io/pod-name': 'db-1',
            'apps.kubernetes.io/pod-index': '1',
            'controller-revision-hash': revisionName(set),
          },
        },
        spec: { hostname: 'db-1', subdomain: 'db' },
      },
    });
  });

  it.each([
    ['is not ready', {}],
    ['is being deleted', { ready: 0, deleted: true }],
  ])('waits while a lower pod %s', (_, state) => {
    expect(inShort(decide(set, kept, member(set, 0, state)))).toEqual([]);
  });

  it('replaces a pod that has failed', () => {
    expect(inShort(decide(set, kept, member(set, 0, { phase: 'Failed' })))).toEqual(['delete Pod db-0']);
  });

  it('creates the claims of a pod before the pod', () => {
    const claiming = statefulSet({
      volumeClaimTemplates: [{ metadata: { name: 'data' }, spec: { accessModes: ['ReadWriteOnce'] } }],
    });
    const decision = decide(claiming, revision(claiming, 1));
    expect(inShort(decision)).toEqual(['create PersistentVolumeClaim data-db-0', 'create Pod db-0']);
    expect(decision.steps[1]).toMatchObject({
      object: { spec: { volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'data-db-0' } }] } },
    });
  });

  it('removes the highest pod, one at a time', () => {
    const small = statefulSet({ replicas: 1 });
    const all = [0, 1, 2].map((ordinal) => member(small, ordinal));
    expect(inShort(decide(small, revision(small, 1), ...all))).toEqual(['delete Pod db-2']);
    expect(
      inShort(decide(small, revision(small, 1), ...all.slice(0, 2), member(small, 2, { ready: 0, deleted: true }))),
    ).toEqual([]);
  });

  it('counts ordinals from the given start', () => {
    const shifted = statefulSet({ replicas: 1, ordinals: { start: 5 } });
    expect(inShort(decide(shifted, revision(shifted, 1)))).toEqual(['create Pod db-5']);
  });
});

describe('a StatefulSet in parallel', () => {
  it('creates and deletes all at once', () => {
    const set = statefulSet({ podManagementPolicy: 'Parallel' });
    expect(inShort(decide(set, revision(set, 1)))).toEqual(['create Pod db-0', 'create Pod db-1', 'create Pod db-2']);
    const none = statefulSet({ podManagementPolicy: 'Parallel', replicas: 0 });
    expect(inShort(decide(none, revision(none, 1), member(none, 0), member(none, 1)))).toEqual([
      'delete Pod db-1',
      'delete Pod db-0',
    ]);
  });
});

describe('an update', () => {
  const before = statefulSet({ template: templateWith('a:1') });
  const status = { currentRevision: revisionName(before), updateRevision: revisionName(before) };
  const update = (spec: JsonObject): StatefulSet => statefulSet(spec, status);
  const rest = (set: StatefulSet): readonly Live[] => [revision(before, 1), revision(set, 2)];
  const members = (
    set: StatefulSet,
    states: readonly Parameters<typeof pod>[3][],
    updated: readonly number[] = [],
  ): readonly Live[] =>
    states.map((state, ordinal) => member(set, ordinal, state, updated.includes(ordinal) ? set : before));
  const ready = { ready: 0 };

  it('begins at the highest ordinal and goes one by one', () => {
    const set = update({});
    expect(inShort(decide(set, ...rest(set), ...members(set, [ready, ready, ready])))).toEqual(['delete Pod db-2']);
    expect(inShort(decide(set, ...rest(set), ...members(set, [ready, ready, ready], [2])))).toEqual([
      'delete Pod db-1',
    ]);
    expect(inShort(decide(set, ...rest(set), ...members(set, [ready, ready, {}], [2])))).toEqual([]);
  });

  it('stops at the partition, and makes pods below it from the former template', () => {
    const set = update({ updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 2 } } });
    expect(inShort(decide(set, ...rest(set), ...members(set, [ready, ready, ready], [2])))).toEqual([]);
    const decision = decide(set, ...rest(set), member(set, 0, ready, before), member(set, 2, ready));
    expect(decision.steps[0]).toMatchObject({
      object: {
        metadata: { name: 'db-1', labels: { 'controller-revision-hash': revisionName(before) } },
        spec: { containers: [{ image: 'a:1' }] },
      },
    });
  });

  it('under OnDelete waits for somebody to delete pods', () => {
    const set = update({ updateStrategy: { type: 'OnDelete' } });
    expect(inShort(decide(set, ...rest(set), ...members(set, [ready, ready, ready])))).toEqual([]);
  });

  it('stalls in order on a pod that never gets ready, as the real one does', () => {
    const set = update({});
    expect(inShort(decide(set, ...rest(set), ...members(set, [ready, ready, {}], [])))).toEqual([]);
  });

  it('moves currentRevision only when every pod is new and serves', () => {
    const set = update({});
    expect(reported(decide(set, ...rest(set), ...members(set, [ready, ready, ready], [2])))).toMatchObject({
      currentReplicas: 2,
      updatedReplicas: 1,
      updateRevision: revisionName(set),
    });
    const done = reported(decide(set, ...rest(set), ...members(set, [ready, ready, ready], [0, 1, 2])));
    expect(done).toMatchObject({
      currentRevision: revisionName(set),
      currentReplicas: 3,
      updatedReplicas: 3,
      readyReplicas: 3,
    });
  });

  it('that returns to an old template gives its revision a new number', () => {
    const set = statefulSet({ template: templateWith('a:1') }, status);
    const other = statefulSet({ template: templateWith('a:2') });
    expect(inShort(decide(set, revision(set, 1), revision(other, 2)))).toEqual([
      `patch ControllerRevision ${revisionName(set)} {"revision":3}`,
    ]);
  });
});

describe('the retention of claims', () => {
  const claims = { volumeClaimTemplates: [{ metadata: { name: 'data' }, spec: {} }] };
  const claim = live('v1', 'PersistentVolumeClaim', { name: 'data-db-0' });

  it('ties claims to the set under whenDeleted: Delete', () => {
    const set = statefulSet({
      ...claims,
      replicas: 1,
      persistentVolumeClaimRetentionPolicy: { whenDeleted: 'Delete' },
    });
    expect(inShort(decide(set, revision(set, 1), member(set, 0), claim))).toEqual([
      expect.stringMatching(/^patch PersistentVolumeClaim data-db-0 .*"kind":"StatefulSet"/),
    ]);
  });

  it('ties the claims of a pod that goes to that pod under whenScaled: Delete', () => {
    const set = statefulSet({ ...claims, replicas: 0, persistentVolumeClaimRetentionPolicy: { whenScaled: 'Delete' } });
    expect(inShort(decide(set, revision(set, 1), member(set, 0), claim))).toEqual([
      expect.stringMatching(/^patch PersistentVolumeClaim data-db-0 .*"kind":"Pod"/),
    ]);
  });

  it('leaves claims alone by default', () => {
    const set = statefulSet({ ...claims, replicas: 0 });
    expect(inShort(decide(set, revision(set, 1), member(set, 0), claim))).toEqual(['delete Pod db-0']);
  });
});
