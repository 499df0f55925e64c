// Checks of the ways through a catalog: what happens to an object at each known version, decided by the decision itself.
import type { NormalizedProcedure, VersionCatalog } from '../versions/catalog.ts';
import { decide } from '../versions/decide.ts';
import type { RecordEntry, VersionRecord } from '../versions/record.ts';
import { isInRange, isNewer, isOlder, isPrerelease, isSame } from '../versions/version.ts';
import type { Findings, Severity } from './finding.ts';

/**
 * @param known versions of the catalog and of the lock, oldest first
 * @param support range of versions that must not be left behind; absent: all
 */
export function checkPaths(
  catalog: VersionCatalog,
  known: readonly string[],
  support: string | undefined,
  found: Findings,
): void {
  const newest = catalog.procedures.filter(({ version, withdrawn }) => !withdrawn && !isPrerelease(version)).at(-1);
  if (newest === undefined) return;
  for (const version of known.filter((one) => isOlder(one, newest.version))) {
    const severity: Severity = support === undefined || isInRange(version, support) ? 'error' : 'info';
    checkComplete(catalog, version, newest.version, severity, found);
    checkHalfDone(catalog, version, known, severity, found);
  }
}

function checkComplete(
  catalog: VersionCatalog,
  version: string,
  newest: string,
  severity: Severity,
  found: Findings,
): void {
  const decision = decide({ catalog, uid: 'lint', record: recordOf([entry(version, 'Complete')]) });
  if (decision.kind === 'Blocked') {
    found.add(
      severity,
      'G030',
      version,
      `objects at ${version} are stranded: ${decision.reason}; keep ${version}, or let a newer version take over from it`,
    );
    return;
  }
  if (decision.kind !== 'Run') return;
  if (decision.upgradeBlocked !== undefined)
    found.add(
      severity,
      'G031',
      version,
      `objects at ${version} cannot reach ${newest}: ${decision.upgradeBlocked}; widen from of a newer version`,
    );
  else if (decision.path.length > 1)
    found.add('info', 'G032', version, `the way from ${version} is ${[version, ...decision.path].join(' -> ')}`);
  const end = greedyEnd(catalog.procedures, version);
  if (isOlder(end, newest) && decision.path.at(-1) === newest)
    found.add(
      'info',
      'G036',
      version,
      `from ${version}, always taking the newest compatible version would end at ${end}; the plan is ${[version, ...decision.path].join(' -> ')}`,
    );
}

/** The last hop into a version may be half done when the operator is replaced by one without that version. */
function checkHalfDone(
  catalog: VersionCatalog,
  version: string,
  known: readonly string[],
  severity: Severity,
  found: Findings,
): void {
  const own = catalog.procedures.find((procedure) => isSame(procedure.version, version));
  const before = known.filter((one) => isOlder(one, version) && (own === undefined || isInRange(one, own.from))).at(-1);
  if (before === undefined) return;
  const applied = [entry(before, 'Complete'), entry(version, 'Partial')];
  const decision = decide({ catalog, uid: 'lint', record: { ...recordOf(applied), target: version } });
  if (decision.kind === 'Blocked')
    found.add(
      severity,
      'G033',
      version,
      `an object half-way from ${before} to ${version} could not go on: ${decision.reason}; keep ${version}, or name it in fromPartial of a newer version`,
    );
}

/** Where an operator would end that takes the newest version that accepts the current one, step by step. */
function greedyEnd(procedures: readonly NormalizedProcedure[], start: string): string {
  let current = start;
  for (;;) {
    const from = current;
    const next = procedures
      .filter(
        ({ version, withdrawn, from: range }) =>
          !withdrawn && !isPrerelease(version) && isNewer(version, from) && isInRange(from, range),
      )
      .at(-1);
    if (next === undefined) return current;
    current = next.version;
  }
}

const entry = (version: string, state: RecordEntry['state']): RecordEntry => ({
  version,
  state,
  rollbackTo: 'none',
  teardown: 'Inventory',
});

function recordOf(applied: readonly RecordEntry[]): VersionRecord {
  const [first] = applied;
  const version = applied.length === 1 && first !== undefined ? { version: first.version } : {};
  return { formatVersion: 1, minReader: 1, epoch: 1, ...version, applied, avoid: [], scope: [] };
}
