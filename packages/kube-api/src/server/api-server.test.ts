import { describe, expect, it } from 'vitest';
import {
  CONFIG_MAPS,
  configMap,
  clientOf,
  CRDS,
  PATCH,
  testServer,
  WIDGETS,
  widget,
  widgetDefinition,
} from '../testing/server.ts';
import type { KubeObject } from '../json.ts';
import { errorResponse } from './core.ts';
import { tooManyRequests } from '../errors.ts';

describe('the server in process', () => {
  it('leaves the body of the caller alone and does not follow its later changes', async () => {
    const { ok } = testServer();
    const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, data: { x: '1' } };
    await ok('POST', CONFIG_MAPS, body);
    body.data.x = '2';
    expect((await ok('GET', `${CONFIG_MAPS}/a`))['data']).toEqual({ x: '1' });
  });

  it('refuses what JSON cannot say', async () => {
    const { send } = testServer();
    expect((await send('POST', CONFIG_MAPS, { ...configMap('a'), data: { f: () => 1 } })).status).toBe(400);
  });

  it('answers the same object to every reader', async () => {
    const { ok } = testServer();
    await ok('POST', CONFIG_MAPS, configMap('a'));
    expect(await ok('GET', `${CONFIG_MAPS}/a`)).toBe(await ok('GET', `${CONFIG_MAPS}/a`));
  });

  it('logs requests in the order of their arrival, with what they were about', async () => {
    const { server, send } = testServer();
    await send('POST', `${CONFIG_MAPS}?dryRun=All`, configMap('a'));
    await send('GET', '/apis/apps/v1/namespaces/x/deployments/y/scale');
    await send('GET', '/version');
    expect([...server.log]).toMatchObject([
      {
        sequence: 1,
        verb: 'create',
        resource: 'configmaps',
        namespace: 'default',
        mutating: true,
        dryRun: true,
        status: 201,
      },
      {
        sequence: 2,
        verb: 'get',
        resource: 'deployments.apps/scale',
        namespace: 'x',
        name: 'y',
        mutating: false,
        status: 404,
      },
      { sequence: 3, verb: '', path: '/version', userAgent: 'test/1', status: 200 },
    ]);
  });

  it('keeps as many log entries as it is told to and counts on', async () => {
    const { server, send } = testServer({ logLimit: 2 });
    for (let index = 0; index < 7; index++) await send('GET', '/version');
    expect(server.log.entries().map((entry) => entry.sequence)).toEqual([6, 7]);
    expect(server.log.count()).toBe(7);
  });

  it('names the option and what is allowed when it is created wrongly', () => {
    expect(() => testServer({ watchWindow: 0 })).toThrow('watchWindow: found 0, allowed are whole numbers from 1');
  });
});

describe('hooks', () => {
  it('can fail a request before it reaches the store', async () => {
    const { ok, send, server } = testServer({
      hooks: {
        request: (request, proceed) =>
          request.method === 'POST' ? errorResponse(tooManyRequests('later', 1)) : proceed(),
      },
    });
    const response = await send('POST', CONFIG_MAPS, configMap('a'));
    expect(response).toMatchObject({ status: 429, headers: { 'retry-after': '1' } });
    expect((await ok('GET', CONFIG_MAPS))['items']).toEqual([]);
    expect(server.log.entries()[0]?.status).toBe(429);
  });

  it('can lose the answer of a request that was committed', async () => {
    const { ok, send } = testServer({
      hooks: {
        request: (request, proceed) => {
          const response = proceed();
          if (request.method === 'POST') throw new Error('connection reset');
          return response;
        },
      },
    });
    await expect(send('POST', CONFIG_MAPS, configMap('a'))).rejects.toThrow('connection reset');
    expect((await ok('GET', `${CONFIG_MAPS}/a`)).metadata.name).toBe('a');
  });

  it('can serve reads from the cache as of an earlier revision, while other reads stay fresh', async () => {
    let lag: number | undefined;
    const { ok, server, send } = testServer({ hooks: { cachedRevision: () => lag } });
    await ok('POST', CONFIG_MAPS, configMap('a', { x: 'old' }));
    lag = Number(server.resourceVersion());
    await ok('PATCH', `${CONFIG_MAPS}/a`, { data: { x: 'new' } }, PATCH.merge);
    await ok('POST', CONFIG_MAPS, configMap('b'));
    const stale = (await ok('GET', `${CONFIG_MAPS}?resourceVersion=0`)) as KubeObject & { items: KubeObject[] };
    expect(stale.items.map((item) => item['data'])).toEqual([{ x: 'old' }]);
    expect(stale.metadata.resourceVersion).toBe(String(lag));
    expect((await ok('GET', `${CONFIG_MAPS}/a?resourceVersion=0`))['data']).toEqual({ x: 'old' });
    expect((await send('GET', `${CONFIG_MAPS}/b?resourceVersion=0`)).status).toBe(404);
    expect((await ok('GET', `${CONFIG_MAPS}/a`))['data']).toEqual({ x: 'new' });
  });
});

