import { describe, expect, it } from 'vitest';
import { PATCH, testServer } from '../testing/server.ts';

const PODS = '/api/v1/namespaces/default/pods';
const JOBS = '/apis/batch/v1/namespaces/default/jobs';
const SERVICES = '/api/v1/namespaces/default/services';
const DEPLOYMENTS = '/apis/apps/v1/namespaces/default/deployments';
const containers = [{ name: 'main', image: 'nginx' }];

describe('a new pod', () => {
  it('gets an account, a priority and five minutes on a node in trouble, but keeps what it has', async () => {
    const { ok } = testServer();
    const own = { key: 'node.kubernetes.io/not-ready', operator: 'Exists', effect: 'NoExecute' };
    const spec = { containers, serviceAccountName: 'mine', tolerations: [own] };
    const pod = await ok('POST', PODS, { metadata: { name: 'x' }, spec });
    expect(pod['spec']).toMatchObject({
      serviceAccountName: 'mine',
      serviceAccount: 'mine',
      priority: 0,
      preemptionPolicy: 'PreemptLowerPriority',
      tolerations: [own, { key: 'node.kubernetes.io/unreachable', tolerationSeconds: 300 }],
    });
    const other = await ok('POST', PODS, { metadata: { name: 'y' }, spec: { containers } });
    expect(other['spec']).toMatchObject({ serviceAccountName: 'default', serviceAccount: 'default' });
  });
});

describe('a suspended job', () => {
  it('may still be told where to run, and not what', async () => {
    const { ok, send } = testServer();
    const spec = { suspend: true, template: { spec: { restartPolicy: 'Never', containers } } };
    await ok('POST', JOBS, { metadata: { name: 'x' }, spec });
    const change = async (pod: object): Promise<number> =>
      (await send('PATCH', `${JOBS}/x`, { spec: { template: { spec: pod } } }, PATCH.strategic)).status;
    expect(await change({ nodeSelector: { disk: 'fast' } })).toBe(200);
    expect(await change({ containers: [{ name: 'main', image: 'nginx:2' }] })).toBe(422);
    expect((await send('PATCH', `${JOBS}/x`, { spec: { completions: 3 } }, PATCH.merge)).status).toBe(422);
  });
});

describe('the address of a service', () => {
  it('cannot change', async () => {
    const { ok, send } = testServer();
    await ok('POST', SERVICES, { metadata: { name: 'x' }, spec: { ports: [{ port: 80 }] } });
    const change = { spec: { clusterIP: '10.0.0.99', clusterIPs: ['10.0.0.99'] } };
    expect(await send('PATCH', `${SERVICES}/x`, change, PATCH.merge)).toMatchObject({
      status: 422,
      body: { details: { causes: [{ field: 'spec.clusterIPs[0]' }] } },
    });
  });
});

describe('a deployment', () => {
  it('counts annotations as wishes, unless they come by way of the status, and shows no replicas where it has none', async () => {
    const { ok } = testServer();
    const template = { metadata: { labels: { a: 'b' } }, spec: { containers } };
    await ok('POST', DEPLOYMENTS, { metadata: { name: 'x' }, spec: { selector: { matchLabels: { a: 'b' } }, template } });
    const generation = async (path: string, annotations: object): Promise<number | undefined> =>
      (await ok('PATCH', `${DEPLOYMENTS}/${path}`, { metadata: { annotations } }, PATCH.merge)).metadata.generation;
    expect(await generation('x', { a: '1' })).toBe(2);
    expect(await generation('x/status', { b: '1' })).toBe(2);
    const scaled = await ok('PATCH', `${DEPLOYMENTS}/x/scale`, { spec: { replicas: 0 } }, PATCH.merge);
    expect(scaled['spec']).toEqual({});
  });
});
