import { afterEach, describe, expect, test } from 'vitest';
import { cachesComplete, informersActive, workersMoving, type InformerHealth } from './health-checks.ts';
import { healthOf, type HealthCheck } from './health.ts';
import { HealthServer, type HealthServerParts } from './health-server.ts';
import { PrometheusMetrics } from './prometheus-metrics.ts';

const check = (name: string, fault?: string): HealthCheck => ({ name, check: () => fault });
const informer = (kind: string, isSynced = true, lastActivityAt = 0): { -readonly [K in keyof InformerHealth]: InformerHealth[K] } => ({
  scope: { type: { kind } },
  isSynced,
  lastActivityAt,
});

describe('checks', () => {
  test('that are fine say ok; the others say by name what is wrong, also if they throw', () => {
    expect(healthOf([check('a'), check('b')])).toEqual({ isFine: true, text: 'ok\n' });
    const broken = { name: 'c', check: () => { throw new Error('broken'); } };
    expect(healthOf([check('a'), check('b', 'slow'), broken])).toEqual({ isFine: false, text: 'b: slow\nc: broken\n' });
  });

  test('caches that are not complete are named', () => {
    const informers = [informer('Page'), informer('Deployment', false)];
    const caches = cachesComplete(() => informers);
    expect(caches.check()).toBe('not complete: Deployment');
    informers[1] = informer('Deployment');
    expect(caches.check()).toBeUndefined();
  });

  test('an informer that does nothing for too long is named, however its clock jumps', () => {
    let now = 0;
    const [page, pod] = [informer('Page'), informer('Pod')];
    const active = informersActive(() => [page, pod], () => now, 60_000);
    expect(active.check()).toBeUndefined();
    now = 50_000;
    page.lastActivityAt = -3_600_000;
    expect(active.check()).toBeUndefined();
    now = 61_000;
    expect(active.check()).toBe('nothing done for too long: Pod');
    pod.lastActivityAt = 1;
    expect(active.check()).toBeUndefined();
  });

  test('work that does not end is told', () => {
    let longest = 0;
    const moving = workersMoving('Page', () => longest, 60_000);
    expect(moving.check()).toBeUndefined();
    longest = 61_000;
    expect(moving.check()).toBe('an object has been worked on for 61 seconds');
  });
});

describe('the server', () => {
  let server: HealthServer | undefined;
  afterEach(() => server?.close());

  async function serving(parts: Partial<HealthServerParts>): Promise<(path: string, method?: string) => Promise<readonly [number, string]>> {
    server = new HealthServer({ liveness: () => [], readiness: () => [], ...parts });
    const port = await server.listen(0, '127.0.0.1');
    return async (path, method = 'GET') => {
      const answer = await fetch(`http://127.0.0.1:${port}${path}`, { method });
      return [answer.status, await answer.text()];
    };
  }

  test('tells health and readiness apart', async () => {
    const ask = await serving({ readiness: () => [check('caches', 'not complete: Page')] });
    expect(await ask('/healthz')).toEqual([200, 'ok\n']);
    expect(await ask('/readyz?verbose')).toEqual([503, 'caches: not complete: Page\n']);
    expect(await ask('/readyz', 'HEAD')).toEqual([503, '']);
  });

  test('serves metrics if there are any', async () => {
    const ask = await serving({ metrics: new PrometheusMetrics() });
    const [status, text] = await ask('/metrics');
    expect([status, text.includes('# TYPE procedure_objects gauge')]).toEqual([200, true]);
  });

  test('says what there is when something else is asked for', async () => {
    const ask = await serving({});
    expect(await ask('/')).toEqual([404, 'there is /healthz and /readyz\n']);
    expect(await ask('/metrics')).toEqual([404, 'there is /healthz and /readyz\n']);
    expect(await ask('/healthz', 'POST')).toEqual([405, 'only GET and HEAD are allowed\n']);
  });

  test('refuses a port that is taken', async () => {
    server = new HealthServer({ liveness: () => [], readiness: () => [] });
    const port = await server.listen(0, '127.0.0.1');
    const second = new HealthServer({ liveness: () => [], readiness: () => [] });
    await expect(second.listen(port, '127.0.0.1')).rejects.toMatchObject({ code: 'EADDRINUSE' });
  });
});
