// Deployment decisions.
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../json.ts';
import type { Deployment, Live } from '../base/model.ts';
import { inShort, live, pod, reported, viewOf } from '../testing/view.ts';
import { decideDeployment } from './decide.ts';
import { newReplicaSet, templateHash } from './replica-sets.ts';

const labels = { app: 'web' };
const NOW = Date.parse('2024-01-01T01:00:00Z');

function deployment(
  spec: JsonObject = {},
  status: JsonObject = {},
  annotations: Record<string, string> = {},
): Deployment {
  return live(
    'apps/v1',
    'Deployment',
    { name: 'web', annotations },
    {
      spec: {
        replicas: 2,
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: { containers: [{ name: 'a', image: 'a:1' }] } },
        ...spec,
      },
      status,
    },
  ) as Deployment;
}

/** The ReplicaSet that the Deployment would make, with the given scale. */
function replicaSet(
  owner: Deployment,
  replicas: number,
  revision: number,
  status: JsonObject = {},
  annotations: Record<string, string> = {},
): Live {
  const made = newReplicaSet(owner, replicas, {
    'deployment.kubernetes.io/revision': String(revision),
    'deployment.kubernetes.io/desired-replicas': '2',
    'deployment.kubernetes.io/max-replicas': '3',
    ...annotations,
  });
  return live(
    'apps/v1',
    'ReplicaSet',
    { ...made.metadata, name: made.metadata.name ?? '' },
    { spec: made['spec'] as JsonObject, status: { observedGeneration: 1, ...status } },
  );
}

const old = (image: string): JsonObject => ({
  template: { metadata: { labels }, spec: { containers: [{ name: 'a', image }] } },
});
const serving = (count: number): JsonObject => ({ replicas: count, readyReplicas: count, availableReplicas: count });
const decide = (...objects: readonly Live[]): ReturnType<typeof decideDeployment> =>
  decideDeployment('default/web', viewOf(...objects), NOW);

