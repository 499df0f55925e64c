// What happens to the entries when the Enrollment goes: they stay, or all of ours go. Needs no valid spec.
import { done, pending } from '@pawl/reconciler';
import { ANNOTATIONS, type KubernetesObject } from '@pawl/reconciler/kubernetes';
import { SinkEntries, type Enrollment } from '../api.ts';
import { defineAction } from '../context.ts';
import { Attempts } from '../delta/back-off.ts';
import type { Entry } from '../delta/member.ts';
import { withoutAliases } from '../options/aliases.ts';
import { Plugins } from '../plugins/spi.ts';
import { CLAIMS } from '../sinks/object-writer.ts';
import { placesOf } from '../sinks/places.ts';
import { readEntries } from '../sinks/read-entries.ts';
import { attend, toldOf, type Job } from './attend.ts';
import { OwnedEntries } from './entries-provisioned.ts';
import { unavailable } from './outage.ts';

const CONCURRENCY = 8;
const RETRY_MS = 5_000;

/** Anything but an explicit `Delete` keeps the entries. */
function deletes({ spec }: Enrollment): boolean {
  return withoutAliases(spec, []).deletionPolicy === 'Delete';
}

/**
 * 1.0.0 and later. Objects of ours that are to stay are marked, or the framework would delete them after this. Those that
 * are to go are deleted here, whatever their kind: the framework keeps some that an author must name.
 */
export const entriesReleased = defineAction({
  name: 'EntriesReleased',
  owns: { entries: OwnedEntries },
  edits: { marked: SinkEntries },
  external: { plugins: Plugins },
  run: async (context) => {
    const { object, cluster, external, clock } = context;
    const isDelete = deletes(object);
    const places = isDelete ? placesOf(object) : placesOf(object).filter(({ plugin }) => plugin === undefined);
    let found: readonly Entry[];
    try {
      found = await readEntries(object, places, { entries: cluster.entries, plugins: external.plugins });
    } catch (error) {
      return unavailable('EntriesReleased', 'SinkUnavailable', error, context);
    }
    const ours = found.filter(({ ownership }) => ownership !== 'foreign');
    const orphan = async (child: KubernetesObject): Promise<undefined> => {
      await cluster
        .marked(child)
        .edit(child, CLAIMS.orphan, { metadata: { annotations: { [ANNOTATIONS.keep]: 'true' } } });
      return undefined;
    };
    const remove = async ({ id, object: child, place: { plugin = '' }, isDeleting }: Entry, key: string) => {
      if (child === undefined) await external.plugins.destroy(plugin, id, 'terminate', key);
      else if (isDeleting) return { key, sinkID: id, state: 'Removing', reason: 'Deleting' } as const;
      else await cluster.entries(child).remove(child);
      return undefined;
    };
    const jobs = ours.flatMap((entry): Job[] => {
      const { id, object: child, marks } = entry;
      // Whoever put this mark there wants the object to stay.
      if (child?.metadata.annotations?.[ANNOTATIONS.keep] === 'true') return [];
      const key = marks.key ?? marks.sourceId ?? id;
      if (isDelete) return [{ key, sinkID: id, run: () => remove(entry, key) }];
      return child === undefined ? [] : [{ key, sinkID: id, run: () => orphan(child) }];
    });
    const now = clock.now();
    const attended = await attend({
      jobs,
      concurrency: CONCURRENCY,
      attempts: new Attempts(undefined, now),
      now,
      failedState: 'Removing',
    });
    if (attended.rows.length > 0 || attended.postponed > 0)
      return pending('EntriesRemoving', toldOf(attended), { requeueAfterMs: RETRY_MS });
    return attended.done === 0
      ? done()
      : pending('Releasing', `${attended.done} entries were released`, { requeueAfterMs: 0 });
  },
});
