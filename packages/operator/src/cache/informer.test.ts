// Informers: events, handlers, scope, starting and stopping.
import { describe, expect, test } from 'vitest';
import { bookmark, configMap, configMapList } from '../testing/informer-lab.ts';
import { json, line, stream } from '../testing/scripted-server.ts';
import { useLabs } from '../testing/use-labs.ts';

const lab = useLabs();

describe('events', () => {
  test('of an older revision change nothing, nor the revision to resume from', async () => {
    const it = await lab({
      list: ({ response }) => json(response, configMapList([configMap('a', 95)])),
      watch: ({ response }) =>
        stream(
          response,
          bookmark(500),
          line('MODIFIED', configMap('a', 90)),
          line('DELETED', configMap('a', 91)),
          line('ADDED', configMap('z', 501)),
        ),
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
        where === 'watch'
          ? stream(response, line('ADDED', bad), line('ADDED', configMap('good', 106)))
          : stream(response),
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
        watch: ({ response }) =>
          stream(response, line('MODIFIED', { ...secret, ...configMap('a', 101), data: { key: 'other' } })),
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