describe('a fork of a server', () => {
  it('goes on with the same objects, kinds and history, apart from its origin', async () => {
    const { ok, server } = testServer();
    await ok('POST', CRDS, widgetDefinition());
    await ok('POST', WIDGETS, widget('w'));
    const start = server.resourceVersion();
    const world = server.fork();
    const fork = clientOf(world);
    await fork.ok('PATCH', `${WIDGETS}/w`, { spec: { size: 9 } }, PATCH.merge);
    await fork.ok('DELETE', `${CRDS}/widgets.test.dev`);
    expect((await ok('GET', `${WIDGETS}/w`))['spec']).toEqual({ size: 1 });
    const [event] = await clientOf(server.fork()).events(
      `${WIDGETS}?watch=true&resourceVersion=${Number(start) - 1}`,
      1,
    );
    expect(event).toMatchObject({ type: 'ADDED', object: { metadata: { name: 'w' } } });
    expect((await fork.send('GET', WIDGETS)).status).toBe(404);
  });

  it('does not repeat the uids of its origin when both count on', async () => {
    const { ok, server } = testServer();
    const fork = clientOf(server.fork());
    const [a, b] = [await ok('POST', CONFIG_MAPS, configMap('a')), await fork.ok('POST', CONFIG_MAPS, configMap('a'))];
    expect(a.metadata.uid).not.toBe(b.metadata.uid);
  });
});

describe('a policy', () => {
  it('refuses requests with 403 and answers access reviews', async () => {
    const { send } = testServer({ authorize: ({ verb, resource }) => resource !== 'secrets' || verb === 'get' });
    const refused = await send('GET', '/api/v1/namespaces/default/secrets');
    expect(refused).toMatchObject({ status: 403, body: { reason: 'Forbidden', details: { kind: 'secrets' } } });
    const review = (verb: string): object => ({
      spec: { resourceAttributes: { verb, resource: 'secrets', namespace: 'default' } },
    });
    const path = '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews';
    expect((await send('POST', path, review('list'))).body).toMatchObject({ status: { allowed: false } });
    expect((await send('POST', path, review('get'))).body).toMatchObject({ status: { allowed: true } });
  });
});

describe('a server with objects to begin with', () => {
  it('has them as they were, with their uids and status, and serves their kinds', async () => {
    const { ok, server } = testServer();
    await ok('POST', CRDS, widgetDefinition());
    const created = await ok('POST', WIDGETS, widget('w'));
    await ok('PATCH', `${WIDGETS}/w/status`, { status: { fine: true } }, PATCH.merge);
    const copy = testServer({ objects: JSON.parse(JSON.stringify(server.objects())) as unknown[] });
    const restored = await copy.ok('GET', `${WIDGETS}/w`);
    expect(restored).toMatchObject({ metadata: { uid: created.metadata.uid }, status: { fine: true } });
    expect(copy.server.objects()).toHaveLength(server.objects().length);
  });

  it('names a kind that it does not serve', () => {
    const objects = [{ apiVersion: 'x.dev/v1', kind: 'X', metadata: { name: 'x' } }];
    expect(() => testServer({ objects })).toThrow('objects: found x.dev/v1 X, a kind that is not served');
  });
});

describe('the history of a server', () => {
  it('names every committed write with the state before and after', async () => {
    const { ok, send, server } = testServer();
    const start = server.resourceVersion();
    await ok('POST', CONFIG_MAPS, configMap('a', { x: '1' }));
    await ok('PATCH', `${CONFIG_MAPS}/a`, { data: { x: '2' } }, PATCH.merge);
    await ok('PATCH', `${CONFIG_MAPS}/a`, { data: { x: '2' } }, PATCH.merge);
    await send('DELETE', `${CONFIG_MAPS}/a`);
    expect(server.changes(start)).toMatchObject([
      { type: 'ADDED', table: 'configmaps', key: 'default/a', object: { data: { x: '1' } } },
      { type: 'MODIFIED', object: { data: { x: '2' } }, previous: { data: { x: '1' } } },
      { type: 'DELETED', previous: { data: { x: '2' } } },
    ]);
    server.compact();
    expect(server.changes(start)).toBeUndefined();
  });
});
