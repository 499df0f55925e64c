// The entries that are there: one list for each place where some may be.
import { done, isEqualJson, pending } from '@pawl/reconciler';
import { Enrollments, SinkEntries } from '../api.ts';
import { defineAction } from '../context.ts';
import { statusOf } from '@pawl/reconciler/kubernetes';
import { Plugins } from '../plugins/spi.ts';
import { placesOf } from '../sinks/places.ts';
import { readEntries } from '../sinks/read-entries.ts';
import { notPaused, optionsValid } from './options-valid.ts';
import { unavailable } from './outage.ts';

export const sinkListed = defineAction({
  name: 'SinkListed',
  requires: { options: optionsValid, active: notPaused },
  reads: { entries: SinkEntries },
  external: { plugins: Plugins.readOnly },
  run: async (context) => {
    const { object, cluster, external } = context;
    try {
      return done(await readEntries(object, placesOf(object), { entries: cluster.entries, plugins: external.plugins }));
    } catch (error) {
      return unavailable('SinkListed', 'SinkUnavailable', error, context);
    }
  },
});

/**
 * The place of every entry is known before the first one is made there: a sink that the spec names no longer is looked
 * into until it is empty, and so is one whose making was interrupted.
 */
export const sinkRecorded = defineAction({
  name: 'SinkRecorded',
  requires: { entries: sinkListed },
  edits: { status: statusOf(Enrollments, 'sinks') },
  expected: () => undefined,
  run: ({ object, cluster }, { entries }) => {
    const [current, ...former] = placesOf(object);
    const left = former.filter((place) =>
      entries.some((entry) => entry.ownership !== 'foreign' && isEqualJson(entry.place, place)),
    );
    if (current === undefined) return done();
    const isRecorded = (object.status?.sinks ?? []).some((place) => isEqualJson(place, current));
    cluster.status.set({ sinks: [current, ...left] });
    return isRecorded ? done() : pending('Recording', 'the sink is being recorded', { requeueAfterMs: 0 });
  },
});
