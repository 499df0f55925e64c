// Reads after writes: whatever the order in which answers and events arrive.
import type { KubernetesObject } from '@pawl/reconciler/kubernetes';
import { describe, expect, test } from 'vitest';
import { configMap, InformerLab } from '../testing/informer-lab.ts';
import { json, line, stream } from '../testing/scripted-server.ts';
import { cachedObject } from './cached-object.ts';
import { Overlay } from './overlay.ts';
import { Store } from './store.ts';

const TYPE = { apiVersion: 'v1', kind: 'ConfigMap' };
const KEY = 'd/a';
function at(revision: number, uid = 'u', labels: Record<string, string> = {}): KubernetesObject {
  return cachedObject(TYPE, configMap('a', revision, uid, { labels }));
}

function setUp() {
  const store = new Store();
  let progress = '0';
  const overlay = new Overlay({ stored: (key) => store.getByKey(key), progress: () => progress });
  /** An event of the watch, handled as an informer does; answers whether it was an echo. */
  const event = (type: 'put' | 'remove', object: KubernetesObject): boolean => {
    store[type](object);
    const echo = overlay.isEcho(object);
    progress = object.metadata.resourceVersion;
    overlay.settle(object.metadata.uid);
    return echo;
  };
  const bookmark = (revision: number): void => {
    progress = String(revision);
    overlay.settle();
  };
  const read = (): string | undefined => overlay.read(KEY)?.metadata.resourceVersion;
  const list = (labels: Record<string, string> = {}): readonly string[] =>
    overlay.select(store.select({ labels }), { labels }).map(({ metadata }) => metadata.resourceVersion);
  return { store, overlay, event, bookmark, read, list };
}

describe('a write', () => {
  test('is seen at once, and until the cache has it', () => {
    const { overlay, event, read, list } = setUp();
    overlay.wrote(at(5));
    expect([read(), list()]).toEqual(['5', ['5']]);
    expect(event('put', at(5))).toBe(true);
    expect([read(), overlay.size]).toEqual(['5', 0]);
  });

  test('is seen in place of what the cache has, also in selections', () => {
    const { overlay, event, list } = setUp();
    event('put', at(4, 'u', { tier: 'old' }));
    overlay.wrote(at(5, 'u', { tier: 'new' }));
    expect([list({ tier: 'old' }), list({ tier: 'new' })]).toEqual([[], ['5']]);
  });

  test('whose event came before its answer is not kept', () => {
    const { overlay, event, read } = setUp();
    event('put', at(5));
    event('put', at(6));
    overlay.wrote(at(5));
    expect([read(), overlay.size]).toEqual(['6', 0]);
  });

  test('of an object that was deleted before the answer came does not come back', () => {
    const { overlay, event, read } = setUp();
    event('put', at(5));
    event('remove', at(7));
    overlay.wrote(at(5));
    expect(read()).toBeUndefined();
  });

  test('of an object that somebody then changed or deleted is forgotten with that event', () => {
    const { overlay, event, read } = setUp();
    overlay.wrote(at(5));
    event('remove', at(6));
    expect([read(), overlay.size]).toEqual([undefined, 0]);
  });

  test('that the cache never sees, for its selector does not match, is forgotten in time', () => {
    const { overlay, bookmark } = setUp();
    overlay.wrote(at(5));
    bookmark(4);
    expect(overlay.size).toBe(1);
    bookmark(5);
    expect(overlay.size).toBe(0);
  });

  test('hides nothing of a newer object with the same name', () => {
    const { overlay, event, read } = setUp();
    overlay.wrote(at(5, 'old'));
    event('put', at(9, 'new'));
    expect(read()).toBe('9');
  });
});

describe('a deletion', () => {
  test('is seen at once, and until the cache has it', () => {
    const { overlay, event, read, list } = setUp();
    event('put', at(5));
    overlay.removed(at(5));
    expect([read(), list()]).toEqual([undefined, []]);
    event('put', at(6));
    expect(read()).toBeUndefined();
    event('remove', at(7));
    expect(overlay.size).toBe(0);
  });

  test('of something that was just created hides the late events of its life', () => {
    const { overlay, event, read } = setUp();
    overlay.wrote(at(5));
    overlay.removed(at(5));
    expect(read()).toBeUndefined();
    event('put', at(5));
    expect(read()).toBeUndefined();
    event('remove', at(6));
    expect([read(), overlay.size]).toEqual([undefined, 0]);
  });

  test('does not hide what is created afterwards', () => {
    const { overlay, event, read } = setUp();
    event('put', at(5, 'old'));
    overlay.removed(at(5, 'old'));
    overlay.wrote(at(8, 'new'));
    expect(read()).toBe('8');
  });

  test('is not undone by the late answer to an earlier write', () => {
    const { overlay, event, read } = setUp();
    event('put', at(5));
    overlay.removed(at(6));
    overlay.wrote(at(6));
    expect(read()).toBeUndefined();
  });
});

describe('an echo', () => {
  test('is every revision that a write was acknowledged with, and no other', () => {
    const { overlay, event } = setUp();
    overlay.wrote(at(5));
    overlay.wrote(at(7));
    expect([event('put', at(5)), event('put', at(6)), event('put', at(7))]).toEqual([true, false, true]);
    expect(overlay.isEcho(at(7))).toBe(false);
  });

  test('is not the same revision of another object', () => {
    const { overlay } = setUp();
    overlay.wrote(at(5, 'u'));
    expect(overlay.isEcho(at(5, 'other'))).toBe(false);
  });

  test('is told to handlers, but never for a list, within which other changes may be hidden', async () => {
    let say = (_text: string): void => {};
    const it = await InformerLab.open({
      watch: ({ response }) => {
        stream(response);
        say = (text) => response.write(text);
      },
      list: ({ response }, n) =>
        json(response, {
          metadata: { resourceVersion: n === 1 ? '100' : '200' },
          items: n === 1 ? [] : [configMap('a', 105)],
        }),
    });
    await it.sync();
    await it.opened(1);
    it.informer.wrote(at(101, 'uid-a'));
    expect(it.names()).toEqual(['a@101']);
    say(line('ADDED', configMap('a', 101)) + line('MODIFIED', configMap('a', 102)));
    await it.until('two events', () => it.events.length === 2);
    it.informer.wrote(at(105, 'uid-a'));
    say(line('ERROR', { kind: 'Status', code: 410, reason: 'Expired' }));
    await it.passBackoff();
    await it.until('the list', () => it.events.length === 3);
    expect(it.events).toEqual(['added a@101 echo', 'updated a@102', 'updated a@105']);
    await it.close();
  });
});
