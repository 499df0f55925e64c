// Whether the sink holds exactly one entry for each member; the one place where that is told.
import { done, pending, type ActionResult } from '@pawl/reconciler';
import { statusOf, type StatusEditor } from '@pawl/reconciler/kubernetes';
import { Enrollments, type EnrollmentStatus } from '../api.ts';
import { defineAction } from '../context.ts';
import { reportOf, type ReportInput } from '../delta/report.ts';
import { deltaComputed } from './delta-computed.ts';
import { driftComputed } from './drift-computed.ts';
import { duplicatesPruned, entriesRemoved } from './entries-removed.ts';
import { entriesProvisioned } from './entries-provisioned.ts';
import { entriesUpdated } from './entries-updated.ts';
import { homeOf } from './home.ts';
import { optionsValid } from './options-valid.ts';
import { removalsGuarded } from './removals-guarded.ts';

const name = 'EntriesInStep';
const edits = { status: statusOf(Enrollments, 'counts', 'entries') };
const before = {
  options: optionsValid,
  delta: deltaComputed,
  guard: removalsGuarded,
  provisioned: entriesProvisioned,
  removed: entriesRemoved,
};

/** 1.0.0 */
export const entriesInStep = defineAction({
  name,
  requires: before,
  edits,
  run: ({ object, clock, cluster }, { options, delta, guard, provisioned, removed }) =>
    told(cluster.status, {
      options,
      home: homeOf(object),
      delta,
      removals: guard,
      provisioned,
      removed: [removed],
      outdated: 0,
      duplicates: delta.duplicates,
      now: clock.now(),
    }),
});

/** 2.0.0: with what is outdated. */
export const entriesInStepWithDrift = defineAction({
  name,
  requires: { ...before, drift: driftComputed, updated: entriesUpdated },
  edits,
  run: ({ object, clock, cluster }, { options, delta, guard, provisioned, updated, removed, drift }) =>
    told(cluster.status, {
      options,
      home: homeOf(object),
      delta,
      removals: guard,
      provisioned,
      updated,
      removed: [removed],
      outdated: updated.outdated,
      duplicates: drift.duplicates,
      now: clock.now(),
    }),
});

/** 3.0.0: with the pruning of extra entries. */
export const entriesInStepWithPruning = defineAction({
  name,
  requires: { ...before, drift: driftComputed, updated: entriesUpdated, pruned: duplicatesPruned },
  edits,
  run: ({ object, clock, cluster }, { options, delta, guard, provisioned, updated, removed, pruned, drift }) =>
    told(cluster.status, {
      options,
      home: homeOf(object),
      delta,
      removals: guard,
      provisioned,
      updated,
      removed: [removed, pruned],
      outdated: updated.outdated,
      duplicates: drift.duplicates,
      now: clock.now(),
    }),
});

/** The status tells what the cycle leaves, so that a cycle that did all there was to do is the last one to write it. */
function told(
  status: StatusEditor<Pick<EnrollmentStatus, 'counts' | 'entries'>>,
  input: ReportInput,
): ActionResult<void> {
  const { counts, entries, open, recheckAfterMs } = reportOf(input);
  status.set({ counts, entries });
  if (open === undefined) return recheckAfterMs === undefined ? done() : done(undefined, '', { recheckAfterMs });
  const { reason, message, requeueAfterMs } = open;
  return pending(reason, message, requeueAfterMs === undefined ? {} : { requeueAfterMs });
}
