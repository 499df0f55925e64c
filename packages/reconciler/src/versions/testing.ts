// Records and entries for tests: what matters is said, the rest is as usual.
import type { RecordEntry, VersionRecord } from './record.ts';

export const testEntry = (version: string, state: RecordEntry['state'], extra: Partial<RecordEntry> = {}): RecordEntry => ({
  version,
  state,
  rollbackTo: 'none',
  teardown: 'Inventory',
  ...extra,
});

export const testRecord = (parts: Partial<VersionRecord>): VersionRecord => ({
  formatVersion: 1,
  minReader: 1,
  epoch: 5,
  applied: [],
  avoid: [],
  scope: [],
  ...parts,
});
