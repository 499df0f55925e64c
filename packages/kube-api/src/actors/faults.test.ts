// The actors when requests fail, answers get lost, streams break, and when they are started again.
import { describe, expect, it } from 'vitest';
import { createApiServer } from '../create-api-server.ts';
import type { JsonObject } from '../json.ts';
import type { ApiRequest, ApiResponse, Transport, WatchEvent } from '../transport.ts';
import { startActors } from './start.ts';
import { manualClock } from '../testing/manual-clock.ts';
import { startWorld } from './testing/world.ts';

const APPS = '/apis/apps/v1/namespaces/default';
const labels = { app: 'web' };
const template = (image: string): JsonObject => ({
  metadata: { labels },
  spec: { containers: [{ name: 'main', image }] },
});
const workload = (kind: string, name: string): JsonObject => ({
  apiVersion: 'apps/v1',
  kind,
  metadata: { name },
  spec: {
    replicas: 3,
    selector: { matchLabels: { ...labels, name } },
    template: { ...template('web:1'), metadata: { labels: { ...labels, name } } },
    ...(kind === 'StatefulSet' ? { serviceName: name } : {}),
  },
});

/** A transport that misbehaves by a fixed rhythm: some requests never arrive, some answers get lost, streams break. */
function faulty(inner: Transport, rhythm: number): Transport {
  let requests = 0;
  let events = 0;
  return {
    request: async (request: ApiRequest): Promise<ApiResponse> => {
      const turn = ++requests % rhythm;
      if (turn === 1)
        return {
          status: 503,
          headers: {},
          body: { kind: 'Status', status: 'Failure', message: 'try again', code: 503 },
        };
      const response = await inner.request(request);
      if (turn === 2) throw new Error('connection reset');
      return response;
    },
    watch: async (request) => {
      const response = await inner.watch(request);
      async function* breaking(): AsyncGenerator<WatchEvent> {
        for await (const event of response.events) {
          if (++events % rhythm === 0) throw new Error('connection reset');
          yield event;
        }
      }
      return { ...response, events: breaking() };
    },
  };
}

describe('actors on a bad connection', () => {
  it.each([4, 5, 7, 11])('reach the same end when every %ith request or event fails', async (rhythm) => {
    const clock = manualClock();
    const server = createApiServer({ clock });
    const actors = startActors(faulty(server, rhythm), { clock });
    const send = async (method: ApiRequest['method'], path: string, body?: unknown): Promise<JsonObject> => {
      const headers = { 'content-type': method === 'PATCH' ? 'application/merge-patch+json' : 'application/json' };
      const response = await server.request({ method, path, headers, ...(body === undefined ? {} : { body }) });
      expect(response.status).toBeLessThan(400);
      return response.body as JsonObject;
    };
    const settle = async (): Promise<void> => {
      for (let minute = 0; minute < 20; minute++) {
        await actors.idle();
        clock.advance(60_000);
      }
      await actors.idle();
    };
    const images = async (): Promise<readonly string[]> => {
      const { items } = (await send('GET', '/api/v1/namespaces/default/pods')) as {
        readonly items?: readonly JsonObject[];
      };
      return (items ?? []).map(({ spec }) => JSON.stringify(spec).match(/web:\d/)?.[0] ?? '');
    };
    await send('POST', `${APPS}/deployments`, workload('Deployment', 'front'));
    await send('POST', `${APPS}/statefulsets`, workload('StatefulSet', 'back'));
    await settle();
    expect(await images()).toEqual(Array.from({ length: 6 }, () => 'web:1'));
    for (const path of ['deployments/front', 'statefulsets/back']) {
      await send('PATCH', `${APPS}/${path}`, {
        spec: { template: { spec: { containers: [{ name: 'main', image: 'web:2' }] } } },
      });
    }
    await settle();
    expect(await images()).toEqual(Array.from({ length: 6 }, () => 'web:2'));
    const options = { kind: 'DeleteOptions', apiVersion: 'v1', propagationPolicy: 'Foreground' };
    for (const path of ['deployments/front', 'statefulsets/back']) await send('DELETE', `${APPS}/${path}`, options);
    await settle();
    expect(await images()).toEqual([]);
    await actors.stop();
  });
});

describe('actors that are started again', () => {
  it('write nothing to what is in order', async () => {
    const first = await startWorld();
    await first.send('POST', `${APPS}/deployments`, workload('Deployment', 'front'));
    await first.send('POST', `${APPS}/statefulsets`, workload('StatefulSet', 'back'));
    await first.actors.idle();
    await first.actors.stop();
    first.server.log.clear();
    const second = await startWorld({}, first.server, first.clock);
    expect(second.server.log.entries().filter(({ mutating }) => mutating)).toEqual([]);
    await second.close();
  });

  it('finish what others have begun', async () => {
    const clock = manualClock();
    const server = createApiServer({ clock });
    const first = await startWorld({ only: ['deployment'] }, server, clock);
    await first.send('POST', `${APPS}/deployments`, workload('Deployment', 'front'));
    await first.actors.idle();
    expect(await first.list('/api/v1/namespaces/default/pods')).toEqual([]);
    await first.actors.stop();
    const second = await startWorld({ only: ['replicaSet', 'pod'] }, server, clock);
    expect(await second.list('/api/v1/namespaces/default/pods')).toHaveLength(3);
    await second.close();
  });
});

describe('actors that are stopped', () => {
  it('leave no watch open and send nothing more', async () => {
    const world = await startWorld({ podReadyAfterMs: 1000 });
    await world.send('POST', `${APPS}/deployments`, workload('Deployment', 'front'));
    await world.actors.idle();
    await world.actors.stop();
    world.server.log.clear();
    world.clock.advance(60_000);
    await world.actors.idle();
    expect(world.server.log.entries()).toEqual([]);
  });
});
