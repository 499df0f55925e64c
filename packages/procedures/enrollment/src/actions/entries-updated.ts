// Entries that were made from something else than what is wanted now: left, changed in place, or made anew one by one.
import { done } from '@pawl/reconciler';
import type { EntryStatus } from '../api.ts';
import { defineAction } from '../context.ts';
import { Attempts } from '../delta/back-off.ts';
import type { Enrolled } from '../delta/delta.ts';
import { isCurrent } from '../delta/desired.ts';
import type { Desired } from '../delta/member.ts';
import { Plugins } from '../plugins/spi.ts';
import { fullMarks } from '../sinks/marks.ts';
import { currentWriter } from '../sinks/writer.ts';
import { attend, toldOf, type Attended, type Job } from './attend.ts';
import { deltaComputed } from './delta-computed.ts';
import { entriesProvisioned, NOTHING, OwnedEntries } from './entries-provisioned.ts';
import { driftComputed } from './drift-computed.ts';
import { optionsValid } from './options-valid.ts';

export interface Updated extends Attended {
  readonly outdated: number;
}

export const entriesUpdated = defineAction({
  name: 'EntriesUpdated',
  requires: { options: optionsValid, delta: deltaComputed, drift: driftComputed, provisioned: entriesProvisioned },
  owns: { entries: OwnedEntries },
  external: { plugins: Plugins },
  expected: (_context, { drift }) => ({ ...NOTHING, outdated: drift.outdated.length }),
  run: async ({ object, cluster, external, clock }, { options, drift }) => {
    const now = clock.now();
    const writer = currentWriter(object, { entries: cluster.entries, plugins: external.plugins });
    const jobs: Job[] = [];
    let brought = 0;
    if (options.drift === 'Update')
      for (const { entry, key, desired } of [...drift.outdated, ...drift.current])
        jobs.push({
          key,
          sinkID: entry.id,
          run: async () => {
            const answer = await writer.update(entry, desired, fullMarks(object, desired));
            if (answer === 'cannot')
              return outdatedRow(
                { key, entry },
                'CannotUpdate',
                'the sink changes no entries; policy.drift Recreate makes them anew',
              );
            if (!isCurrent(entry, desired)) brought += 1;
            return undefined;
          },
        });
    if (options.drift === 'Recreate')
      for (const { key, entry, desired } of drift.replace)
        jobs.push({ key, sinkID: entry.id, run: () => replace({ key, entry, desired }) });
    const replace = async ({ key, entry, desired }: Replacing): Promise<EntryStatus> => {
      // Two objects of one name cannot be: the old one goes first, and the member is added when it is gone.
      if (desired.name === entry.id && entry.object !== undefined) await writer.remove(entry, key, 'rolling_update');
      else await writer.add(desired, fullMarks(object, desired));
      return {
        ...outdatedRow({ key, entry }, 'Replacing', 'a new entry is made, then this one is removed'),
        state: 'Replacing',
      };
    };
    const attended = await attend({
      jobs,
      concurrency: options.concurrency,
      attempts: new Attempts(object.status?.entries, now),
      now,
      failedState: 'Failed',
    });
    const waiting = options.drift === 'Ignore' ? drift.outdated : options.drift === 'Recreate' ? drift.wait : [];
    const rows = [
      ...drift.failed,
      ...attended.rows,
      ...waiting.map((each) => outdatedRow(each, options.drift === 'Ignore' ? 'DriftIgnored' : 'Waiting')),
    ];
    return done<Updated>({ ...attended, rows, outdated: drift.outdated.length - brought }, toldOf(attended));
  },
});

interface Replacing extends Pick<Enrolled, 'key' | 'entry'> {
  readonly desired: Desired;
}

function outdatedRow({ key, entry }: Pick<Enrolled, 'key' | 'entry'>, reason: string, message?: string): EntryStatus {
  return { key, sinkID: entry.id, state: 'Outdated', reason, ...(message === undefined ? {} : { message }) };
}
