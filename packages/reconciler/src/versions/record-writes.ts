// The records that the protocol writes: each is a pure function of the one before.
import type { NormalizedProcedure } from './catalog.ts';
import type { RunVerdict } from './decision.ts';
import type { EffectiveRecord } from './effective-record.ts';
import { unknownFieldsOf, type RecordEntry, type ScopeEntry, type VersionRecord } from './record.ts';
import { uniteScopes } from './scope.ts';
import { compareVersions, isNewer, isSame } from './version.ts';

interface IntentParts {
  readonly run: RunVerdict;
  readonly procedure: NormalizedProcedure;
  readonly effective: EffectiveRecord;
  /** The record in status, if there is one. */
  readonly record: VersionRecord | undefined;
  readonly scope: readonly ScopeEntry[];
}

/** The record that says, before anything is written, that this version may leave traces now. */
export function intentRecord({ run, procedure, effective, record, scope }: IntentParts): VersionRecord {
  const { version } = procedure;
  const old = effective.applied.find((entry) => isSame(entry.version, version));
  const [only] = effective.applied;
  // A complete entry that comes from a mirror stays complete while it is verified again.
  const staysComplete =
    effective.reconstructed &&
    record === undefined &&
    run.mode === 'Resume' &&
    effective.applied.length === 1 &&
    only?.state === 'Complete';
  const mine = entryOf(procedure, old, staysComplete ? 'Complete' : 'Partial', run.accepted);
  return {
    ...unknownFieldsOf(record),
    formatVersion: 1,
    minReader: 1,
    epoch: effective.epoch + 1,
    target: version,
    applied: [...effective.applied.filter((entry) => !isSame(entry.version, version)), mine].sort(byVersion),
    avoid: run.avoid,
    ...(effective.floor === undefined ? {} : { floor: effective.floor }),
    scope: uniteScopes(effective.scope, scope),
  };
}

const byVersion = (a: RecordEntry, b: RecordEntry): number => compareVersions(a.version, b.version);

/** What was once permitted or accepted stays: only the floor takes a way back away. */
function entryOf(
  procedure: NormalizedProcedure,
  old: RecordEntry | undefined,
  state: RecordEntry['state'],
  accepted: readonly string[] | undefined = old?.accepted,
): RecordEntry {
  const { version, digest, teardown, plain } = procedure;
  const { plain: _plain, ...kept } = old ?? {};
  const isPermitted = old !== undefined && old.rollbackTo !== 'none';
  return {
    ...kept,
    version,
    state,
    digest,
    teardown,
    rollbackTo: old?.finalized === true ? 'none' : isPermitted ? old.rollbackTo : procedure.rollbackTo,
    ...(plain ? { plain } : {}),
    ...(accepted === undefined ? {} : { accepted }),
  };
}

/** The same record in a wider scope. */
export function widenedRecord(record: VersionRecord, widen: readonly ScopeEntry[]): VersionRecord {
  return { ...record, epoch: record.epoch + 1, scope: uniteScopes(record.scope, widen) };
}

/** The same record without what a rollback left. */
export function forgivenRecord(record: VersionRecord): VersionRecord {
  return { ...record, avoid: [], epoch: record.epoch + 1 };
}

/** The point of no return: nobody may go back behind this version on this object, ever. */
export function finalizedRecord(record: VersionRecord, version: string): VersionRecord {
  const floor = record.floor !== undefined && isNewer(record.floor, version) ? record.floor : version;
  const applied = record.applied.map((entry): RecordEntry =>
    isSame(entry.version, version) ? { ...entry, finalized: true, rollbackTo: 'none' } : entry,
  );
  return { ...record, epoch: record.epoch + 1, floor, applied };
}

/** One version, complete; nothing else is left. What must be avoided below it no longer matters. */
export function completedRecord(
  record: VersionRecord,
  entry: RecordEntry,
  version: string,
  scope: readonly ScopeEntry[],
): VersionRecord {
  const { accepted: _accepted, ...kept } = entry;
  const { floor, avoid } = record;
  return {
    ...unknownFieldsOf(record),
    formatVersion: 1,
    minReader: 1,
    epoch: record.epoch + 1,
    version,
    applied: [{ ...kept, state: 'Complete' }],
    ...(floor === undefined ? {} : { floor }),
    avoid: avoid.filter((avoided) => isNewer(avoided.version, version)),
    scope,
  };
}
