// What must come of a deletion, worked out from what authors declared: the object goes, unless only a procedure that the
// release does not have may take it down.
import { catalogOf, refusal, type VersionRecord } from '@pawl/reconciler';
import type { ProcedureCatalog } from '@pawl/reconciler/kubernetes';
import type { Expectation } from './expectation.ts';

/** What a release must do with a deleted object whose record is this. */
export function expectationOfDeletion(catalog: Pick<ProcedureCatalog, 'procedures'>, record: VersionRecord | undefined): Expectation {
  const applied = record?.applied ?? [];
  if (applied.every(({ teardown }) => teardown === 'Inventory')) return { ends: 'gone' };
  const isAble = catalogOf(catalog.procedures).procedures.some((procedure) => applied.every((entry) => refusal(procedure, entry) === undefined));
  return isAble ? { ends: 'gone' } : { ends: 'refused', why: `nothing in the release may take down ${applied.map(({ version }) => version).join(' and ')}` };
}
