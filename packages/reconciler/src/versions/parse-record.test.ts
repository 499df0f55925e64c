// Records and mirrors as they come from the API server.
import { expect, test } from 'vitest';
import { normalizeCatalog } from './catalog.ts';
import { decide } from './decide.ts';
import { formatMirror, parseMirror, parseRecord } from './parse-record.ts';
import { mirrorOf, type VersionRecord } from './record.ts';

const record: VersionRecord = {
  formatVersion: 1,
  minReader: 1,
  epoch: 4,
  target: '2.0.0',
  applied: [
    { version: '1.0.0', state: 'Complete', rollbackTo: 'none', teardown: 'Inventory', digest: 'ab', operator: 'web 1' },
    { version: '2.0.0', state: 'Partial', rollbackTo: '>=1.0.0', teardown: 'Procedure', accepted: ['1.0.0'] },
  ],
  avoid: [{ version: '3.0.0', digest: 'cd' }],
  floor: '1.0.0',
  scope: [{ group: 'apps', kind: 'Deployment', namespaces: ['shop'] }],
};
const reasonOf = (value: unknown): unknown => {
  const decision = decide({ catalog: normalizeCatalog([{ version: '1.0.0' }]), uid: 'u', record: parseRecord(value) });
  return decision.kind === 'Blocked' ? decision.reason : decision.kind;
};

test('a mirror survives its annotation', () => {
  const mirror = mirrorOf(record, 'u');
  expect(parseMirror(formatMirror(mirror))).toEqual(mirror);
});

test('no record is no record', () => {
  expect(parseRecord(undefined)).toBeUndefined();
  expect(parseRecord(null)).toBeUndefined();
  expect(parseMirror(undefined)).toBeUndefined();
  expect(parseMirror('{"uid":')).toBeUndefined();
  expect(parseMirror('{"uid":"u","epoch":9,"applied":[]}')).toBeUndefined();
});

test.each([
  ['text', 'broken'],
  ['a list', [1]],
  ['applied is no list', { applied: 'x' }],
  ['an entry is no object', { applied: [3] }],
  ['a version is no version', { applied: [{ version: 'newest' }] }],
  ['a target that is no text', { target: 3, applied: [{ version: '1.0.0', state: 'Partial' }] }],
  ['a floor that is no text', { floor: {}, applied: [{ version: '1.0.0', state: 'Complete' }] }],
])('%s in place of a record lets nobody act', (_name, value) => {
  expect(reasonOf(value)).toBe('RecordAmbiguous');
});

test('a reader that is not understood is a newer one', () => {
  expect(reasonOf({ minReader: 'two', applied: [] })).toBe('RecordTooNew');
  expect(reasonOf({ minReader: 2 })).toBe('RecordTooNew');
});

test('what is missing in an entry is read as the safer one', () => {
  expect(parseRecord({ applied: [{ version: '1.0.0' }] })?.applied).toEqual([
    { version: '1.0.0', state: 'Partial', rollbackTo: 'none', teardown: 'Procedure' },
  ]);
});
