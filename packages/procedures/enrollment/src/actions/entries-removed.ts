// Entries that nothing wants go, after all additions; each only as it was seen.
import { done } from '@pawl/reconciler';
import type { Owner, ResourceType } from '@pawl/reconciler/kubernetes';
import type { Child, EntryStatus } from '../api.ts';
import { defineAction, type Context } from '../context.ts';
import { Attempts } from '../delta/back-off.ts';
import type { Surplus } from '../delta/delta.ts';
import type { Options } from '../options/options.ts';
import { Plugins, type PluginCalls } from '../plugins/spi.ts';
import { writerOf } from '../sinks/writer.ts';
import { attend, toldOf, type Attended } from './attend.ts';
import { driftComputed } from './drift-computed.ts';
import { entriesProvisioned, NOTHING, OwnedEntries } from './entries-provisioned.ts';
import { entriesUpdated } from './entries-updated.ts';
import { optionsValid } from './options-valid.ts';
import { removalsGuarded } from './removals-guarded.ts';

const declared = { owns: { entries: OwnedEntries }, external: { plugins: Plugins }, expected: () => NOTHING };

/** 1.0.0 */
export const entriesRemoved = defineAction({
  name: 'EntriesRemoved',
  requires: { options: optionsValid, guard: removalsGuarded, provisioned: entriesProvisioned },
  ...declared,
  run: (given, { options, guard }) => remove(given, options, guard.allowed),
});

/** 2.0.0: also what a newer entry stands in for. */
export const entriesRemovedAfterUpdate = defineAction({
  name: 'EntriesRemoved',
  requires: { options: optionsValid, guard: removalsGuarded, drift: driftComputed, provisioned: entriesProvisioned, updated: entriesUpdated },
  ...declared,
  run: (given, { options, guard, drift }) =>
    remove(given, options, [...guard.allowed.filter(({ reason }) => reason !== 'Duplicate'), ...drift.replaced]),
});

/** 3.0.0: of several entries of one member the oldest ready one stays. */
export const duplicatesPruned = defineAction({
  name: 'DuplicatesPruned',
  requires: { options: optionsValid, guard: removalsGuarded, removed: entriesRemoved },
  ...declared,
  run: (given, { options, guard }) => remove(given, options, guard.allowed.filter(({ reason }) => reason === 'Duplicate')),
});

type Given = Pick<Context, 'object' | 'clock'> & {
  readonly cluster: { readonly entries: (type: ResourceType) => Owner<Child> };
  readonly external: { readonly plugins: PluginCalls['effects'] };
};

async function remove({ object, clock, cluster, external }: Given, options: Options, surplus: readonly Surplus[]) {
  const now = clock.now();
  const attended = await attend({
    jobs: surplus.map(({ key, entry, reason }) => ({
      key,
      sinkID: entry.id,
      run: async () => {
        const row: EntryStatus = { key, sinkID: entry.id, state: 'Removing', reason };
        if (entry.isDeleting) return row;
        await writerOf(entry.place, { entries: cluster.entries, plugins: external.plugins }).remove(
          entry,
          key,
          reason === 'Replaced' ? 'rolling_update' : 'terminate',
        );
        return undefined;
      },
    })),
    concurrency: options.concurrency,
    attempts: new Attempts(object.status?.entries, now),
    now,
    failedState: 'Removing',
  });
  return done<Attended>(attended, toldOf(attended));
}
