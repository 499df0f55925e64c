// Informers against a server that misbehaves in every way that was seen in the field.
import { afterEach, describe, expect, test } from 'vitest';
import { json, line, status, stream } from '../testing/scripted-server.ts';
import { bookmark, configMap, configMapList, endOfList, InformerLab, type LabScript } from '../testing/informer-lab.ts';
import type { InformerScope } from './informer.ts';

const open: InformerLab[] = [];
async function lab(script: LabScript = {}, scope: Partial<InformerScope> = {}): Promise<InformerLab> {
  const opened = await InformerLab.open(script, scope);
  open.push(opened);
  return opened;
}
afterEach(async () => {
  await Promise.all(open.splice(0).map((opened) => opened.close()));
});

describe('a watch that ends', () => {
  test('by the server, again and again at once, is reopened after growing pauses', async () => {
    const it = await lab({ watch: ({ response }, n) => (n <= 3 ? (stream(response), response.end()) : stream(response)) });
    await it.sync();
    for (let n = 0; n < 3; n += 1) await it.passBackoff();
    await it.until('the fourth watch or a list', () => it.server.lists().length === 2 || it.resumed() === 4);
    const waits = it.failures.filter(({ next }) => next === 'resume').map(({ waitMs }) => waitMs);
    expect(waits).toEqual([500, 1_000]);
    expect(it.failures.at(-1)).toMatchObject({ next: 'relist', waitMs: 2_000 });
  });

  test('by the server in its time is reopened at once, where it ended', async () => {
    let end = (): void => {};
    const it = await lab({
      watch: ({ response }, n) => {
        stream(response, ...(n === 1 ? [line('ADDED', configMap('b', 101))] : []));
        end = () => response.end();
      },
    });
    await it.sync();
    await it.until('b', () => it.events.includes('added b@101'));
    it.clock.advance(20_000);
    end();
    await it.until('the second watch', () => it.resumed() === 2);
    expect(it.server.watches().at(-1)?.query['resourceVersion']).toBe('101');
    expect(it.failures).toEqual([]);
  });

  test('by a broken connection is resumed from the last revision', async () => {
    const it = await lab({
      watch: ({ request, response }, n) => {
        stream(response, line('ADDED', configMap('b', 100 + n)));
        if (n === 1) setImmediate(() => request.socket.destroy());
      },
    });
    await it.sync();
    await it.passBackoff();
    await it.until('the second event', () => it.events.length === 3);
    expect(it.events).toEqual(['added a@1', 'added b@101', 'updated b@102']);
    expect(it.server.lists()).toHaveLength(1);
  });

  test.each(['as an event', 'as an answer'])('by an expired revision, told %s, is followed by a new list', async (how) => {
    const it = await lab({
      watch: ({ response }, n) => {
        if (n > 1) stream(response);
        else if (how === 'as an answer') json(response, status(410, 'Expired'), 410);
        else stream(response, line('ERROR', status(410, 'Expired')));
      },
    });
    await it.sync();
    await it.passBackoff();
    await it.watching(2);
    expect(it.server.lists()).toHaveLength(2);
    expect(it.failures.map(({ next }) => next)).toEqual(['relist']);
  });

  test('by a failure of the server is resumed', async () => {
    const it = await lab({
      watch: ({ response }, n) => (n === 1 ? json(response, status(500, 'InternalError'), 500) : stream(response)),
    });
    await it.sync();
    await it.passBackoff();
    await it.until('the second watch', () => it.resumed() === 2);
    expect(it.server.lists()).toHaveLength(1);
  });

  test('by an overloaded server is resumed no sooner than the server asks', async () => {
    const it = await lab({
      watch: ({ response }, n) =>
        n === 1 ? (response.writeHead(429, { 'retry-after': '7' }), response.end('slow down')) : stream(response),
    });
    await it.sync();
    await it.passBackoff();
    await it.until('the second watch', () => it.resumed() === 2);
    expect(it.failures.map(({ waitMs }) => waitMs)).toEqual([7_000]);
  });

  test('by ERROR events other than expiry is resumed, and listed anew when that brings nothing', async () => {
    const it = await lab({
      watch: ({ response }, n) =>
        n <= 3 ? stream(response, line('ERROR', status(500, 'InternalError'))) : stream(response),
    });
    await it.sync();
    for (let n = 0; n < 3; n += 1) await it.passBackoff();
    await it.until('the fourth watch', () => it.resumed() === 4);
    expect(it.failures.map(({ next }) => next)).toEqual(['resume', 'resume', 'relist']);
    expect(it.server.lists()).toHaveLength(2);
  });

  test('inside a line that is no JSON is resumed; what came before counts', async () => {
    const it = await lab({
      watch: ({ response }, n) =>
        n === 1
          ? stream(response, line('ADDED', configMap('b', 101)), '{"type":"ADDED","object":\n')
          : stream(response, line('ADDED', configMap('c', 103))),
    });
    await it.sync();
    await it.passBackoff();
    await it.until('c', () => it.events.includes('added c@103'));
    expect(it.failures.map(({ error }) => error.name)).toEqual(['WatchFormatError']);
    expect(it.server.watches().at(-1)?.query['resourceVersion']).toBe('101');
  });
});

