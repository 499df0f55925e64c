// The store: what it keeps of objects, how it finds them, what it takes for newer.
import fc from 'fast-check';
import { isSelected, type KubernetesObject } from '@pawl/reconciler/kubernetes';
import { describe, expect, test } from 'vitest';
import { cachedObject, keyOf } from './cached-object.ts';
import { Store, type StoreChange } from './store.ts';

const TYPE = { apiVersion: 'v1', kind: 'Pod' };
interface Shape {
  readonly name: string;
  readonly namespace?: string;
  readonly revision?: number;
  readonly uid?: string;
  readonly labels?: Record<string, string>;
  readonly spec?: object;
}
function pod({
  name,
  namespace = 'd',
  revision = 1,
  uid = `uid-${name}`,
  labels = {},
  spec = {},
}: Shape): KubernetesObject {
  return cachedObject(TYPE, { metadata: { name, namespace, uid, labels, resourceVersion: String(revision) }, spec });
}
const byKey = (...objects: readonly KubernetesObject[]) => new Map(objects.map((object) => [keyOf(object.metadata), object] as const));
const told = (changes: readonly StoreChange[]) =>
  changes.map(
    ({ type, object: { metadata } }) => `${type} ${metadata.name}@${metadata.resourceVersion}/${metadata.uid}`,
  );

describe('an object of the cache', () => {
  test('is frozen through and through', () => {
    const object = cachedObject(TYPE, {
      metadata: { name: 'a', uid: 'u', resourceVersion: '1' },
      spec: { list: [{}] },
    });
    const { list } = (object as unknown as { readonly spec: { readonly list: object[] } }).spec;
    expect([object, object.metadata, list, list[0]].every(Object.isFrozen)).toBe(true);
  });

  test('keeps of its managed fields what the manager applied that is asked for', () => {
    const entry = (manager: string, operation: string, subresource?: string) => ({
      manager,
      operation,
      subresource,
      fieldsV1: {},
    });
    const ours = entry('pawl', 'Apply');
    const managedFields = [entry('kubectl', 'Apply'), entry('pawl', 'Update'), entry('pawl', 'Apply', 'status'), ours];
    const raw = { metadata: { name: 'a', uid: 'u', resourceVersion: '1', managedFields } };
    expect(cachedObject(TYPE, raw, { keepManager: () => 'pawl' }).metadata).toMatchObject({ managedFields: [ours] });
    for (const keepManager of [undefined, () => undefined, () => 'other'])
      expect('managedFields' in cachedObject(TYPE, raw, { keepManager }).metadata).toBe(false);
  });

  test('keeps all else, known or not', () => {
    const raw = {
      ...TYPE,
      metadata: { name: 'a', uid: 'u', resourceVersion: '1', future: [1] },
      spec: { odd: null },
      beyond: {},
    };
    expect(cachedObject(TYPE, raw)).toEqual(raw);
  });

  test.each([null, {}, { metadata: { name: 'a', uid: 'u' } }])('is not made of %j', (raw) => {
    expect(() => cachedObject(TYPE, raw)).toThrow('the server sent a Pod without');
  });
});

