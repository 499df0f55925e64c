import { expect, test } from 'vitest';
import { fieldChanges } from './field-changes.ts';

const deployment = (image: string, extra: object = {}): Readonly<Record<string, unknown>> => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web', resourceVersion: '7', annotations: { 'procedures.pawl.dev/version': '1.0.0' } },
  spec: { template: { spec: { containers: [{ name: 'log', image: 'log:1' }, { name: 'web', image, ...extra }] } } },
  status: { replicas: 1 },
});

test('an item of a list is named by its key, and what the server keeps for itself is left out', () => {
  const after = { ...deployment('web:2'), metadata: { name: 'web', resourceVersion: '9', annotations: { 'procedures.pawl.dev/version': '2.0.0' } } };
  expect(fieldChanges(deployment('web:1'), after)).toEqual([
    { path: 'metadata.annotations["procedures.pawl.dev/version"]', before: '1.0.0', after: '2.0.0' },
    { path: 'spec.template.spec.containers[web].image', before: 'web:1', after: 'web:2' },
  ]);
});

test('a field that appears has nothing before, one that goes has nothing after', () => {
  expect(fieldChanges(deployment('web:1', { tty: true }), deployment('web:1', { stdin: true }))).toEqual([
    { path: 'spec.template.spec.containers[web].stdin', before: undefined, after: true },
    { path: 'spec.template.spec.containers[web].tty', before: true, after: undefined },
  ]);
});

test('equal objects do not differ, whatever their revision', () => {
  expect(fieldChanges(deployment('web:1'), { ...deployment('web:1'), status: {} })).toEqual([]);
});

test('of a secret it tells what changes, and never the values', () => {
  const secret = (password: string) => ({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'db' },
    data: { password: btoa(password), user: btoa('admin') },
    stringData: { note: `now ${password}` },
  });
  const changes = fieldChanges(secret('planted-old'), secret('planted-new'));
  expect(changes.map(({ path }) => path)).toEqual(['data.password', 'stringData.note']);
  for (const { before, after } of changes)
    for (const value of [before, after]) expect(value).toMatch(/^sensitive:[0-9a-z]+$/);
});
