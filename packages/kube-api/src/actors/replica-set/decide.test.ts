// ReplicaSet decisions.
import { describe, expect, it } from 'vitest';
import { inShort, live, pod, reported, viewOf } from '../testing/view.ts';
import { decideReplicaSet } from './decide.ts';

const labels = { app: 'web' };
const NOW = Date.parse('2024-01-01T01:00:00Z');

function set(replicas: number, more: object = {}, status: object = {}): ReturnType<typeof live> {
  return live(
    'apps/v1',
    'ReplicaSet',
    { name: 'web' },
    {
      spec: {
        replicas,
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: { containers: [] } },
        ...more,
      },
      status: { ...status },
    },
  );
}

const decide = (...objects: readonly ReturnType<typeof live>[]): ReturnType<typeof decideReplicaSet> =>
  decideReplicaSet('default/web', viewOf(...objects), NOW);

describe('a ReplicaSet', () => {
  it('creates the pods that are missing, owned by it', () => {
    const owner = set(2);
    const decision = decide(owner, pod('web-a', owner, labels));
    expect(inShort(decision)).toEqual(['create Pod web-*']);
    expect(decision.steps[0]).toMatchObject({
      object: {
        metadata: {
          namespace: 'default',
          labels,
          ownerReferences: [{ kind: 'ReplicaSet', name: 'web', controller: true, blockOwnerDeletion: true }],
        },
      },
    });
  });

  it('deletes pods that do not serve before those that do', () => {
    const owner = set(1);
    expect(inShort(decide(owner, pod('web-a', owner, labels, { ready: 0 }), pod('web-b', owner, labels)))).toEqual([
      'delete Pod web-b',
    ]);
  });

  it('replaces pods that are being deleted or have failed', () => {
    const owner = set(2);
    const pods = [pod('web-a', owner, labels, { deleted: true }), pod('web-b', owner, labels, { phase: 'Failed' })];
    expect(inShort(decide(owner, ...pods))).toEqual(['create Pod web-*', 'create Pod web-*']);
  });

  it('adopts a selected pod without a controller before it counts', () => {
    const decision = decide(set(1), pod('stray', undefined, labels));
    expect(inShort(decision)).toEqual([expect.stringMatching(/^patch Pod stray .*"kind":"ReplicaSet"/)]);
  });

  it('releases a pod that it no longer selects', () => {
    const owner = set(1);
    expect(inShort(decide(owner, pod('web-a', owner, { app: 'other' })))).toEqual([
      expect.stringMatching(/^patch Pod web-a .*"ownerReferences":null/),
    ]);
  });

  it('leaves a pod of somebody else alone', () => {
    const owner = set(0);
    expect(inShort(decide(owner, pod('web-a', live('apps/v1', 'ReplicaSet', { name: 'other' }), labels)))).toEqual([]);
  });

  it('creates nothing while it is being deleted', () => {
    const owner = live(
      'apps/v1',
      'ReplicaSet',
      { name: 'web', deletionTimestamp: '2024-01-01T00:00:00Z' },
      { spec: set(3)['spec'] ?? {} },
    );
    expect(inShort(decide(owner))).toEqual([]);
  });

  it('reports what serves, and says nothing again when nothing has changed', () => {
    const owner = set(2);
    const pods = [pod('web-a', owner, labels, { ready: 0 }), pod('web-b', owner, labels)];
    expect(reported(decide(owner, ...pods))).toEqual({
      replicas: 2,
      fullyLabeledReplicas: 2,
      readyReplicas: 1,
      availableReplicas: 1,
      terminatingReplicas: 0,
      observedGeneration: 1,
    });
    const again = set(
      2,
      {},
      {
        replicas: 2,
        fullyLabeledReplicas: 2,
        readyReplicas: 1,
        availableReplicas: 1,
        terminatingReplicas: 0,
        observedGeneration: 1,
      },
    );
    expect(reported(decide(again, ...pods))).toBeUndefined();
  });

  it('counts a pod as available only after minReadySeconds, and looks again then', () => {
    const owner = set(1, { minReadySeconds: 10 });
    const decision = decide(owner, pod('web-a', owner, labels, { ready: NOW - 4000 }));
    expect(reported(decision)).toMatchObject({ readyReplicas: 1 });
    expect(reported(decision)).not.toHaveProperty('availableReplicas');
    expect(decision.againAfterMs).toBe(6000);
  });
});
