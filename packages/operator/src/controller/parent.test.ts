import { expect, test } from 'vitest';
import type { KubernetesObject } from '@pawl/reconciler/kubernetes';
import { Pages } from '../testing/pages.ts';
import { parentState } from './parent.ts';

const of = Pages as unknown as Parameters<typeof parentState>[1]['of'];
const declaration = { of, releasedBy: 'ChildrenReleased' };
const reference = { apiVersion: Pages.apiVersion, kind: Pages.kind, name: 'front', uid: 'p1', controller: true };
const child = (ownerReferences?: readonly (typeof reference)[]): KubernetesObject => ({
  apiVersion: 'v1',
  kind: 'Child',
  metadata: { name: 'c', namespace: 'n', uid: 'c1', resourceVersion: '1', ...(ownerReferences === undefined ? {} : { ownerReferences }) },
});
const parent = (uid: string, status: object): KubernetesObject =>
  ({ apiVersion: Pages.apiVersion, kind: Pages.kind, metadata: { name: 'front', namespace: 'n', uid, resourceVersion: '1' }, status }) as KubernetesObject;
const entry = (version: string, state: string): object => ({ version, state, rollbackTo: 'none', teardown: 'Inventory' });

test('an object that names no parent is not limited', () => {
  expect(parentState(child(), declaration, { get: () => undefined })).toBeUndefined();
});

test('a parent that is not there, or is another one of its name, has no version', () => {
  expect(parentState(child([reference]), declaration, { get: () => undefined })).toEqual({});
  expect(parentState(child([reference]), declaration, { get: () => parent('p2', {}) })).toEqual({});
});

test('a parent on its way says from where, to where, and whether its children may follow', () => {
  const record = { epoch: 3, target: '2.0.0', applied: [entry('1.0.0', 'Complete'), entry('2.0.0', 'Partial')], avoid: [], scope: [] };
  const status = (released: string): object => ({ procedure: { record }, actions: [{ name: 'ChildrenReleased', status: released }] });
  const get = (released: string) => () => parent('p1', status(released));
  expect(parentState(child([reference]), declaration, { get: get('False') })).toEqual({ version: '1.0.0', target: '2.0.0', released: false });
  expect(parentState(child([reference]), declaration, { get: get('True') })).toEqual({ version: '1.0.0', target: '2.0.0', released: true });
});
