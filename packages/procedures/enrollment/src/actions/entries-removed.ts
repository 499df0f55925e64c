// Entries that nothing wants go, after all additions; each only as it was seen.
import { done } from '@pawl/reconciler';
import type { Owner, ResourceType } from '@pawl/reconciler/kubernetes';
import { SinkEntries, type Child, type EntryStatus } from '../api.ts';
import { defineAction, type Context } from '../context.ts';
import { Attempts } from '../delta/back-off.ts';
import type { Surplus } from '../delta/delta.ts';
import type { Options } from '../options/options.ts';
import { Plugins, type PluginCalls } from '../plugins/spi.ts';
import type { MarkerClients } from '../sinks/ports.ts';
import { markerOf, writerOf } from '../sinks/writer.ts';
import { attend, toldOf, type Attended } from './attend.ts';
import { driftComputed } from './drift-computed.ts';
import { entriesProvisioned, NOTHING, OwnedEntries } from './entries-provisioned.ts';
import { entriesUpdated } from './entries-updated.ts';
import { optionsValid } from './options-valid.ts';
import { removalsGuarded } from './removals-guarded.ts';

const declared = { owns: { entries: OwnedEntries }, external: { plugins: Plugins }, expected: () => NOTHING };
const marking = { ...declared, edits: { marked: SinkEntries } };

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
  requires: {
    options: optionsValid,
    guard: removalsGuarded,
    drift: driftComputed,
    provisioned: entriesProvisioned,
    updated: entriesUpdated,
  },
  ...marking,
  run: (given, { options, guard, drift }) =>
    remove(
      given,
      options,
      [...guard.allowed.filter(({ reason }) => reason !== 'Duplicate'), ...drift.replaced],
      releaseFirst(given, options),
    ),
});

/** 3.0.0: of several entries of one member the oldest ready one stays. */
export const duplicatesPruned = defineAction({
  name: 'DuplicatesPruned',
  requires: { options: optionsValid, guard: removalsGuarded, removed: entriesRemoved },
  ...marking,
  run: (given, { options, guard }) =>
    remove(
      given,
      options,
      guard.allowed.filter(({ reason }) => reason === 'Duplicate'),
      releaseFirst(given, options),
    ),
});

type Given = Pick<Context, 'object' | 'clock'> & {
  readonly cluster: { readonly entries: (type: ResourceType) => Owner<Child> };
  readonly external: { readonly plugins: PluginCalls['effects'] };
};

/** Answers a row while an entry is not to be removed yet. */
type Gate = (surplus: Surplus) => Promise<EntryStatus | undefined>;

/** Whoever uses an entry, such as one who drains it, is told and waited for, if the spec says so. */
function releaseFirst(
  { object, clock, cluster, external }: Given & { readonly cluster: Pick<MarkerClients, 'marked'> },
  { releaseTimeoutMs }: Options,
): Gate {
  return async ({ key, entry }) => {
    if (releaseTimeoutMs === undefined || entry.release.isGiven) return undefined;
    const since = entry.release.requestedAt ?? clock.now();
    if (clock.now() >= since + releaseTimeoutMs) return undefined;
    if (entry.release.requestedAt === undefined)
      await markerOf(entry, object, { marked: cluster.marked, plugins: external.plugins }).askForRelease(
        entry,
        key,
        since,
      );
    const nextRetry = new Date(since + releaseTimeoutMs).toISOString();
    return { key, sinkID: entry.id, state: 'Removing', reason: 'ReleaseAwaited', nextRetry };
  };
}

async function remove(
  { object, clock, cluster, external }: Given,
  options: Options,
  surplus: readonly Surplus[],
  gate?: Gate,
) {
  const now = clock.now();
  const attended = await attend({
    jobs: surplus.map(({ key, entry, reason }) => ({
      key,
      sinkID: entry.id,
      run: async () => {
        const row: EntryStatus = { key, sinkID: entry.id, state: 'Removing', reason };
        if (entry.isDeleting) return row;
        const waits = await gate?.({ key, entry, reason });
        if (waits !== undefined) return waits;
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
