// What a store believes when news arrives late, twice or out of order.
import { beforeEach, describe, expect, it } from 'vitest';
import { kind, live } from '../testing/view.ts';
import type { Live } from './model.ts';
import { Gone, Store } from './store.ts';

const at = (resourceVersion: string, more: object = {}): Live =>
  live('v1', 'ConfigMap', { name: 'a', uid: 'u1', resourceVersion, ...more });

describe('a store', () => {
  let store: Store;
  beforeEach(() => {
    store = new Store(kind('v1', 'ConfigMap'), new Gone());
  });

  it('never goes back to an older copy', () => {
    store.put(at('10'));
    expect(store.put(at('9'))).toBeUndefined();
    expect(store.put(at('10'))).toBeUndefined();
    expect(store.get('default/a')?.metadata.resourceVersion).toBe('10');
  });

  it('does not bring back what was deleted', () => {
    store.put(at('10'));
    expect(store.remove('u1')?.before).toBeDefined();
    expect(store.put(at('11'))).toBeUndefined();
    expect(store.list()).toEqual([]);
  });

  it('takes a recreated object for another one', () => {
    store.put(at('10'));
    const change = store.put(at('12', { uid: 'u2' }));
    expect([change?.before?.metadata.uid, change?.after?.metadata.uid]).toEqual(['u1', 'u2']);
    expect(store.put(at('13'))).toBeUndefined();
  });

  it('keeps what is newer than a list, and drops what the list no longer has', () => {
    store.put(at('10'));
    store.put(live('v1', 'ConfigMap', { name: 'new', resourceVersion: '30' }));
    const changes = store.replace([], '20');
    expect(changes.map(({ before }) => before?.metadata.name)).toEqual(['a']);
    expect(store.list().map(({ metadata }) => metadata.name)).toEqual(['new']);
  });

  it('finds objects by owner and namespace, as of their newest copy', () => {
    const ownerReferences = [{ apiVersion: 'v1', kind: 'X', name: 'x', uid: 'owner' }];
    store.put(at('10', { ownerReferences }));
    expect(store.ownedBy('owner')).toHaveLength(1);
    store.put(at('11'));
    expect(store.ownedBy('owner')).toEqual([]);
    expect([store.list('default').length, store.list('other').length]).toEqual([1, 0]);
  });
});
