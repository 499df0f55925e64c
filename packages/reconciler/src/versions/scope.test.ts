// Arithmetic of kinds and namespaces.
import { expect, test } from 'vitest';
import { coversScope, uniteScopes } from './scope.ts';

const maps = (...namespaces: readonly string[]) => [{ group: '', kind: 'ConfigMap', namespaces }];
const nodes = [{ group: '', kind: 'Node', namespaces: [] }];

test('a union holds each kind once, in a fixed order', () => {
  expect(uniteScopes(nodes, maps('b'), undefined, maps('a', 'b'))).toEqual([...maps('a', 'b'), ...nodes]);
  expect(uniteScopes()).toEqual([]);
});

test('everywhere stays everywhere', () => {
  expect(uniteScopes(maps('a'), maps(), maps('b'))).toEqual(maps());
});

test.each([
  ['the same', maps('a'), maps('a'), true],
  ['fewer namespaces', maps('a', 'b'), maps('b'), true],
  ['another namespace', maps('a'), maps('b'), false],
  ['another kind', maps('a'), nodes, false],
  ['everywhere covers somewhere', maps(), maps('a'), true],
  ['somewhere does not cover everywhere', maps('a'), maps(), false],
  ['nothing is always covered', [], [], true],
])('covered: %s', (_name, scope, wanted, expected) => {
  expect(coversScope(scope, wanted)).toBe(expected);
});