describe('a Deployment', () => {
  it('creates a ReplicaSet named and labelled after its template', () => {
    const web = deployment();
    const decision = decide(web);
    const hash = templateHash(web);
    expect(inShort(decision)).toEqual([`create ReplicaSet web-${hash}`]);
    expect(decision.steps[0]).toMatchObject({
      object: {
        metadata: {
          labels: { app: 'web', 'pod-template-hash': hash },
          annotations: { 'deployment.kubernetes.io/revision': '1' },
        },
        spec: { replicas: 2, selector: { matchLabels: { app: 'web', 'pod-template-hash': hash } } },
      },
    });
  });

  it('wants nothing when it has rolled out', () => {
    const web = deployment({}, {}, { 'deployment.kubernetes.io/revision': '1' });
    expect(inShort(decide(web, replicaSet(web, 2, 1, serving(2))))).toEqual([]);
  });

  it('reports the roll-out as complete', () => {
    const web = deployment({}, {}, { 'deployment.kubernetes.io/revision': '1' });
    const status = reported(decide(web, replicaSet(web, 2, 1, serving(2))));
    expect(status).toMatchObject({
      observedGeneration: 1,
      replicas: 2,
      updatedReplicas: 2,
      readyReplicas: 2,
      availableReplicas: 2,
    });
    expect(status?.['conditions']).toMatchObject([
      { type: 'Available', status: 'True', reason: 'MinimumReplicasAvailable' },
      { type: 'Progressing', status: 'True', reason: 'NewReplicaSetAvailable' },
    ]);
  });

  it('recognises its ReplicaSet although the server has filled in defaults', () => {
    const web = deployment({}, {}, { 'deployment.kubernetes.io/revision': '1' });
    const set = replicaSet(web, 2, 1, serving(2));
    const spec = set['spec'] as JsonObject;
    const defaulted = {
      ...set,
      spec: { ...spec, template: { ...(spec['template'] as JsonObject), spec: { restartPolicy: 'Always' } } },
    };
    expect(inShort(decide(web, defaulted))).toEqual([]);
  });

  it('starts a new ReplicaSet with the room that maxSurge gives', () => {
    const before = deployment(old('a:0'));
    const web = deployment({ strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } } });
    const decision = decide(web, replicaSet(before, 2, 1, serving(2)));
    expect(decision.steps[0]).toMatchObject({
      step: 'create',
      object: { metadata: { annotations: { 'deployment.kubernetes.io/revision': '2' } }, spec: { replicas: 1 } },
    });
  });

  it('under Recreate first takes all old pods away and waits until they are gone', () => {
    const before = deployment(old('a:0'));
    const web = deployment({ strategy: { type: 'Recreate' } });
    const set = replicaSet(before, 2, 1, serving(2));
    expect(inShort(decide(web, set))).toEqual([expect.stringMatching(/^patch ReplicaSet .*"spec":{"replicas":0}/)]);
    const empty = replicaSet(before, 0, 1);
    expect(inShort(decide(web, empty, pod('web-a', empty, empty.metadata.labels ?? {}, { deleted: true })))).toEqual(
      [],
    );
    expect(inShort(decide(web, empty))).toEqual([expect.stringMatching(/^create ReplicaSet/)]);
  });

  it('returns to an old template with a new rollout number', () => {
    const web = deployment();
    const other = deployment(old('a:0'));
    const decision = decide(web, replicaSet(web, 0, 1), replicaSet(other, 2, 2, serving(2)));
    expect(decision.steps[0]).toMatchObject({
      patch: {
        metadata: {
          annotations: { 'deployment.kubernetes.io/revision': '3', 'deployment.kubernetes.io/revision-history': '1' },
        },
      },
    });
  });

  it('while paused follows the scale but not the template', () => {
    const before = deployment(old('a:0'));
    const web = deployment({ paused: true, replicas: 5 });
    expect(inShort(decide(web, replicaSet(before, 2, 1, serving(2))))).toEqual([
      expect.stringMatching(/"spec":{"replicas":5}/),
    ]);
  });

  it('deletes the oldest empty ReplicaSets beyond its history', () => {
    const web = deployment({ revisionHistoryLimit: 1 }, {}, { 'deployment.kubernetes.io/revision': '3' });
    const sets = [
      replicaSet(deployment(old('a:0')), 0, 1),
      replicaSet(deployment(old('a:1x')), 0, 2),
      replicaSet(web, 2, 3, serving(2)),
    ];
    expect(inShort(decide(web, ...sets))).toEqual([`delete ReplicaSet ${sets[0]?.metadata.name}`]);
  });

  it('counts a collision when somebody else has the name', () => {
    const web = deployment();
    const stranger = live('apps/v1', 'ReplicaSet', { name: `web-${templateHash(web)}` }, { spec: { template: {} } });
    expect(inShort(decide(web, stranger))).toEqual([expect.stringMatching(/"collisionCount":1/)]);
    expect(templateHash(deployment({}, { collisionCount: 1 }))).not.toBe(templateHash(web));
  });

  it('says when a rollout has made no progress in time', () => {
    const conditions = [
      {
        type: 'Progressing',
        status: 'True',
        reason: 'ReplicaSetUpdated',
        message: `ReplicaSet "web-${templateHash(deployment())}" is rolling out.`,
        lastUpdateTime: '2024-01-01T00:59:30Z',
        lastTransitionTime: '2024-01-01T00:59:00Z',
      },
    ];
    const status = { replicas: 2, updatedReplicas: 2, conditions };
    const waiting = deployment({ progressDeadlineSeconds: 60 }, status, { 'deployment.kubernetes.io/revision': '1' });
    expect(decide(waiting, replicaSet(waiting, 2, 1, { replicas: 2 })).againAfterMs).toBe(30_000);
    const late = deployment({ progressDeadlineSeconds: 30 }, status, { 'deployment.kubernetes.io/revision': '1' });
    expect(reported(decide(late, replicaSet(late, 2, 1, { replicas: 2 })))?.['conditions']).toContainEqual(
      expect.objectContaining({ type: 'Progressing', status: 'False', reason: 'ProgressDeadlineExceeded' }),
    );
  });
});
