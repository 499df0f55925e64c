// Checks of what each procedure says about others: ranges that match nothing, or match more than was meant.
import semver from 'semver';
import type { NormalizedProcedure } from '../versions/catalog.ts';
import { compareVersions, isInRange, isNewer, isOlder, isPrerelease, isSame } from '../versions/version.ts';
import type { Findings } from './finding.ts';

/** An upper bound without `-0` admits the candidates of that very version. */
const BOUND = /<\s*(\d+\.\d+\.\d+)(?!-)/;
const TEXT_AND_DIGITS = /^[a-z]+\d+$/i;

/**
 * @param procedures oldest first
 * @param known versions of the catalog and of the lock
 */
export function checkRanges(
  procedures: readonly NormalizedProcedure[],
  known: readonly string[],
  found: Findings,
): void {
  for (const procedure of procedures) {
    const older = known.filter((version) => isOlder(version, procedure.version));
    checkPrerelease(procedure, older, found);
    checkFrom(procedure, older, found);
    checkRollback(procedure, older, procedures, found);
    checkRescue(procedure, procedures, found);
    checkExit(procedure, procedures, found);
  }
}

function checkPrerelease({ version, from }: NormalizedProcedure, older: readonly string[], found: Findings): void {
  const parts = semver.prerelease(version) ?? [];
  if (parts.some((part) => typeof part === 'string' && TEXT_AND_DIGITS.test(part)))
    found.add(
      'warning',
      'V005',
      version,
      `${version} sorts as text, so that rc10 is before rc9; write a dot before the number`,
    );
  const candidate = older.find(
    (one) => isPrerelease(one) && semver.coerce(one)?.version === version && !isInRange(one, from),
  );
  if (candidate !== undefined)
    found.add(
      'warning',
      'G023',
      version,
      `${version} does not take over from its own candidate ${candidate}; let from admit it`,
    );
}

function checkFrom({ version, from }: NormalizedProcedure, older: readonly string[], found: Findings): void {
  if (from === 'none' || from === '*') return;
  if (older.length > 0 && !older.some((one) => isInRange(one, from)))
    found.add(
      'warning',
      'G020',
      version,
      `from "${from}" of ${version} matches no known older version; these are ${older.join(', ')}`,
    );
  const bound = BOUND.exec(from)?.[1];
  if (bound !== undefined && isInRange(`${bound}-rc.1`, from))
    found.add('warning', 'G021', version, `from "${from}" of ${version} admits ${bound}-rc.1; write <${bound}-0`);
}

function checkRollback(
  { version, rollbackTo }: NormalizedProcedure,
  older: readonly string[],
  procedures: readonly NormalizedProcedure[],
  found: Findings,
): void {
  if (rollbackTo === 'none' || rollbackTo === '*') return;
  if (!older.some((one) => isInRange(one, rollbackTo)))
    found.add('warning', 'G022', version, `rollbackTo "${rollbackTo}" of ${version} names no known older version`);
  const between = procedures.find(
    (other) =>
      other.finalizes &&
      isOlder(other.version, version) &&
      older.some((one) => isOlder(one, other.version) && isInRange(one, rollbackTo)),
  );
  if (between !== undefined)
    found.add(
      'info',
      'G039',
      version,
      `rollbackTo "${rollbackTo}" of ${version} reaches behind ${between.version}, which finalizes: objects that went through it are refused`,
    );
}

/** A patch release is what people deploy when its predecessor is stuck. */
function checkRescue(
  procedure: NormalizedProcedure,
  procedures: readonly NormalizedProcedure[],
  found: Findings,
): void {
  const { version, fromPartial } = procedure;
  const previous = procedures
    .filter(
      (other) => isOlder(other.version, version) && !isPrerelease(other.version) && sameMinor(other.version, version),
    )
    .at(-1);
  if (previous !== undefined && !isInRange(previous.version, fromPartial))
    found.add(
      'warning',
      'G034',
      version,
      `${version} cannot rescue an object stuck in ${previous.version}; name it in fromPartial`,
    );
}

const sameMinor = (a: string, b: string): boolean =>
  semver.major(a) === semver.major(b) && semver.minor(a) === semver.minor(b);

function checkExit(
  { version, withdrawn }: NormalizedProcedure,
  procedures: readonly NormalizedProcedure[],
  found: Findings,
): void {
  const hasExit = procedures.some(
    (other) => isNewer(other.version, version) && !other.withdrawn && isInRange(version, other.from),
  );
  if (withdrawn && !hasExit)
    found.add('error', 'G035', version, `withdrawn ${version} has no way out: let a newer version take over from it`);
}

/** All versions that are known, oldest first, each once. */
export function knownVersions(
  procedures: readonly NormalizedProcedure[],
  released: readonly string[],
): readonly string[] {
  const all = [...procedures.map(({ version }) => version), ...released].toSorted(compareVersions);
  return all.filter((version, index) => index === 0 || !isSame(version, all[index - 1] ?? ''));
}
