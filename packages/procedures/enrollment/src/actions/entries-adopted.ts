// Entries that are to count as ours are marked first, where they are; nothing else of them changes.
import { done, pending } from '@pawl/reconciler';
import { SinkEntries } from '../api.ts';
import { defineAction, type Context } from '../context.ts';
import { adoptable, legacyMarks } from '../delta/adoption.ts';
import { Attempts } from '../delta/back-off.ts';
import type { Entry, Marks } from '../delta/member.ts';
import { Plugins } from '../plugins/spi.ts';
import type { MarkerClients } from '../sinks/ports.ts';
import { markerOf } from '../sinks/writer.ts';
import { attend, toldOf } from './attend.ts';
import { optionsValid } from './options-valid.ts';
import { sinkListed } from './sink-listed.ts';
import { sourceListed } from './source-listed.ts';

/**
 * What 1.0.0 made carries the raw id of its member only. It is given key, key hash, uid of the Enrollment and fingerprint
 * before any difference is computed: otherwise every member would be enrolled a second time.
 */
export const legacyEntriesAdopted = defineAction({
  name: 'LegacyEntriesAdopted',
  requires: { options: optionsValid, source: sourceListed, sink: sinkListed },
  edits: { marked: SinkEntries },
  external: { plugins: Plugins },
  run: (context, { options, source, sink }) => {
    const { object, cluster, external } = context;
    const legacy = sink.filter(({ ownership }) => ownership === 'legacy');
    const plan = legacyMarks({ object, options, members: source, legacy });
    return marked(context, plan, { marked: cluster.marked, plugins: external.plugins }, options.concurrency);
  },
});

/** Entries of nobody, for members that have none: taken over only where the policy says so. */
export const entriesAdopted = defineAction({
  name: 'EntriesAdopted',
  requires: { options: optionsValid, source: sourceListed, sink: sinkListed },
  edits: { marked: SinkEntries },
  external: { plugins: Plugins },
  run: (context, { options, source, sink }) => {
    const { object, cluster, external } = context;
    const plan = options.adopt === 'Never' ? [] : adoptable({ object, options, members: source, entries: sink });
    return marked(context, plan, { marked: cluster.marked, plugins: external.plugins }, options.concurrency);
  },
});

interface Marking {
  readonly entry: Entry;
  readonly key: string;
  readonly marks: Marks;
}

/** Pending as soon as anything was marked: the lists are from before. */
async function marked(
  { object, clock }: Pick<Context, 'object' | 'clock'>,
  plan: readonly Marking[],
  clients: MarkerClients,
  concurrency: number,
): Promise<ReturnType<typeof pending> | ReturnType<typeof done>> {
  if (plan.length === 0) return done();
  const now = clock.now();
  const attended = await attend({
    jobs: plan.map(({ entry, key, marks }) => ({
      key,
      sinkID: entry.id,
      run: async () => {
        await markerOf(entry, object, clients).mark(entry, key, marks);
        return undefined;
      },
    })),
    concurrency,
    attempts: new Attempts(undefined, now),
    now,
    failedState: 'Failed',
  });
  const isDone = attended.rows.length === 0 && attended.postponed === 0;
  return isDone
    ? pending('Adopting', `${attended.done} entries were marked as those of this Enrollment`, { requeueAfterMs: 0 })
    : pending('AdoptionFailed', toldOf(attended), { requeueAfterMs: 5_000 });
}
