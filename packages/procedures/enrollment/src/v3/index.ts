// 3.0.0: removals have a limit and wait for a person beyond it; extra entries can go. Only entries with the uid count.
import { deltaComputed, deltaComputedByUid } from '../actions/delta-computed.ts';
import { legacyEntriesAdopted } from '../actions/entries-adopted.ts';
import { entriesInStep, entriesInStepWithPruning } from '../actions/entries-in-step.ts';
import { removalsGuarded, removalsLimited } from '../actions/removals-guarded.ts';
import { deriveProcedure, replaceAction } from '../context.ts';
import { v2 } from '../v2/index.ts';

/** What 1.0.0 has made has no uid and would count as foreign: the way from there leads through 2.0.0. */
export const v3 = deriveProcedure(v2, {
  version: '3.0.0',
  minVersion: '2.0.0',
  replace: [
    replaceAction(deltaComputed, deltaComputedByUid),
    replaceAction(removalsGuarded, removalsLimited),
    replaceAction(entriesInStep, entriesInStepWithPruning),
  ],
  remove: [legacyEntriesAdopted],
});
