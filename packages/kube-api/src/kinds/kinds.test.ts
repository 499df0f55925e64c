import { describe, expect, it } from 'vitest';
import { at, type KubeObject } from '../json.ts';
import { PATCH, testServer } from '../testing/server.ts';
import { humanDuration } from './columns/cells.ts';

const CORE = '/api/v1/namespaces/default';
const service = (spec: object): object => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: 's' },
  spec: { ports: [{ port: 80 }], ...spec },
});
const pod = (name: string, spec: object = {}): object => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, labels: { app: 'x' } },
  spec: { containers: [{ name: 'c', image: 'i' }], ...spec },
});

describe('a Service', () => {
  it('gets an address, keeps it when a replacement leaves it out, and gives it up for an external name', async () => {
    const { ok } = testServer();
    const created = await ok('POST', `${CORE}/services`, service({}));
    const address = at(created, 'spec', 'clusterIP');
    expect(address).toMatch(/^10\.96\./);
    const replaced = await ok('PUT', `${CORE}/services/s`, service({ selector: { a: 'b' } }));
    expect(at(replaced, 'spec', 'clusterIP')).toBe(address);
  });

  it('gets node ports that no other service has', async () => {
    const { ok } = testServer();
    const nodePort = async (name: string): Promise<unknown> => {
      const body = { ...service({ type: 'NodePort' }), metadata: { name } };
      const created = await ok('POST', `${CORE}/services`, body);
      return (at(created, 'spec', 'ports') as unknown as { nodePort: number }[])[0]?.nodePort;
    };
    expect([await nodePort('a'), await nodePort('b')]).toEqual([30_000, 30_001]);
  });
});

describe('an eviction', () => {
  const budget = {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: { name: 'b' },
    spec: { minAvailable: 1, selector: { matchLabels: { app: 'x' } } },
  };
  const budgets = '/apis/policy/v1/namespaces/default/poddisruptionbudgets';
  const eviction = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: 'p' } };
  const running = { status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] } };

  it('deletes gracefully, and counts against the budget', async () => {
    const { ok, send } = testServer();
    for (const name of ['p', 'q']) {
      await ok('POST', `${CORE}/pods`, pod(name, { nodeName: 'n' }));
      await ok('PATCH', `${CORE}/pods/${name}/status`, running, PATCH.merge);
    }
    await ok('POST', budgets, budget);
    const status = {
      observedGeneration: 1,
      disruptionsAllowed: 1,
      currentHealthy: 2,
      desiredHealthy: 1,
      expectedPods: 2,
    };
    await ok('PATCH', `${budgets}/b/status`, { status }, PATCH.merge);
    expect((await send('POST', `${CORE}/pods/p/eviction`, eviction)).status).toBe(201);
    expect((await ok('GET', `${CORE}/pods/p`)).metadata.deletionGracePeriodSeconds).toBe(30);
    expect(at(await ok('GET', `${budgets}/b`), 'status', 'disruptionsAllowed')).toBe(0);
    const refused = await send('POST', `${CORE}/pods/q/eviction`, { ...eviction, metadata: { name: 'q' } });
    expect(refused).toMatchObject({
      status: 429,
      headers: { 'retry-after': '10' },
      body: { details: { causes: [{ reason: 'DisruptionBudget' }] } },
    });
  });

  it('waits until the budget has been counted', async () => {
    const { ok, send } = testServer();
    await ok('POST', `${CORE}/pods`, pod('p', { nodeName: 'n' }));
    await ok('PATCH', `${CORE}/pods/p/status`, running, PATCH.merge);
    await ok('POST', budgets, budget);
    expect((await send('POST', `${CORE}/pods/p/eviction`, eviction)).status).toBe(429);
  });
});

describe('an Event', () => {
  it('written in one form is read in the other', async () => {
    const { ok } = testServer();
    const event = {
      apiVersion: 'events.k8s.io/v1',
      kind: 'Event',
      metadata: { name: 'e' },
      eventTime: '2026-01-01T00:00:00.000000Z',
      note: 'hello',
      reportingController: 'me',
      reportingInstance: 'me-1',
      action: 'Test',
      reason: 'Because',
      type: 'Normal',
      regarding: { kind: 'Pod', name: 'p', namespace: 'default' },
    };
    await ok('POST', '/apis/events.k8s.io/v1/namespaces/default/events', event);
    const list = await ok('GET', `${CORE}/events?fieldSelector=involvedObject.name%3Dp`);
    expect((list['items'] as KubeObject[])[0]).toMatchObject({
      message: 'hello',
      reportingComponent: 'me',
      involvedObject: { name: 'p' },
    });
    expect(await ok('GET', '/apis/events.k8s.io/v1/namespaces/default/events/e')).toMatchObject(event);
  });
});

describe('a duration for people', () => {
  it.each([
    [0, '0s'],
    [119_000, '119s'],
    [120_000, '2m'],
    [190_000, '3m10s'],
    [600_000, '10m'],
    [3 * 3_600_000, '3h'],
    [5.5 * 3_600_000, '5h30m'],
    [50 * 3_600_000, '2d2h'],
    [10 * 86_400_000, '10d'],
    [3 * 365 * 86_400_000, '3y'],
  ])('of %i ms is %s', (ms, text) => {
    expect(humanDuration(ms)).toBe(text);
  });
});
