// May a procedure act on what a recorded version left? Permissions are written by the newer party of the two.
import type { NormalizedProcedure } from './catalog.ts';
import type { RecordEntry } from './record.ts';
import { isInRange, isOlder, isSame, UNKNOWN_VERSION } from './version.ts';

/**
 * Why a procedure may not act on one entry, in words; undefined if it may.
 *
 * An older entry is a matter of the procedure's own `from` and `fromPartial`. A newer one is a matter of the record:
 * its `rollbackTo` was copied there when that version acted, so that it reaches operators that never heard of it.
 * `accepted` are versions that a person let this procedure act upon.
 */
export function refusal(
  procedure: NormalizedProcedure,
  entry: RecordEntry,
  accepted: readonly string[] = [],
): string | undefined {
  const { version, from, fromPartial, adopts } = procedure;
  if (entry.version === UNKNOWN_VERSION)
    return adopts.includes(UNKNOWN_VERSION) || accepted.includes(UNKNOWN_VERSION)
      ? undefined
      : `${version} does not adopt objects of unknown origin`;
  if (isSame(version, entry.version)) return undefined;
  if (!isOlder(entry.version, version))
    return isInRange(version, entry.rollbackTo)
      ? undefined
      : `${entry.version} does not permit ${version} to act on its state`;
  if (accepted.includes(entry.version)) return undefined;
  if (entry.state === 'Partial')
    return isInRange(entry.version, fromPartial)
      ? undefined
      : `${version} does not supersede a partly applied ${entry.version}`;
  return isInRange(entry.version, from) ? undefined : `${version} does not accept ${entry.version}`;
}

/** Why a procedure may not act on a whole record, each reason in words; empty if it may. */
export function refusals(
  procedure: NormalizedProcedure,
  applied: readonly RecordEntry[],
  floor: string | undefined,
): readonly string[] {
  const accepted = applied.find((entry) => isSame(entry.version, procedure.version))?.accepted ?? [];
  const reasons: string[] = [];
  if (floor !== undefined && isOlder(procedure.version, floor))
    reasons.push(`${procedure.version} is older than ${floor}, behind which there is no way back here`);
  for (const entry of applied) {
    const reason = refusal(procedure, entry, accepted);
    if (reason !== undefined) reasons.push(reason);
  }
  return reasons;
}
