// What people read about a hop: who drives it, since when, how it ended, and when its point of no return may pass.
import { expect, test } from 'vitest';
import { historyAfter, HISTORY_LIMIT, isSoaking, withBookkeeping, type HistoryEntry } from './bookkeeping.ts';
import type { VersionRecord } from './record.ts';
import { testEntry, testRecord } from './testing.ts';

const writer = (now: number): Parameters<typeof withBookkeeping>[2] => ({ now, operator: 'web 2', lease: 'pawl-web' });
const toTwo = testRecord({ target: '2.0.0', applied: [testEntry('1.0.0', 'Complete'), testEntry('2.0.0', 'Partial')] });
const open = withBookkeeping(toTwo, undefined, writer(1_000));

test('a hop remembers when it began and who acts; only the acting version gets the name', () => {
  expect(open).toMatchObject({
    lease: 'pawl-web',
    operator: 'web 2',
    startedAt: '1970-01-01T00:00:01Z',
    stageStartedAt: '1970-01-01T00:00:01Z',
    applied: [{ version: '1.0.0' }, { version: '2.0.0', operator: 'web 2' }],
  });
  expect(open.applied[0]).not.toHaveProperty('operator');
});

test('the beginning stays through writes of the same hop, the stage begins anew at the point of no return', () => {
  const finalized = testEntry('2.0.0', 'Partial', { finalized: true });
  const later = withBookkeeping({ ...open, applied: [testEntry('1.0.0', 'Complete'), finalized] }, open, writer(9_000));
  expect(later).toMatchObject({ startedAt: '1970-01-01T00:00:01Z', stageStartedAt: '1970-01-01T00:00:09Z' });
  const turned = withBookkeeping({ ...open, target: '1.0.0' }, open, writer(9_000));
  expect(turned.startedAt).toBe('1970-01-01T00:00:09Z');
});

test('a complete record has no times of a hop', () => {
  const atTwo = testRecord({ version: '2.0.0', applied: [testEntry('2.0.0', 'Complete')] });
  expect(withBookkeeping({ ...atTwo, startedAt: 'then' }, open, writer(9_000))).not.toHaveProperty('startedAt');
});

test.each<readonly [string, Partial<VersionRecord>, HistoryEntry['result']]>([
  [
    'it was completed',
    { target: undefined as never, version: '2.0.0', applied: [testEntry('2.0.0', 'Complete')] },
    'Completed',
  ],
  [
    'a newer one took over',
    { target: '2.0.1', applied: [testEntry('2.0.0', 'Partial'), testEntry('2.0.1', 'Partial')] },
    'Superseded',
  ],
  [
    'it was rolled back',
    { target: '1.0.0', applied: [testEntry('1.0.0', 'Partial'), testEntry('2.0.0', 'Partial')] },
    'RolledBack',
  ],
  [
    'a person let another one take over',
    { target: '3.0.0', applied: [testEntry('2.0.0', 'Partial'), testEntry('3.0.0', 'Partial', { accepted: ['2.0.0'] })] },
    'Abandoned',
  ],
])('a hop ends in history: %s', (_name, parts, result) => {
  const after = testRecord({ epoch: 6, ...parts });
  expect(historyAfter([], open, after, writer(9_000))).toEqual([
    {
      version: '2.0.0',
      from: '1.0.0',
      result,
      startedAt: '1970-01-01T00:00:01Z',
      finishedAt: '1970-01-01T00:00:09Z',
      operator: 'web 2',
    },
  ]);
});

test('history grows at the end of a hop only, and not for ever', () => {
  expect(historyAfter([], open, { ...open, epoch: 6 }, writer(9_000))).toEqual([]);
  const old: HistoryEntry = { version: '0.1.0', result: 'Completed', finishedAt: 'then' };
  const full = Array.from({ length: HISTORY_LIMIT }, () => old);
  const after = testRecord({ epoch: 6, version: '2.0.0', applied: [testEntry('2.0.0', 'Complete')] });
  const grown = historyAfter(full, open, after, writer(9_000));
  expect([grown.length, grown.at(-1)?.version]).toEqual([HISTORY_LIMIT, '2.0.0']);
});

test('a soak begins when everything is True, and an approval ends it', () => {
  const soaking = { version: '2.0.0', finalize: { soakMs: 1_000 } };
  expect(isSoaking(soaking, { now: 5_000 })).toBe(true);
  expect(isSoaking(soaking, { now: 5_000, cleanSince: 4_500 })).toBe(true);
  expect(isSoaking(soaking, { now: 5_500, cleanSince: 4_500 })).toBe(false);
  expect(isSoaking(soaking, { now: 5_000, approve: '2.0.0' })).toBe(false);
  expect(isSoaking({ version: '2.0.0', finalize: 'Manual' }, { now: 5_000, cleanSince: 0 })).toBe(true);
  expect(isSoaking({ version: '2.0.0', finalize: 'Auto' }, { now: 5_000 })).toBe(false);
});
