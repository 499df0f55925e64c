// What must hold for every record, and between a record and the one that it replaces. Tests ask after every write.
import { isEqualJson } from '../canonical.ts';
import type { VersionRecord } from './record.ts';
import { isOlder, isSame } from './version.ts';

/** Faults of a record, and of the change that led to it, in words; `before` is absent for the first record or after a loss. */
export function recordInvariantFaults(
  before: VersionRecord | undefined,
  after: VersionRecord | undefined,
): readonly string[] {
  if (after === undefined) return [];
  const faults = [...faultsOf(after)];
  if (before !== undefined && !isEqualJson(before, after)) faults.push(...changeFaults(before, after));
  const isReturned = before !== undefined && before.applied.length > 0 && after.target !== before.target;
  const target = after.applied.find(({ version }) => after.target !== undefined && isSame(version, after.target));
  if (isReturned && target?.state === 'Complete')
    faults.push(`the target ${target.version} is Complete: a hop to it must set it Partial`);
  return faults;
}

function faultsOf({ target, version, applied, floor, avoid }: VersionRecord): string[] {
  const faults: string[] = [];
  const complete = applied.filter(({ state }) => state === 'Complete');
  const list = applied.map((entry) => `${entry.version} ${entry.state}`).join(', ') || 'nothing';
  if (complete.length > 1) faults.push(`more than one version is Complete: ${list}`);
  if (target === undefined) {
    const [only] = applied;
    if (applied.length !== 1 || only?.state !== 'Complete')
      faults.push(`without a target exactly one version must be applied and Complete, found ${list}`);
    if (version === undefined || only === undefined || !isSame(version, only.version))
      faults.push(`version ${version ?? 'absent'} is not the one that is Complete: ${list}`);
  } else {
    if (version !== undefined) faults.push(`version ${version} stands beside target ${target}`);
    if (!applied.some((entry) => isSame(entry.version, target)))
      faults.push(`the target ${target} is not applied: ${list}`);
    const digest = applied.find((entry) => isSame(entry.version, target))?.digest;
    if (avoid.some((avoided) => isSame(avoided.version, target) && avoided.digest === digest))
      faults.push(`the target ${target} is one to be avoided`);
  }
  for (const entry of applied.filter(({ finalized }) => finalized === true)) {
    if (entry.rollbackTo !== 'none')
      faults.push(`${entry.version} is finalized and permits ${entry.rollbackTo} to go back`);
    if (floor === undefined || isOlder(floor, entry.version))
      faults.push(`${entry.version} is finalized above the floor ${floor ?? 'absent'}`);
  }
  return faults;
}

function changeFaults(before: VersionRecord, after: VersionRecord): string[] {
  const faults: string[] = [];
  if (after.epoch <= before.epoch) faults.push(`the epoch went from ${before.epoch} to ${after.epoch}`);
  const gone = before.applied.filter((old) => !after.applied.some((entry) => isSame(entry.version, old.version)));
  if (gone.length > 0 && after.target !== undefined)
    faults.push(`${gone.map(({ version }) => version).join(', ')} left the record before the hop was complete`);
  if (before.floor !== undefined && (after.floor === undefined || isOlder(after.floor, before.floor)))
    faults.push(`the floor went from ${before.floor} to ${after.floor ?? 'absent'}`);
  return faults;
}
