import type { KubernetesObject } from '@pawl/reconciler/kubernetes';
import { expect, test } from 'vitest';
import { membersOf } from './selected.ts';

const object = (fields: object): KubernetesObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'team', namespace: 'n', uid: 'u', resourceVersion: '1' },
  ...fields,
});
const ids = (
  fields: object,
  more: { readonly namespace?: string; readonly itemsIn?: string } = {},
): readonly string[] => membersOf(object(fields), { apiVersion: 'v1', kind: 'ConfigMap', ...more }).map(({ id }) => id);

test('a selected object is a member, named with its namespace where several are looked at', () => {
  expect(ids({})).toEqual(['team']);
  expect(ids({}, { namespace: '*' })).toEqual(['n/team']);
});

test('the members may be listed in a field of it, as a mapping or a list', () => {
  expect(ids({ data: { ada: 'admin', bob: 'user' } }, { itemsIn: 'data' })).toEqual(['ada', 'bob']);
  expect(ids({ spec: { people: ['ada', { name: 'bob' }, { id: 'cy' }] } }, { itemsIn: 'spec.people' })).toEqual([
    'ada',
    'bob',
    'cy',
  ]);
});

test('a field that is not there is not an empty one', () => {
  expect(() => ids({}, { itemsIn: 'data' })).toThrow('team: data is not there; allowed is a list or a mapping');
  expect(() => ids({ data: 'x' }, { itemsIn: 'data' })).toThrow('team: data is "x"');
  expect(() => ids({ list: [3] }, { itemsIn: 'list' })).toThrow('team: list[0]: found 3');
  expect(() => ids({}, { itemsIn: 'constructor.name' })).toThrow('is not there');
});
