// The actors on this package's server, in process.
import { afterEach, describe, expect, it } from 'vitest';
import type { JsonObject } from '../json.ts';
import type { World } from './testing/world.ts';
import { startWorld } from './testing/world.ts';

const APPS = '/apis/apps/v1/namespaces/default';
const CORE = '/api/v1/namespaces/default';
const labels = { app: 'web' };
const template = (image: string): JsonObject => ({
  metadata: { labels },
  spec: { containers: [{ name: 'main', image }] },
});
const workload = (kind: string, spec: JsonObject = {}): JsonObject => ({
  apiVersion: 'apps/v1',
  kind,
  metadata: { name: 'web' },
  spec: {
    replicas: 3,
    selector: { matchLabels: labels },
    template: template('web:1'),
    ...(kind === 'StatefulSet' ? { serviceName: 'web' } : {}),
    ...spec,
  },
});

let world: World;
afterEach(async () => {
  expect(world.errors).toEqual([]);
  await world.close();
});

async function names(path: string): Promise<readonly string[]> {
  return (await world.list(path)).map(({ metadata }) => metadata.name ?? '');
}

describe('a Deployment', () => {
  it('gets its pods, and then nothing is sent any more', async () => {
    world = await startWorld();
    await world.send('POST', `${APPS}/deployments`, workload('Deployment'));
    await world.actors.idle();
    const status = await world.status(`${APPS}/deployments/web`);
    expect(status).toMatchObject({ replicas: 3, updatedReplicas: 3, readyReplicas: 3, availableReplicas: 3 });
    world.server.log.clear();
    await world.pass(600_000);
    expect(world.server.log.entries()).toEqual([]);
  });

  it('rolls a new template out without losing a pod, and keeps the old ReplicaSet', async () => {
    world = await startWorld({ podReadyAfterMs: 1000 });
    await world.send(
      'POST',
      `${APPS}/deployments`,
      workload('Deployment', {
        strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } },
      }),
    );
    await world.actors.idle();
    await world.pass(1000);
    await world.send('PATCH', `${APPS}/deployments/web`, { spec: { template: template('web:2') } });
    for (let second = 0; second < 5; second++) {
      await world.actors.idle();
      const pods = await world.list(`${CORE}/pods`);
      expect(pods.length).toBeLessThanOrEqual(4);
      const { availableReplicas } = await world.status(`${APPS}/deployments/web`);
      expect(availableReplicas).toBeGreaterThanOrEqual(3);
      await world.pass(1000);
    }
    const pods = await world.list(`${CORE}/pods`);
    expect(pods.map(({ spec }) => spec)).toEqual(
      Array.from({ length: 3 }, () =>
        expect.objectContaining({ containers: [expect.objectContaining({ image: 'web:2' })] }),
      ),
    );
    expect(
      (await world.list(`${APPS}/replicasets`))
        .map(({ spec }) => JSON.stringify((spec as JsonObject)['replicas']))
        .toSorted(),
    ).toEqual(['0', '3']);
    expect((await world.find(`${APPS}/deployments/web`))?.['metadata']).toMatchObject({
      annotations: { 'deployment.kubernetes.io/revision': '2' },
    });
  });

  it('stays below its number while a pod never gets ready, and says so', async () => {
    world = await startWorld();
    await world.send('POST', `${APPS}/deployments`, workload('Deployment', { progressDeadlineSeconds: 60 }));
    await world.actors.idle();
    const broken = {
      ...template('web:2'),
      metadata: { labels, annotations: { 'actors.pawl.dev/ready-after-ms': 'never' } },
    };
    await world.send('PATCH', `${APPS}/deployments/web`, { spec: { template: broken } });
    await world.actors.idle();
    await world.pass(61_000);
    const { conditions, availableReplicas } = await world.status(`${APPS}/deployments/web`);
    expect(availableReplicas).toBe(3);
    expect(conditions).toContainEqual(
      expect.objectContaining({ type: 'Progressing', status: 'False', reason: 'ProgressDeadlineExceeded' }),
    );
  });
});

