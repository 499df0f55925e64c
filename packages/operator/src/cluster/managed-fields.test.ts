import { expect, test } from 'vitest';
import { appliedFieldsOf, ownsAllOf } from './managed-fields.ts';

const owned = {
  'f:metadata': { 'f:labels': { 'f:app': {} } },
  'f:spec': {
    'f:replicas': {},
    'f:selector': {},
    'f:template': {
      'f:spec': {
        'f:containers': {
          'k:{"name":"web"}': {
            '.': {},
            'f:name': {},
            'f:image': {},
            'f:ports': { 'k:{"containerPort":80,"protocol":"TCP"}': { '.': {}, 'f:containerPort': {} } },
          },
        },
      },
    },
  },
};
const desired = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web', namespace: 'n', labels: { app: 'web' } },
  spec: {
    replicas: 2,
    selector: { matchLabels: { app: 'web' } },
    template: { spec: { containers: [{ name: 'web', image: 'nginx:1', ports: [{ containerPort: 80 }] }] } },
  },
};

test('an object whose leaves are all recorded for the manager needs no apply', () => {
  expect(ownsAllOf(owned, desired)).toBe(true);
});

test('a field that somebody else has taken is noticed, in a list item too', () => {
  const { 'f:replicas': _taken, ...spec } = owned['f:spec'];
  expect(ownsAllOf({ ...owned, 'f:spec': spec }, desired)).toBe(false);
  const other = structuredClone(owned) as { 'f:spec': { 'f:template': { 'f:spec': { 'f:containers': Record<string, object> } } } };
  other['f:spec']['f:template']['f:spec']['f:containers'] = { 'k:{"name":"web"}': { 'f:name': {}, 'f:ports': {} } };
  expect(ownsAllOf(other, desired)).toBe(false);
});

test('a default that entered the key of a list item does not hide the item; another value does', () => {
  const container = { name: 'web', image: 'nginx:1', ports: [{ containerPort: 81 }] };
  expect(ownsAllOf(owned, { ...desired, spec: { ...desired.spec, template: { spec: { containers: [container] } } } })).toBe(false);
});

test('a map or list that is replaced as a whole is owned as a whole', () => {
  expect(ownsAllOf({ 'f:data': {} }, { data: { a: '1', b: { c: [1] } } })).toBe(true);
  expect(ownsAllOf({ 'f:data': { 'f:a': {} } }, { data: { a: '1', b: '2' } })).toBe(false);
});

test('only the apply entry of the manager on the main resource counts', () => {
  const entries = [
    { manager: 'us', operation: 'Update', fieldsV1: { 'f:a': {} } },
    { manager: 'us', operation: 'Apply', subresource: 'status', fieldsV1: { 'f:b': {} } },
    { manager: 'us', operation: 'Apply', fieldsV1: { 'f:c': {} } },
  ];
  expect(appliedFieldsOf(entries, 'us')).toEqual({ 'f:c': {} });
  expect(appliedFieldsOf(entries, 'them')).toBeUndefined();
});
