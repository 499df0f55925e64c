// Entries that were to be removed, and are wanted again: nobody is asked to release them any more.
import { done } from '@pawl/reconciler';
import { SinkEntries } from '../api.ts';
import { defineAction } from '../context.ts';
import { Attempts } from '../delta/back-off.ts';
import { Plugins } from '../plugins/spi.ts';
import { markerOf } from '../sinks/writer.ts';
import { attend, toldOf } from './attend.ts';
import { deltaComputed } from './delta-computed.ts';
import { optionsValid } from './options-valid.ts';

export const releasesWithdrawn = defineAction({
  name: 'ReleasesWithdrawn',
  requires: { options: optionsValid, delta: deltaComputed },
  edits: { marked: SinkEntries },
  external: { plugins: Plugins },
  run: async ({ object, clock, cluster, external }, { options, delta }) => {
    const now = clock.now();
    const clients = { marked: cluster.marked, plugins: external.plugins };
    const attended = await attend({
      jobs: delta.keep
        .filter(({ entry }) => entry.release.requestedAt !== undefined)
        .map(({ key, entry }) => ({
          key,
          sinkID: entry.id,
          run: () =>
            markerOf(entry, object, clients)
              .askForRelease(entry, key, undefined)
              .then(() => undefined),
        })),
      concurrency: options.concurrency,
      attempts: new Attempts(undefined, now),
      now,
      failedState: 'Failed',
    });
    return done(undefined, toldOf(attended));
  },
});
