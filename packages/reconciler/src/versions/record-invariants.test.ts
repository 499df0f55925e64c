// Each invariant of the record is noticed when it is broken.
import { expect, test } from 'vitest';
import { recordInvariantFaults } from './record-invariants.ts';
import type { RecordEntry, VersionRecord } from './record.ts';
import { testEntry, testRecord } from './testing.ts';

const entry = (version: string, state: RecordEntry['state'], extra: Partial<RecordEntry> = {}): RecordEntry =>
  testEntry(version, state, { digest: version, ...extra });
const atOne = testRecord({ version: '1.0.0', applied: [entry('1.0.0', 'Complete')] });
const toTwo = testRecord({ epoch: 6, target: '2.0.0', applied: [entry('1.0.0', 'Complete'), entry('2.0.0', 'Partial')] });

test('a sound change has no faults, nor has the same record again', () => {
  expect(recordInvariantFaults(atOne, toTwo)).toEqual([]);
  expect(recordInvariantFaults(toTwo, toTwo)).toEqual([]);
  expect(recordInvariantFaults(toTwo, undefined)).toEqual([]);
});

test.each<readonly [string, VersionRecord | undefined, VersionRecord, string]>([
  [
    'two complete',
    undefined,
    testRecord({ target: '2.0.0', applied: [entry('1.0.0', 'Complete'), entry('2.0.0', 'Complete')] }),
    'more than one version is Complete',
  ],
  [
    'half without a target',
    undefined,
    testRecord({ version: '1.0.0', applied: [entry('1.0.0', 'Partial')] }),
    'without a target exactly one',
  ],
  ['another version', undefined, { ...atOne, version: '3.0.0' }, 'version 3.0.0 is not the one'],
  ['both', undefined, { ...toTwo, version: '1.0.0' }, 'stands beside target'],
  [
    'a target nobody recorded',
    undefined,
    testRecord({ target: '3.0.0', applied: [entry('1.0.0', 'Complete')] }),
    'is not applied',
  ],
  ['a target to avoid', undefined, { ...toTwo, avoid: [{ version: '2.0.0', digest: '2.0.0' }] }, 'one to be avoided'],
  ['a return that stays complete', toTwo, { ...toTwo, epoch: 7, target: '1.0.0' }, 'must set it Partial'],
  ['the same epoch', atOne, { ...toTwo, epoch: 5 }, 'epoch went from 5 to 5'],
  [
    'shrunk too early',
    toTwo,
    testRecord({ epoch: 7, target: '2.0.0', applied: [entry('2.0.0', 'Partial')] }),
    '1.0.0 left the record',
  ],
  [
    'finalized and permissive',
    undefined,
    testRecord({
      version: '2.0.0',
      floor: '2.0.0',
      applied: [entry('2.0.0', 'Complete', { finalized: true, rollbackTo: '*' })],
    }),
    'is finalized and permits',
  ],
  [
    'finalized above the floor',
    undefined,
    testRecord({ version: '2.0.0', applied: [entry('2.0.0', 'Complete', { finalized: true })] }),
    'above the floor absent',
  ],
  ['a lower floor', { ...atOne, floor: '1.0.0' }, { ...toTwo, floor: '0.9.0' }, 'floor went from 1.0.0 to 0.9.0'],
])('%s', (_name, before, after, fault) => {
  expect(recordInvariantFaults(before, after).join('; ')).toContain(fault);
});