describe('a StatefulSet', () => {
  it('gets its pods in order, with bound claims', async () => {
    world = await startWorld({ podReadyAfterMs: 1000 });
    const claims = [
      {
        metadata: { name: 'data' },
        spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
      },
    ];
    await world.send('POST', `${APPS}/statefulsets`, workload('StatefulSet', { volumeClaimTemplates: claims }));
    for (let count = 1; count <= 3; count++) {
      await world.actors.idle();
      expect(await names(`${CORE}/pods`)).toHaveLength(count);
      await world.pass(1000);
    }
    expect(await names(`${CORE}/pods`)).toEqual(['web-0', 'web-1', 'web-2']);
    expect(
      (await world.list(`${CORE}/persistentvolumeclaims`)).map(({ status }) => (status as JsonObject)['phase']),
    ).toEqual(['Bound', 'Bound', 'Bound']);
    expect(await world.status(`${APPS}/statefulsets/web`)).toMatchObject({
      readyReplicas: 3,
      updatedReplicas: 3,
      currentReplicas: 3,
    });
  });

  it('updates from the highest ordinal down', async () => {
    world = await startWorld({ podReadyAfterMs: 1000 });
    await world.send('POST', `${APPS}/statefulsets`, workload('StatefulSet'));
    for (let second = 0; second < 3; second++) await world.actors.idle().then(() => world.pass(1000));
    await world.send('PATCH', `${APPS}/statefulsets/web`, { spec: { template: template('web:2') } });
    const seen: string[] = [];
    for (let second = 0; second < 3; second++) {
      await world.actors.idle();
      const updated = (await world.list(`${CORE}/pods`)).filter(({ spec }) => JSON.stringify(spec).includes('web:2'));
      seen.push(updated.map(({ metadata }) => metadata.name).join());
      await world.pass(1000);
    }
    expect(seen).toEqual(['web-2', 'web-1,web-2', 'web-0,web-1,web-2']);
    const { currentRevision, updateRevision } = await world.status(`${APPS}/statefulsets/web`);
    expect(currentRevision).toBe(updateRevision);
  });
});

describe('a Job', () => {
  it('runs to completion', async () => {
    world = await startWorld();
    const job = {
      apiVersion: 'batch/v1',
      kind: 'Job',
      metadata: { name: 'task' },
      spec: { completions: 2, template: { spec: { restartPolicy: 'Never', containers: [{ name: 'a', image: 'a' }] } } },
    };
    await world.send('POST', '/apis/batch/v1/namespaces/default/jobs', job);
    await world.actors.idle();
    expect(await world.status('/apis/batch/v1/namespaces/default/jobs/task')).toMatchObject({ succeeded: 2 });
  });
});

describe('a DaemonSet', () => {
  it('follows the nodes', async () => {
    world = await startWorld();
    await world.send('POST', `${APPS}/daemonsets`, {
      apiVersion: 'apps/v1',
      kind: 'DaemonSet',
      metadata: { name: 'agent' },
      spec: { selector: { matchLabels: labels }, template: template('agent:1') },
    });
    for (const name of ['a', 'b'])
      await world.send('POST', '/api/v1/nodes', { apiVersion: 'v1', kind: 'Node', metadata: { name } });
    await world.actors.idle();
    expect(
      (await world.list(`${CORE}/pods`)).map(({ spec }) => JSON.stringify((spec as JsonObject)['nodeName'])).toSorted(),
    ).toEqual(['"a"', '"b"']);
    expect(await world.status(`${APPS}/daemonsets/agent`)).toMatchObject({ desiredNumberScheduled: 2, numberReady: 2 });
  });
});

describe('a disruption budget', () => {
  it('lets one pod after the other be evicted', async () => {
    world = await startWorld({ podReadyAfterMs: 1000 });
    await world.send('POST', '/apis/policy/v1/namespaces/default/poddisruptionbudgets', {
      apiVersion: 'policy/v1',
      kind: 'PodDisruptionBudget',
      metadata: { name: 'web' },
      spec: { maxUnavailable: 1, selector: { matchLabels: labels } },
    });
    await world.send('POST', `${APPS}/deployments`, workload('Deployment'));
    await world.actors.idle();
    await world.pass(1000);
    const [first, second] = await names(`${CORE}/pods`);
    const evict = (name: string | undefined): Promise<JsonObject> =>
      world.send('POST', `${CORE}/pods/${name}/eviction`, {
        apiVersion: 'policy/v1',
        kind: 'Eviction',
        metadata: { name },
      });
    await evict(first);
    await world.actors.idle();
    await expect(evict(second)).rejects.toThrow('disruption budget');
    await world.pass(1000);
    await evict(second);
    await world.actors.idle();
    await world.pass(1000);
  });
});

describe('a namespace', () => {
  it('is emptied and goes', async () => {
    world = await startWorld();
    await world.send('POST', '/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'team' } });
    await world.send('POST', '/apis/apps/v1/namespaces/team/deployments', workload('Deployment'));
    await world.send('POST', '/api/v1/namespaces/team/configmaps', {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'held', finalizers: ['x.dev/hold'] },
    });
    await world.actors.idle();
    await world.send('DELETE', '/api/v1/namespaces/team');
    await world.actors.idle();
    expect(await names('/api/v1/namespaces/team/pods')).toEqual([]);
    expect(await world.status('/api/v1/namespaces/team')).toMatchObject({ phase: 'Terminating' });
    await world.send('PATCH', '/api/v1/namespaces/team/configmaps/held', { metadata: { finalizers: [] } });
    await world.actors.idle();
    expect(await world.find('/api/v1/namespaces/team')).toBeUndefined();
  });
});