describe('changes', () => {
  test('tell added, updated and deleted', () => {
    const store = new Store();
    expect(told(store.put(pod({ name: 'a' })))).toEqual(['added a@1/uid-a']);
    expect(told(store.put(pod({ name: 'a', revision: 2 })))).toEqual(['updated a@2/uid-a']);
    expect(told(store.remove(pod({ name: 'a', revision: 3 })))).toEqual(['deleted a@3/uid-a']);
    expect(told(store.remove(pod({ name: 'a', revision: 3 })))).toEqual([]);
  });

  test('of the same or an older revision are none', () => {
    const store = new Store();
    store.put(pod({ name: 'a', revision: 10 }));
    for (const revision of [10, 9]) expect(store.put(pod({ name: 'a', revision }))).toEqual([]);
    expect(store.remove(pod({ name: 'a', revision: 9 }))).toEqual([]);
    expect(store.put(pod({ name: 'a', revision: 9, uid: 'former' }))).toEqual([]);
  });

  test('to a new uid are a deletion and an addition', () => {
    const store = new Store();
    store.put(pod({ name: 'a', uid: 'old' }));
    expect(told(store.put(pod({ name: 'a', uid: 'new', revision: 2 })))).toEqual(['deleted a@1/old', 'added a@2/new']);
  });

  test('by a complete list delete what is missing, unless it is newer than the list or lies elsewhere', () => {
    const store = new Store();
    for (const [name, revision] of [
      ['a', 1],
      ['b', 2],
      ['new', 20],
    ] as const)
      store.put(pod({ name, revision }));
    store.put(pod({ name: 'far', namespace: 'e' }));
    const changes = store.replace({
      objects: byKey(pod({ name: 'a', revision: 5 })),
      resourceVersion: '10',
      namespace: 'd',
    });
    expect(told(changes)).toEqual(['deleted b@2/uid-b', 'updated a@5/uid-a']);
    expect(store.list().map(({ metadata }) => metadata.name)).toEqual(['a', 'new', 'far']);
  });

  test('by a complete list of as many delete what is missing all the same', () => {
    const store = new Store();
    for (const name of ['a', 'b']) store.put(pod({ name }));
    store.put(pod({ name: 'far', namespace: 'e' }));
    const objects = byKey(pod({ name: 'b', revision: 2 }), pod({ name: 'c' }));
    expect(told(store.replace({ objects, resourceVersion: '10', namespace: 'd' }))).toEqual(['deleted a@1/uid-a', 'updated b@2/uid-b', 'added c@1/uid-c']);
    expect(told(store.replace({ objects, resourceVersion: '11' }))).toEqual(['deleted far@1/uid-far']);
    expect(store.replace({ objects, resourceVersion: '12' })).toEqual([]);
    expect(store.list().map(({ metadata }) => metadata.name)).toEqual(['b', 'c']);
  });

  test('by a restored list go back', () => {
    const store = new Store();
    for (const name of ['a', 'b']) store.put(pod({ name, revision: 50 }));
    store.replace({ objects: byKey(pod({ name: 'a', revision: 3 })), resourceVersion: '10', accept: 'any' });
    expect(store.list().map(({ metadata }) => metadata.resourceVersion)).toEqual(['3']);
  });
});

describe('finding', () => {
  test("an index of one's own", () => {
    const store = new Store();
    store.put(pod({ name: 'a', spec: { volumes: ['x', 'y'] } }));
    store.addIndex('volumes', (object) => (object as unknown as { spec: { volumes: string[] } }).spec.volumes);
    store.put(pod({ name: 'b', spec: { volumes: ['y'] } }));
    expect(store.byIndex('volumes', 'y').map(({ metadata }) => metadata.name)).toEqual(['a', 'b']);
    store.put(pod({ name: 'a', revision: 2, spec: { volumes: [] } }));
    expect(store.byIndex('volumes', 'y').map(({ metadata }) => metadata.name)).toEqual(['b']);
    expect(() => store.byIndex('owners', 'y')).toThrow('the store has no index "owners"');
  });

  test('by any selector finds what a scan finds, in order, whatever happened before', () => {
    const shape = fc.record({
      name: fc.constantFrom('a', 'b', 'c', 'd'),
      namespace: fc.constantFrom('d', 'e'),
      labels: fc.dictionary(fc.constantFrom('app', 'tier'), fc.constantFrom('x', 'y')),
      spec: fc.record({ node: fc.constantFrom('n1', 'n2', 3) }, { requiredKeys: [] }),
      uid: fc.constantFrom('1', '2'),
      deleted: fc.boolean(),
    });
    const selector = fc.record(
      {
        namespace: fc.constantFrom('d', 'e', '*'),
        labels: fc.dictionary(fc.constantFrom('app', 'tier'), fc.constantFrom('x', 'y')),
        fields: fc.dictionary(fc.constant('spec.node'), fc.constantFrom('n1', '3')),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(fc.array(shape), fc.array(selector), (shapes, selectors) => {
        const store = new Store();
        const compare = (): void => {
          for (const wanted of selectors)
            expect(store.select(wanted)).toEqual(store.list().filter((object) => isSelected(object, wanted)));
        };
        compare();
        for (const [index, { deleted, ...rest }] of shapes.entries()) {
          const object = pod({ ...rest, revision: index + 1 });
          if (deleted) store.remove(object);
          else store.put(object);
        }
        compare();
        const keys = store.list().map(({ metadata }) => `${metadata.namespace}/${metadata.name}`);
        expect(keys).toEqual(keys.toSorted());
      }),
    );
  }, 60_000);
});