describe('a watch that is silent', () => {
  test('is given up after 70 s and resumed', async () => {
    const it = await lab();
    await it.sync();
    await it.opened(1);
    it.clock.advance(69_999);
    expect(it.informer.reports[0]?.state).toBe('watching');
    it.clock.advance(1);
    await it.passBackoff();
    await it.until('the second watch', () => it.resumed() === 2);
    expect(it.failures[0]?.error.message).toBe('no sign of life for 70000 ms');
    expect(it.server.lists()).toHaveLength(1);
  });

  test('but for bookmarks lives on, and they move the revision', async () => {
    let say = (_text: string): void => {};
    const it = await lab({
      watch: ({ response }) => {
        stream(response);
        say = (text) => response.write(text);
      },
    });
    await it.sync();
    await it.opened(1);
    for (const revision of [200, 300]) {
      it.clock.advance(60_000);
      const before = it.informer.reports[0]?.lastContactAt;
      say(bookmark(revision));
      await it.until('the bookmark', () => it.informer.reports[0]?.lastContactAt !== before);
    }
    it.clock.advance(70_000);
    await it.passBackoff();
    await it.until('the second watch', () => it.resumed() === 2);
    expect(it.server.watches().at(-1)?.query['resourceVersion']).toBe('300');
  });

  test('before it has begun is given up at the deadline of calls', async () => {
    const it = await lab({ watch: ({ response }, n) => (n === 1 ? undefined : stream(response)) });
    await it.sync();
    await it.until('the watch', () => it.resumed() === 1);
    it.clock.advance(15_000);
    await it.passBackoff();
    await it.until('the second watch', () => it.resumed() === 2);
    expect(it.failures[0]?.error).toMatchObject({ failure: 'timeout' });
  });

  test('asks for bookmarks and an end within 180 to 230 s, and ends itself soon after', async () => {
    let say = (_text: string): void => {};
    const it = await lab({
      watch: ({ response }) => {
        stream(response);
        say = (text) => response.write(text);
      },
    });
    await it.sync();
    await it.opened(1);
    expect(it.server.watches().at(-1)?.query).toMatchObject({ allowWatchBookmarks: 'true', timeoutSeconds: '205' });
    for (let n = 1; n <= 4; n += 1) {
      it.clock.advance(50_000);
      say(bookmark(100 + n));
      await it.until('the bookmark', () => it.informer.reports[0]?.lastContactAt === it.clock.now());
    }
    it.clock.advance(15_000);
    await it.until('the second watch', () => it.resumed() === 2);
    expect(it.failures).toEqual([]);
  });
});

