// What must come of a run, worked out from what authors declared and nothing else: the version at which every object ends,
// or that the operator must not touch anything.
import { catalogOf, compareVersions, isOpenRollback, refusal, type NormalizedProcedure, type RecordEntry, type VersionRecord } from '@pawl/reconciler';
import type { ProcedureCatalog } from '@pawl/reconciler/kubernetes';

export type Expectation =
  /** The object ends like a fresh install of the version. */
  | {
      readonly ends: 'at';
      readonly version: string;
      /** Another version that is as good: with two replicas it depends on who leads in the end. */
      readonly or?: string;
    }
  /** No procedure of the release may act: children stay as they are. */
  | {
      readonly ends: 'refused';
      readonly why: string;
      /** Owner labels of the objects that are refused, if others are not. Default: all. */
      readonly owners?: readonly string[];
    }
  /** The object and everything it owned is gone. */
  | { readonly ends: 'gone' };

/** What a release must do with an object whose record is this. */
export function expectationOf(
  catalog: Pick<ProcedureCatalog, 'procedures'>,
  record: VersionRecord | undefined,
  rollback: string | undefined,
): Expectation {
  const { procedures } = catalogOf(catalog.procedures);
  const applied = record?.applied ?? [];
  if (applied.length === 0) {
    const fresh = procedures.filter(({ install, withdrawn }) => install && !withdrawn).at(-1);
    if (fresh === undefined) return { ends: 'refused', why: 'no version installs' };
    return { ends: 'at', version: highestReachable(procedures, [fresh], (to, entries) => entries.every((entry) => refusal(to, entry) === undefined)) };
  }
  const mayAct = (procedure: NormalizedProcedure, entries: readonly RecordEntry[]): boolean =>
    entries.every((entry) => refusal(procedure, entry) === undefined) &&
    !isBelow(procedure.version, record?.floor) &&
    record?.avoid.some(({ version, digest }) => version === procedure.version && digest === procedure.digest) !== true;
  const able = procedures.filter((procedure) => mayAct(procedure, applied));
  const newest = applied.map(({ version }) => version).toSorted(compareVersions).at(-1) ?? '';
  if (rollback !== undefined) {
    // A request that is refused starts nothing, and stops nothing that was begun.
    const current = record?.target ?? record?.version;
    const target = able.find(({ version }) => version === rollback) ?? able.find(({ version }) => version === current);
    return target === undefined ? { ends: 'refused', why: `${rollback} may not act` } : { ends: 'at', version: target.version };
  }
  if (record !== undefined && isOpenRollback(record)) {
    const target = able.find(({ version }) => version === record.target);
    return target === undefined ? { ends: 'refused', why: 'a rollback is open that nothing in the release may finish' } : { ends: 'at', version: target.version };
  }
  const isPlain = catalogOf(catalog.procedures).plain && applied.every(({ plain }) => plain === true);
  const forwards = able.filter(({ version }) => isPlain || compareVersions(version, newest) >= 0);
  if (forwards.length === 0) return { ends: 'refused', why: `nothing in the release may act on ${newest}` };
  return { ends: 'at', version: highestReachable(procedures, forwards, mayAct) };
}

/** From what may act now, over every hop that is declared. */
function highestReachable(
  procedures: readonly NormalizedProcedure[],
  able: readonly NormalizedProcedure[],
  mayAct: (procedure: NormalizedProcedure, entries: readonly RecordEntry[]) => boolean,
): string {
  const reached = new Set(able.map(({ version }) => version));
  // Oldest first: what is reached on the way leads further.
  for (const from of procedures)
    for (const to of reached.has(from.version) ? procedures : [])
      if (!to.withdrawn && compareVersions(to.version, from.version) > 0 && mayAct(to, [completeEntry(from)])) reached.add(to.version);
  return [...reached].toSorted(compareVersions).at(-1) ?? '';
}

function completeEntry({ version, digest, rollbackTo, teardown }: NormalizedProcedure): RecordEntry {
  return { version, state: 'Complete', digest, rollbackTo, teardown };
}

const isBelow = (version: string, floor: string | undefined): boolean =>
  floor !== undefined && compareVersions(version, floor) < 0;
