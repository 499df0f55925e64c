// The version record of one object: which procedure versions may have left traces, and which hop is open.
import { compareVersions } from './version.ts';

/** The newest record format that this code reads; `minReader` of a record says what its reader must know. */
export const RECORD_FORMAT = 1;

/** One version whose effects may be in the cluster. `Partial` until a verified cycle proved that nothing else is there. */
export interface RecordEntry {
  readonly version: string;
  readonly state: 'Partial' | 'Complete';
  /** Content digest of the procedure that acted. */
  readonly digest?: string;
  /** Which older procedures may act on these traces. Copied from the procedure, never read from a catalog again. */
  readonly rollbackTo: string;
  /** `Inventory`: an operator without this version may delete what it left, found by scope and label. */
  readonly teardown: 'Inventory' | 'Procedure';
  /** Release and image of the operator that acted, for people. */
  readonly operator?: string;
  /** Versions that a person let this one act upon although no author declared it. */
  readonly accepted?: readonly string[];
  /** Past its point of no return; then `rollbackTo` is `none`. */
  readonly finalized?: true;
  /** Written by a catalog with one procedure that says nothing about versions. */
  readonly plain?: true;
}

/**
 * A kind, and the namespaces in which owned objects of it may be. No namespaces: not limited to any, as for a
 * cluster-scoped kind. Recorded before the first object is created there; within it they are found by the owner label.
 */
export interface ScopeEntry {
  readonly group: string;
  readonly kind: string;
  readonly namespaces: readonly string[];
}

/** A procedure that must not become a target again, left by a rollback. */
export interface AvoidedVersion {
  readonly version: string;
  readonly digest: string;
}

/** A critical section of an action: it blocks supersede and rollback. */
export interface RecordHold {
  readonly action: string;
  readonly reason: string;
}

/** `status.procedure.record`. Fields that this code does not know are kept when it is rewritten. */
export interface VersionRecord {
  readonly formatVersion: 1;
  /** The only field that decides whether a reader may act. */
  readonly minReader: number;
  /** Rises with every write of the record. */
  readonly epoch: number;
  /** The newest verified version; present exactly while no hop is open. */
  readonly version?: string;
  /** Present exactly while a hop is open. */
  readonly target?: string;
  readonly applied: readonly RecordEntry[];
  /** The highest version that was finalized on this object: no procedure below it may ever act here. */
  readonly floor?: string;
  readonly avoid: readonly AvoidedVersion[];
  readonly hold?: RecordHold;
  /** Restored from a mirror or from stamps: the next write of the record is an intent. */
  readonly reconstructed?: true;
  readonly scope: readonly ScopeEntry[];
  /** Name of the Lease whose holder drives this object. */
  readonly lease?: string;
  readonly operator?: string;
  /** When the open hop began; RFC 3339, as the two below. */
  readonly startedAt?: string;
  readonly stageStartedAt?: string;
  readonly lastProgressAt?: string;
}

/** The copy of the record in an annotation; it survives tools that drop status. */
export interface RecordMirror {
  /** Uid of the object when the mirror was written: another one tells a restore from a backup. */
  readonly uid: string;
  readonly epoch: number;
  readonly minReader: number;
  readonly applied: readonly RecordEntry[];
  readonly target?: string;
  readonly avoid: readonly AvoidedVersion[];
  readonly floor?: string;
  readonly scope: readonly ScopeEntry[];
}

/** The mirror that belongs to a record. */
export function mirrorOf(record: VersionRecord, uid: string): RecordMirror {
  const { epoch, minReader, applied, target, avoid, floor, scope } = record;
  return {
    uid,
    epoch,
    minReader,
    applied,
    ...(target === undefined ? {} : { target }),
    avoid,
    ...(floor === undefined ? {} : { floor }),
    scope,
  };
}

const FIELDS: ReadonlySet<string> = new Set<keyof VersionRecord>([
  'formatVersion',
  'minReader',
  'epoch',
  'version',
  'target',
  'applied',
  'floor',
  'avoid',
  'hold',
  'reconstructed',
  'scope',
  'lease',
  'operator',
  'startedAt',
  'stageStartedAt',
  'lastProgressAt',
]);

/** Fields of a record that a newer operator wrote and this code does not know. */
export function unknownFieldsOf(record: VersionRecord | undefined): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(record ?? {}).filter(([field]) => !FIELDS.has(field)));
}

/** Whether the record says that a version older than something applied is being returned to. */
export function isOpenRollback(record: Pick<VersionRecord, 'target' | 'applied'>): boolean {
  const { target, applied } = record;
  return target !== undefined && applied.some(({ version }) => compareVersions(version, target) > 0);
}

/** Whether every entry was written by catalogs that say nothing about versions. True for no entries. */
export function isPlainRecord(record: Pick<VersionRecord, 'applied'>): boolean {
  return record.applied.every(({ plain }) => plain === true);
}
