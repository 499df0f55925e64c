// Reads records and mirrors from what the API server holds. Never throws: junk becomes something that nobody may act on.
import { oncePerFrozen } from '../frozen.ts';
import {
  RECORD_FORMAT,
  type AvoidedVersion,
  type RecordEntry,
  type RecordHold,
  type RecordMirror,
  type ScopeEntry,
  type VersionRecord,
} from './record.ts';

type Json = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const wholeOf = (value: unknown, otherwise: number): number =>
  Number.isSafeInteger(value) ? Number(value) : otherwise;

/** A part that cannot be read: its version is no version, so the decision finds the record ambiguous and nothing acts. */
const unreadable = (part: string): RecordEntry => ({
  version: `unreadable ${part}`,
  state: 'Partial',
  rollbackTo: 'none',
  teardown: 'Procedure',
});

/**
 * Reads `status.procedure.record`.
 *
 * Returns undefined when there is none. What cannot be read is kept as an entry whose version is no version, and an
 * unreadable `minReader` counts as newer than this code: both are refused by the decision. Unknown fields are kept.
 */
export function parseRecord(value: unknown): VersionRecord | undefined {
  if (value === undefined || value === null) return undefined;
  if (!isObject(value))
    return { formatVersion: 1, minReader: 1, epoch: 0, applied: [unreadable('record')], avoid: [], scope: [] };
  return recordOf(value);
}

const recordOf = oncePerFrozen((value: Json): VersionRecord => {
  const { version, target, floor, hold, reconstructed, ...rest } = value;
  const faults = unreadableFields({ version, target, floor });
  return {
    ...rest,
    formatVersion: 1,
    ...commonOf(value, faults),
    ...textField('version', version),
    ...textField('target', target),
    ...textField('floor', floor),
    ...(isObject(hold) ? { hold: holdOf(hold) } : {}),
    ...(reconstructed === true ? { reconstructed } : {}),
  };
});

/** Reads the mirror annotation. Undefined when there is none or it says nothing about any version. */
export function parseMirror(text: string | undefined): RecordMirror | undefined {
  if (text === undefined || text === '') return undefined;
  const value = jsonOf(text);
  if (!isObject(value)) return undefined;
  const { target, floor } = value;
  const common = commonOf(value, unreadableFields({ target, floor }));
  if (common.applied.length === 0 && common.minReader <= RECORD_FORMAT) return undefined;
  return { uid: textOf(value['uid']) ?? '', ...common, ...textField('target', target), ...textField('floor', floor) };
}

/** The annotation text of a mirror. */
export function formatMirror(mirror: RecordMirror): string {
  return JSON.stringify(mirror);
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function commonOf(
  value: Json,
  faults: readonly RecordEntry[],
): Pick<VersionRecord, 'minReader' | 'epoch' | 'applied' | 'avoid' | 'scope'> {
  const { minReader = 1, applied = [] } = value;
  return {
    minReader: wholeOf(minReader, Number.MAX_SAFE_INTEGER),
    epoch: wholeOf(value['epoch'], 0),
    applied: [...(Array.isArray(applied) ? applied.map(entryOf) : [unreadable('applied')]), ...faults],
    avoid: listOf(value['avoid']).flatMap(avoidedOf),
    scope: listOf(value['scope']).flatMap(scopeOf),
  };
}

function unreadableFields(fields: Json): RecordEntry[] {
  return Object.entries(fields).flatMap(([name, value]) =>
    value === undefined || value === null || typeof value === 'string' ? [] : [unreadable(name)],
  );
}

function textField<K extends string>(name: K, value: unknown): { readonly [P in K]?: string } {
  return (typeof value === 'string' ? { [name]: value } : {}) as { readonly [P in K]?: string };
}

function entryOf(value: unknown): RecordEntry {
  if (!isObject(value) || typeof value['version'] !== 'string') return unreadable('entry');
  const { version, state, digest, rollbackTo, teardown, operator, accepted, finalized, plain, ...rest } = value;
  return {
    ...rest,
    version: String(version),
    state: state === 'Complete' ? state : 'Partial',
    ...textField('digest', digest),
    rollbackTo: textOf(rollbackTo) ?? 'none',
    teardown: teardown === 'Inventory' ? teardown : 'Procedure',
    ...textField('operator', operator),
    ...(Array.isArray(accepted)
      ? { accepted: accepted.filter((item): item is string => typeof item === 'string') }
      : {}),
    ...(finalized === true ? { finalized } : {}),
    ...(plain === true ? { plain } : {}),
  };
}

function avoidedOf(value: unknown): AvoidedVersion[] {
  if (!isObject(value)) return [];
  const { version, digest } = value;
  return typeof version === 'string' && typeof digest === 'string' ? [{ ...value, version, digest }] : [];
}

function holdOf({ action, reason, ...rest }: Json): RecordHold {
  return { ...rest, action: textOf(action) ?? 'an action', reason: textOf(reason) ?? '' };
}

function scopeOf(value: unknown): ScopeEntry[] {
  if (!isObject(value)) return [];
  const { group, kind, namespaces } = value;
  if (typeof group !== 'string' || typeof kind !== 'string') return [];
  const names = listOf(namespaces).filter((name): name is string => typeof name === 'string');
  return [{ ...value, group, kind, namespaces: names }];
}
