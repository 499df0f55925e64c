// 2.0.0: entries carry key, uid of the Enrollment and a fingerprint, so that changed members change their entries.
import { deltaComputed, deltaComputedByKey } from '../actions/delta-computed.ts';
import { entriesInStep, entriesInStepWithDrift } from '../actions/entries-in-step.ts';
import { entriesProvisioned, entriesProvisionedWithMarks } from '../actions/entries-provisioned.ts';
import { entriesRemoved, entriesRemovedAfterUpdate } from '../actions/entries-removed.ts';
import { releasesWithdrawn } from '../actions/releases-withdrawn.ts';
import { deriveProcedure, replaceAction } from '../context.ts';
import { v1 } from '../v1/index.ts';

/** It begins with marking what 1.0.0 has made; an older version would not know those entries again. */
export const v2 = deriveProcedure(v1, {
  version: '2.0.0',
  minVersion: '1.0.0',
  replace: [
    replaceAction(deltaComputed, deltaComputedByKey),
    replaceAction(entriesProvisioned, entriesProvisionedWithMarks),
    replaceAction(entriesRemoved, entriesRemovedAfterUpdate),
    replaceAction(entriesInStep, entriesInStepWithDrift),
  ],
  add: [releasesWithdrawn],
});
