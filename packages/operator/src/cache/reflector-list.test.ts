// Lists, read in pages or as a stream, from servers that do it well and badly.
import { describe, expect, test } from 'vitest';
import { configMap, configMapList, endOfList, type LabScript } from '../testing/informer-lab.ts';
import { json, line, status, stream } from '../testing/scripted-server.ts';
import { useLabs } from '../testing/use-labs.ts';

const lab = useLabs();

describe('a list', () => {
  test('that fails is repeated, and only a complete one counts as synced', async () => {
    const it = await lab({
      list: ({ response }, n) =>
        n === 1 ? json(response, status(403, 'Forbidden'), 403) : json(response, configMapList([configMap('a', 1)])),
    });
    it.informer.start();
    await it.until('a failure', () => it.failures.length === 1);
    expect(it.informer.isSynced).toBe(false);
    await it.passBackoff();
    await it.informer.synced();
    expect(it.names()).toEqual(['a@1']);
    expect(it.failures[0]?.error).toMatchObject({ code: 403, reason: 'Forbidden' });
  });

  test('comes in pages of 500', async () => {
    const it = await lab({
      list: ({ response, url }) =>
        url.searchParams.get('continue') === null
          ? json(response, configMapList([configMap('a', 1)], 100, { continue: 'next' }))
          : json(response, configMapList([configMap('b', 2)], 100)),
    });
    await it.sync();
    expect(it.names()).toEqual(['a@1', 'b@2']);
    expect(it.server.lists().map(({ query }) => query)).toEqual([{ limit: '500' }, { limit: '500', continue: 'next' }]);
  });

  test('whose next page has expired is read whole', async () => {
    const it = await lab({
      list: ({ response, url: { searchParams } }) => {
        if (searchParams.get('continue') !== null) json(response, status(410, 'Expired'), 410);
        else if (searchParams.get('limit') !== null)
          json(response, configMapList([configMap('a', 1), configMap('gone', 1)], 100, { continue: 'next' }));
        else json(response, configMapList([configMap('a', 3), configMap('b', 2)], 200));
      },
    });
    await it.sync();
    expect(it.names()).toEqual(['a@3', 'b@2']);
  });

  test('gives its items the kind that the server leaves out', async () => {
    const it = await lab();
    await it.sync();
    expect(it.informer.list()[0]).toMatchObject({ apiVersion: 'v1', kind: 'ConfigMap' });
  });

  test('after time away shows what was deleted, and a new object of an old name as both', async () => {
    const it = await lab({
      list: ({ response }, n) =>
        n === 1
          ? json(response, configMapList([configMap('a', 1, 'old'), configMap('b', 2)]))
          : json(response, configMapList([configMap('a', 150, 'new')], 200)),
      watch: ({ response }, n) => (n === 1 ? json(response, status(410, 'Expired'), 410) : stream(response)),
    });
    await it.sync();
    await it.passBackoff();
    await it.watching(2);
    expect(it.events.slice(2)).toEqual(['deleted b@2', 'deleted a@1', 'added a@150']);
  });

  test('that is older than what was seen is not believed, unless it stays so', async () => {
    const it = await lab({
      list: ({ response }, n) => json(response, configMapList([configMap('a', n === 1 ? 90 : 10)], n === 1 ? 100 : 50)),
      watch: ({ response }, n) => (n === 1 ? json(response, status(410, 'Expired'), 410) : stream(response)),
    });
    await it.sync();
    for (let n = 0; n < 5; n += 1) await it.passBackoff();
    expect(it.names()).toEqual(['a@90']);
    await it.watching(2);
    expect(it.names()).toEqual(['a@10']);
    expect(it.server.watches().at(-1)?.query['resourceVersion']).toBe('50');
  });
});

describe('a streamed list', () => {
  const streamed: LabScript = {
    streamedList: ({ response }) =>
      stream(response, line('ADDED', configMap('a', 1)), line('ADDED', configMap('b', 2)), endOfList(100)),
  };

  test('is complete at its mark, and the same stream goes on', async () => {
    let say = (_text: string): void => {};
    const it = await lab({
      streamedList: ({ response }) => {
        stream(response, line('ADDED', configMap('a', 1)));
        say = (text) => response.write(text);
      },
    });
    it.informer.start();
    await it.opened(1);
    expect([it.informer.isSynced, it.names()]).toEqual([false, []]);
    say(endOfList(100) + line('MODIFIED', configMap('a', 101)));
    await it.informer.synced();
    await it.until('the change', () => it.events.length === 2);
    expect(it.events).toEqual(['added a@1', 'updated a@101']);
    expect(it.server.lists()).toEqual([]);
    expect(it.server.watches()[0]?.query).toMatchObject({
      sendInitialEvents: 'true',
      resourceVersionMatch: 'NotOlderThan',
      allowWatchBookmarks: 'true',
    });
    expect(it.server.watches()[0]?.query['resourceVersion']).toBeUndefined();
  });

  test('that the server refuses is read in pages, and not asked for again', async () => {
    const it = await lab({
      watch: ({ response }, n) => (n === 1 ? json(response, status(410, 'Expired'), 410) : stream(response)),
    });
    await it.sync();
    await it.passBackoff();
    await it.watching(2);
    expect(it.server.lists()).toHaveLength(2);
    expect(it.server.watches().filter(({ query }) => query['sendInitialEvents'] === 'true')).toHaveLength(1);
  });

  test('that never ends is read in pages after 15 s', async () => {
    const it = await lab({ streamedList: ({ response }) => stream(response, line('ADDED', configMap('x', 1))) });
    it.informer.start();
    await it.opened(1);
    it.clock.advance(15_000);
    await it.informer.synced();
    expect(it.names()).toEqual(['a@1']);
  });

  test('that breaks twice is read in pages this time', async () => {
    const it = await lab({
      streamedList: ({ response }) => (stream(response, line('ADDED', configMap('x', 1))), response.end()),
    });
    it.informer.start();
    await it.passBackoff();
    await it.until('the second failure', () => it.failures.length === 2);
    await it.passBackoff();
    await it.informer.synced();
    expect(it.names()).toEqual(['a@1']);
  });

  test('serves the former state until the new one is complete', async () => {
    let end = (): void => {};
    const it = await lab({
      streamedList: ({ response }, n) => {
        if (n === 1)
          return stream(
            response,
            line('ADDED', configMap('a', 1)),
            endOfList(100),
            line('ERROR', status(410, 'Expired')),
          );
        stream(response, line('ADDED', configMap('b', 150)));
        end = () => void response.write(endOfList(200));
      },
    });
    await it.sync();
    await it.passBackoff();
    await it.opened(2);
    expect(it.names()).toEqual(['a@1']);
    end();
    await it.until('the new state', () => it.events.length === 3);
    expect(it.names()).toEqual(['b@150']);
  });

  test('is shared as knowledge: nothing is listed twice', async () => {
    const it = await lab(streamed);
    await it.sync();
    expect([it.names(), it.server.arrivals.length]).toEqual([['a@1', 'b@2'], 1]);
  });
});
