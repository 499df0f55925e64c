// Garbage decisions.
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../json.ts';
import type { Live } from '../base/model.ts';
import { inShort, live, put, viewOf } from '../testing/view.ts';
import { decideGarbage } from './decide.ts';
import { warnings } from './warning.ts';

const DELETED = '2024-01-01T00:00:00Z';
const owner = (name: string, metadata: JsonObject = {}): Live => live('apps/v1', 'Deployment', { name, ...metadata });
const foreground = { deletionTimestamp: DELETED, finalizers: ['foregroundDeletion'] };
const ref = (object: Live, more: object = {}): JsonObject => ({
  apiVersion: object.apiVersion,
  kind: object.kind,
  name: object.metadata.name,
  uid: object.metadata.uid,
  ...more,
});
const child = (name: string, ...ownerReferences: readonly JsonObject[]): Live =>
  live('v1', 'ConfigMap', { name, ownerReferences });
const decide = (object: Live, ...others: readonly Live[]): readonly string[] =>
  inShort(decideGarbage(object.metadata.uid, viewOf(object, ...others)));

describe('an object with owners', () => {
  const present = owner('present');
  const absent = owner('absent');

  it('stays while its owner is there', () => {
    expect(decide(child('c', ref(present)), present)).toEqual([]);
  });

  it('goes when no owner is left, once the server has confirmed it', () => {
    expect(decide(child('c', ref(absent)))).toEqual(['expectAbsent Deployment', 'delete ConfigMap c']);
  });

  it('goes without a question if the owner was seen to be deleted', () => {
    const orphan = child('c', ref(absent));
    const view = viewOf(absent, orphan);
    const kind = view.kindOf(absent);
    if (kind !== undefined) view.storeOf(kind)?.remove(absent.metadata.uid);
    expect(inShort(decideGarbage(orphan.metadata.uid, view))).toEqual(['delete ConfigMap c']);
  });

  it('goes when an object of another uid has taken the name of its owner', () => {
    expect(decide(child('c', ref(absent)), owner('absent', { uid: 'another' }))).toEqual([
      'expectAbsent Deployment',
      'delete ConfigMap c',
    ]);
  });

  it('loses only the reference to the owner that is gone while another is there', () => {
    expect(decide(child('c', ref(present), ref(absent)), present)).toEqual([
      'expectAbsent Deployment',
      expect.stringMatching(/^patch ConfigMap c .*\[{[^}]*"present"[^}]*}\]/),
    ]);
  });

  it('is deleted exactly as it was seen, or not at all', () => {
    const decision = decideGarbage(child('c', ref(absent)).metadata.uid, viewOf(child('c', ref(absent))));
    expect(decision.steps.at(-1)).toMatchObject({ step: 'delete', unchanged: true, propagation: 'Background' });
  });

  it('stays if the kind of its owner is not served', () => {
    expect(decide(child('c', { apiVersion: 'x.dev/v1', kind: 'Thing', name: 't', uid: 'u' }))).toEqual([]);
  });

  it('goes if its owner lives in another namespace, and an Event tells why', () => {
    const far = owner('far', { namespace: 'elsewhere' });
    const object = child('c', ref(far));
    expect(decide(object, far)).toEqual(['delete ConfigMap c']);
    expect(warnings(object, viewOf(object, far), 0)).toMatchObject([
      { object: { kind: 'Event', reason: 'OwnerRefInvalidNamespace' } },
    ]);
  });

  it('stays if it is cluster-scoped and its owner is not', () => {
    const node = live('v1', 'Node', { name: 'n', ownerReferences: [ref(absent)] as never });
    expect(decide(node)).toEqual([]);
    expect(warnings(node, viewOf(node), 0)).toHaveLength(1);
  });
});

describe('a foreground deletion', () => {
  const parent = owner('parent', foreground);

  it('deletes the dependents', () => {
    expect(decide(child('c', ref(parent, { blockOwnerDeletion: true })), parent)).toEqual(['delete ConfigMap c']);
  });

  it('waits for dependents that block, and only for those', () => {
    expect(decide(parent, child('c', ref(parent, { blockOwnerDeletion: true })))).toEqual([]);
    expect(decide(parent, child('c', ref(parent)))).toEqual([expect.stringMatching(/"finalizers":\[\]/)]);
    expect(decide(parent)).toEqual([expect.stringMatching(/"finalizers":\[\]/)]);
  });

  it('continues below a dependent that has dependents itself', () => {
    const middle = live('apps/v1', 'ReplicaSet', {
      name: 'm',
      ownerReferences: [ref(parent, { blockOwnerDeletion: true })] as never,
    });
    const decision = decideGarbage(middle.metadata.uid, viewOf(parent, middle, child('leaf', ref(middle))));
    expect(decision.steps).toMatchObject([{ step: 'delete', propagation: 'Foreground' }]);
  });

  it('spares a dependent that has another owner', () => {
    const other = owner('other');
    expect(decide(child('c', ref(parent, { blockOwnerDeletion: true }), ref(other)), parent, other)).toEqual([
      expect.stringMatching(/^patch ConfigMap c/),
    ]);
  });

  it('ends although objects own each other', () => {
    const a = live('apps/v1', 'Deployment', {
      name: 'a',
      ...foreground,
      ownerReferences: [{ ...ref(owner('b')), blockOwnerDeletion: true }] as never,
    });
    const b = live('apps/v1', 'Deployment', {
      name: 'b',
      ownerReferences: [ref(a, { blockOwnerDeletion: true })] as never,
    });
    expect(decide(b, a)).toEqual([expect.stringMatching(/"blockOwnerDeletion":false/), 'delete Deployment b']);
  });
});

describe('an orphaning deletion', () => {
  const parent = owner('parent', { deletionTimestamp: DELETED, finalizers: ['orphan'] });

  it('frees the dependents first, then lets the object go', () => {
    const freed = child('c', ref(parent));
    expect(decide(parent, freed)).toEqual([expect.stringMatching(/^patch ConfigMap c .*"ownerReferences":null/)]);
    const view = viewOf(parent, freed);
    put(view, child('c'));
    expect(inShort(decideGarbage(parent.metadata.uid, view))).toEqual([
      expect.stringMatching(/^patch Deployment parent .*"finalizers":\[\]/),
    ]);
  });
});