describe('a list', () => {
  test('that fails is repeated, and only a complete one counts as synced', async () => {
    const it = await lab({
      list: ({ response }, n) => (n === 1 ? json(response, status(403, 'Forbidden'), 403) : json(response, configMapList([configMap('a', 1)]))),
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
    expect(it.server.lists().map(({ query }) => query)).toEqual([
      { limit: '500' },
      { limit: '500', continue: 'next' },
    ]);
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
    const it = await lab({ streamedList: ({ response }) => (stream(response, line('ADDED', configMap('x', 1))), response.end()) });
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
        if (n === 1) return stream(response, line('ADDED', configMap('a', 1)), endOfList(100), line('ERROR', status(410, 'Expired')));
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

describe('events', () => {
  test('of an older revision change nothing, nor the revision to resume from', async () => {
    const it = await lab({
      list: ({ response }) => json(response, configMapList([configMap('a', 95)])),
      watch: ({ response }) =>
        stream(response, bookmark(500), line('MODIFIED', configMap('a', 90)), line('DELETED', configMap('a', 91)), line('ADDED', configMap('z', 501))),
    });
    await it.sync();
    await it.until('z', () => it.events.includes('added z@501'));
    expect(it.names()).toEqual(['a@95', 'z@501']);
  });

  test('of a recreation without a deletion show both', async () => {
    const it = await lab({ watch: ({ response }) => stream(response, line('MODIFIED', configMap('a', 101, 'new'))) });
    await it.sync();
    await it.until('both', () => it.events.length === 3);
    expect(it.events).toEqual(['added a@1', 'deleted a@1', 'added a@101']);
  });

  test('with a character cut in two by the network arrive whole', async () => {
    const it = await lab({
      watch: ({ response }) => {
        stream(response);
        const bytes = Buffer.from(line('ADDED', configMap('b', 101, 'b', { annotations: { note: 'größer' } })));
        const cut = bytes.indexOf(0xc3) + 1;
        response.write(bytes.subarray(0, cut));
        setImmediate(() => response.write(bytes.subarray(cut)));
      },
    });
    await it.sync();
    await it.until('b', () => it.events.length === 2);
    expect(it.informer.get({ namespace: 'd', name: 'b' })?.metadata.annotations).toEqual({ note: 'größer' });
  });
});

describe('handlers', () => {
  test.each(['list', 'watch'])('that throw on the %s stop neither the cache nor each other', async (where) => {
    const bad = configMap('bad', 101);
    const it = await lab({
      list: ({ response }) => json(response, configMapList(where === 'list' ? [bad, configMap('good', 102)] : [], 105)),
      watch: ({ response }) =>
        where === 'watch' ? stream(response, line('ADDED', bad), line('ADDED', configMap('good', 106))) : stream(response),
    });
    it.informer.addHandler(({ object }) => {
      if (object.metadata.name === 'bad') throw new Error('boom');
    });
    await it.sync();
    await it.until('both events', () => it.events.length === 2);
    expect(it.handlerErrors.map(({ message }) => message)).toEqual(['boom']);
    expect(it.informer.list()).toHaveLength(2);
  });

  test('that come later are told what is there already', async () => {
    const it = await lab();
    await it.sync();
    const seen: unknown[] = [];
    it.informer.addHandler(({ type, object, initial }) => seen.push([type, object.metadata.name, initial]));
    expect(seen).toEqual([['added', 'a', true]]);
  });
});

describe('stopping and starting', () => {
  test('stop during the list opens no watch', async () => {
    const it = await lab({ list: () => {} });
    it.informer.start();
    await it.until('the list', () => it.server.lists().length === 1);
    const synced = expect(it.informer.synced()).rejects.toThrow('was stopped');
    await it.informer.stop();
    await synced;
    await it.until('the end of the connection', () => it.server.sockets.size <= 1);
    expect(it.resumed()).toBe(0);
    expect(it.clock.pending).toBe(0);
  });

  test('stop ends the watch and leaves no timer', async () => {
    const it = await lab();
    await it.sync();
    await it.watching(1);
    await it.informer.stop();
    expect(it.clock.pending).toBe(0);
  });

  test('start twice is start once', async () => {
    const it = await lab();
    it.informer.start();
    await it.sync();
    await it.watching(1);
    expect([it.server.lists().length, it.resumed()]).toEqual([1, 1]);
  });
});

describe('scope', () => {
  test('several namespaces share one cache', async () => {
    const it = await lab(
      {
        list: ({ response, url }) => {
          const namespace = url.pathname.split('/')[4];
          json(response, configMapList([configMap('a', 1, `uid-${namespace}`, { namespace })]));
        },
      },
      { namespaces: ['one', 'two'] },
    );
    await it.sync();
    expect(it.informer.list().map(({ metadata }) => metadata.namespace)).toEqual(['one', 'two']);
  });

  test('selectors narrow both list and watch', async () => {
    const it = await lab({}, { labelSelector: 'app in (a,b)', fieldSelector: 'metadata.name=a' });
    await it.sync();
    await it.watching(1);
    for (const { query } of it.server.arrivals)
      expect(query).toMatchObject({ labelSelector: 'app in (a,b)', fieldSelector: 'metadata.name=a' });
  });

  test('metadata only asks for metadata and keeps nothing else, whatever the server sends', async () => {
    const secret = { ...configMap('a', 1), data: { key: 'value' } };
    const it = await lab(
      {
        list: ({ response }) => json(response, configMapList([secret])),
        watch: ({ response }) => stream(response, line('MODIFIED', { ...secret, ...configMap('a', 101), data: { key: 'other' } })),
      },
      { metadataOnly: true },
    );
    await it.sync();
    await it.until('the change', () => it.events.length === 2);
    expect(Object.keys(it.informer.list()[0] ?? {})).toEqual(['apiVersion', 'kind', 'metadata']);
    expect(it.server.arrivals.map(({ headers }) => headers.accept)).toEqual([
      'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json',
      'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json',
      'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json',
    ]);
  });
});
