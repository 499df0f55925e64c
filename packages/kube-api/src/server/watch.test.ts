import { describe, expect, it } from 'vitest';
import { CONFIG_MAPS, configMap, PATCH, testServer } from '../testing/server.ts';
import type { KubeObject } from '../json.ts';

const from = (revision: string): string => `${CONFIG_MAPS}?watch=true&resourceVersion=${revision}`;

describe('a watch', () => {
  it('misses nothing between the list and its start, and sees nothing twice', async () => {
    const { server, ok, events } = testServer();
    await ok('POST', CONFIG_MAPS, configMap('a'));
    const list = await ok('GET', CONFIG_MAPS);
    await ok('POST', CONFIG_MAPS, configMap('b'));
    const watch = events(from(list.metadata.resourceVersion ?? ''), 2);
    await ok('POST', CONFIG_MAPS, configMap('c'));
    expect((await watch).map((event) => (event.object as KubeObject).metadata.name)).toEqual(['b', 'c']);
    server.close();
  });

  it('from a revision of the future is silent until that is passed', async () => {
    const { server, ok, events } = testServer();
    const future = Number(server.resourceVersion()) + 2;
    const watch = events(from(String(future)), 1);
    for (const name of ['a', 'b', 'c']) await ok('POST', CONFIG_MAPS, configMap(name));
    expect((await watch).map((event) => (event.object as KubeObject).metadata.name)).toEqual(['c']);
  });

  it('has an old path of its own, for a collection and for one object', async () => {
    const { server, ok, events } = testServer();
    const query = `?resourceVersion=${server.resourceVersion()}`;
    const all = events(`/api/v1/watch/namespaces/default/configmaps${query}`, 2);
    const one = events(`/api/v1/watch/namespaces/default/configmaps/b${query}`, 1);
    for (const name of ['a', 'b']) await ok('POST', CONFIG_MAPS, configMap(name));
    const names = [...(await all), ...(await one)].map((event) => (event.object as KubeObject).metadata.name);
    expect(names).toEqual(['a', 'b', 'b']);
  });

  it('hands out the stored objects themselves, frozen', async () => {
    const { server, ok, events } = testServer();
    const watch = events(from(server.resourceVersion()), 1);
    await ok('POST', CONFIG_MAPS, configMap('a'));
    const [event] = await watch;
    expect(event?.object).toBe(await ok('GET', `${CONFIG_MAPS}/a`));
    expect(Object.isFrozen(event?.object)).toBe(true);
  });

  it('ends when its signal aborts, and the server forgets it', async () => {
    const { server, ok } = testServer();
    const controller = new AbortController();
    const { events } = await server.watch({
      method: 'GET',
      path: from(server.resourceVersion()),
      signal: controller.signal,
    });
    const reader = events[Symbol.asyncIterator]();
    const pending = reader.next();
    controller.abort();
    expect((await pending).done).toBe(true);
    await ok('POST', CONFIG_MAPS, configMap('a'));
    expect((await reader.next()).done).toBe(true);
  });

  it('gives up on a reader that falls too far behind, which may then resume', async () => {
    const { server, ok } = testServer({ watchBacklog: 10 });
    await ok('POST', CONFIG_MAPS, configMap('a'));
    const { events } = await server.watch({ method: 'GET', path: from(server.resourceVersion()) });
    const patch = (index: number): Promise<unknown> =>
      ok('PATCH', `${CONFIG_MAPS}/a`, { data: { n: String(index) } }, PATCH.merge);
    for (let index = 0; index < 15; index++) await patch(index);
    let last: KubeObject | undefined;
    let count = 0;
    for await (const event of events) {
      last = event.object as KubeObject;
      count++;
    }
    expect(count).toBe(11);
    const rest = await server.watch({ method: 'GET', path: from(last?.metadata.resourceVersion ?? '') });
    const { value } = await rest.events[Symbol.asyncIterator]().next();
    expect((value.object as KubeObject)['data']).toEqual({ n: '11' });
    server.close();
  });

  it('leaves no timer behind when it ends', async () => {
    const { server, clock } = testServer();
    let timers = 0;
    const counting = testServer({
      clock: {
        now: clock.now,
        setTimer: (ms, callback) => {
          timers++;
          const cancel = clock.setTimer(ms, callback);
          return () => {
            timers--;
            cancel();
          };
        },
      },
    });
    await counting.server.watch({ method: 'GET', path: `${CONFIG_MAPS}?watch=true&allowWatchBookmarks=true` });
    expect(timers).toBe(2);
    counting.server.close();
    expect(timers).toBe(0);
    server.close();
  });
});
