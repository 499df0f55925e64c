import type { KubernetesObject } from '@pawl/reconciler/kubernetes';
import { expect, test } from 'vitest';
import { endedHop } from './ended-hop.ts';

type Entry = readonly [version: string, state: string];
function object(applied: readonly Entry[], target: string | undefined, history: readonly object[] = []): KubernetesObject {
  const entries = applied.map(([version, state]) => ({ version, state, rollbackTo: 'none', teardown: 'Inventory' }));
  const record = {
    formatVersion: 1,
    minReader: 1,
    epoch: 1,
    ...(target === undefined ? { version: applied[0]?.[0] } : { target }),
    applied: entries,
    avoid: [],
    scope: [],
  };
  return { apiVersion: 'web.test/v1', kind: 'Page', metadata: { name: 'a', uid: 'u' }, status: { procedure: { record, history } } } as never;
}
const ended = (version: string, result: string, more: object = {}) => ({
  version,
  result,
  startedAt: '2026-01-01T00:00:00Z',
  finishedAt: '2026-01-01T00:01:30Z',
  ...more,
});

test('an install that was completed', () => {
  const before = object([['1.0.0', 'Partial']], '1.0.0');
  expect(endedHop(before, object([['1.0.0', 'Complete']], undefined, [ended('1.0.0', 'Completed')]))).toEqual({
    kind: 'Page',
    from: undefined,
    to: '1.0.0',
    mode: 'install',
    result: 'completed',
    durationMs: 90_000,
  });
});

test('an upgrade that gave way to a rollback, and a rollback that was completed', () => {
  const upgrading = object([['1.0.0', 'Complete'], ['2.0.0', 'Partial']], '2.0.0');
  const back = object([['1.0.0', 'Partial'], ['2.0.0', 'Partial']], '1.0.0', [ended('2.0.0', 'RolledBack', { from: '1.0.0' })]);
  expect(endedHop(upgrading, back)).toMatchObject({ from: '1.0.0', to: '2.0.0', mode: 'upgrade', result: 'rolled_back' });
  const done = object([['1.0.0', 'Complete']], undefined, [ended('1.0.0', 'Completed', { from: '2.0.0' })]);
  expect(endedHop(back, done)).toMatchObject({ from: '2.0.0', to: '1.0.0', mode: 'rollback', result: 'completed' });
});

test('a write that ends none, and a time that nobody knows', () => {
  const same = object([['1.0.0', 'Complete']], undefined, [ended('1.0.0', 'Completed')]);
  expect(endedHop(same, same)).toBeUndefined();
  const before = object([['1.0.0', 'Partial']], '1.0.0');
  const after = object([['1.0.0', 'Complete']], undefined, [ended('1.0.0', 'Completed', { startedAt: undefined })]);
  expect(endedHop(before, after)).not.toHaveProperty('durationMs');
});
