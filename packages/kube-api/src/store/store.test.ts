import { describe, expect, it } from 'vitest';
import type { KubeObject } from '../json.ts';
import { Store } from './store.ts';

const object = (name: string, value = ''): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Thing',
  metadata: { name },
  value,
});

function storeWith(...names: readonly string[]): Store {
  const store = new Store({ watchWindow: 100 });
  for (const name of names) store.put('things', name, object(name));
  return store;
}

const names = (store: Store, revision: number): readonly string[] => [...store.listAt('things', '', revision).keys];

describe('a store', () => {
  it('gives every write, deletions too, the next revision of one counter', () => {
    const store = storeWith('a');
    const first = store.revision;
    store.put('others', 'x', object('x'));
    const gone = store.remove('things', 'a');
    expect(store.revision).toBe(first + 2);
    expect(gone?.metadata.resourceVersion).toBe(String(first + 2));
  });

  it('freezes what it holds to the bottom', () => {
    const store = new Store({ watchWindow: 10 });
    const stored = store.put('things', 'a', { ...object('a'), deep: { list: [{ x: 1 }] } });
    const deep = stored['deep'] as { list: { x: number }[] };
    expect(() => {
      (deep.list[0] as { x: number }).x = 2;
    }).toThrow(TypeError);
  });

  it('lists in the order of keys, whatever the order of creation', () => {
    expect(names(storeWith('c', 'a', 'b'), Infinity)).toEqual(['a', 'b', 'c']);
  });

  it('finds the keys of one namespace only, also beside namespaces that share its beginning', () => {
    const store = new Store({ watchWindow: 10 });
    for (const key of ['a/x', 'a-b/x', 'ab/x', 'a/y']) store.put('things', key, object(key));
    expect(store.list('things', 'a').keys).toEqual(['a/x', 'a/y']);
  });

  it('shows an earlier revision as it was', () => {
    const store = storeWith('a', 'b');
    const then = store.revision;
    store.put('things', 'a', object('a', 'new'));
    store.put('things', 'c', object('c'));
    store.remove('things', 'b');
    expect(names(store, then)).toEqual(['a', 'b']);
    expect(store.listAt('things', '', then).get('a')?.['value']).toBe('');
    expect(store.getAt('things', 'b', then)).toBeDefined();
    expect(store.getAt('things', 'c', then)).toBeUndefined();
  });

  it('keeps a bounded window of changes and says from where', () => {
    const store = new Store({ watchWindow: 4 });
    for (let index = 0; index < 20; index++) store.put('things', 'a', object('a', String(index)));
    expect(store.oldest).toBeGreaterThan(10);
    expect(store.changesSince(store.oldest, 'things').length).toBeGreaterThanOrEqual(4);
    expect(store.changesSince(store.oldest, 'things').length).toBeLessThan(8);
  });

  it('forgets what is compacted', () => {
    const store = storeWith('a', 'b', 'c');
    store.compact(store.revision - 1);
    expect(store.oldest).toBe(store.revision - 1);
    expect(store.changesSince(store.oldest, 'things').map((change) => change.key)).toEqual(['c']);
  });
});

describe('a fork', () => {
  it('is not seen by its origin, nor sees it', () => {
    const store = storeWith('a', 'b');
    const fork = store.fork();
    fork.put('things', 'c', object('c'));
    store.remove('things', 'a');
    expect(names(store, Infinity)).toEqual(['b']);
    expect(names(fork, Infinity)).toEqual(['a', 'b', 'c']);
    expect(fork.revision).toBe(store.revision);
  });

  it('knows the history from before', () => {
    const store = storeWith('a', 'b');
    const fork = store.fork();
    fork.put('things', 'c', object('c'));
    expect(fork.changesSince(1, 'things').map((change) => change.key)).toEqual(['a', 'b', 'c']);
    expect(store.changesSince(1, 'things')).toHaveLength(2);
  });

  it('tells only its own subscribers', () => {
    const store = storeWith('a');
    const seen: string[] = [];
    store.subscribe('things', (change) => seen.push(change.key));
    store.fork().put('things', 'b', object('b'));
    expect(seen).toEqual([]);
  });
});
