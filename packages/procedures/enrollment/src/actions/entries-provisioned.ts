// Every member without an entry gets one. Before anything is removed.
import { done } from '@pawl/reconciler';
import { explicit, guarded } from '@pawl/reconciler/kubernetes';
import { SinkEntries, type Enrollment } from '../api.ts';
import { defineAction } from '../context.ts';
import { Attempts } from '../delta/back-off.ts';
import { desiredOf } from '../delta/desired.ts';
import type { Desired, Marks } from '../delta/member.ts';
import { Plugins } from '../plugins/spi.ts';
import { firstMarks, fullMarks } from '../sinks/marks.ts';
import { currentWriter } from '../sinks/writer.ts';
import { attend, toldOf, type Attended } from './attend.ts';
import { deltaComputed } from './delta-computed.ts';
import { homeOf } from './home.ts';
import { optionsValid } from './options-valid.ts';
import { sinkRecorded } from './sink-listed.ts';

/** What goes is removed by an Action, which counts it first; and the server never removes it with its owner. */
export const OwnedEntries = explicit(guarded(SinkEntries));

/** Nothing happened, as far as a plan can tell. */
export const NOTHING: Attended = { done: 0, rows: [], postponed: 0 };

type MarksOf = (object: Enrollment, desired: Desired) => Marks;

const provisioning = (marksOf: MarksOf) =>
  defineAction({
    name: 'EntriesProvisioned',
    requires: { options: optionsValid, delta: deltaComputed, recorded: sinkRecorded },
    owns: { entries: OwnedEntries },
    external: { plugins: Plugins },
    expected: () => NOTHING,
    run: async ({ object, cluster, external, clock }, { options, delta }) => {
      const now = clock.now();
      const taken = new Set(
        delta.foreign.filter(({ isInSink, object: child }) => isInSink && child !== undefined).map(({ id }) => id),
      );
      const attended = await attend({
        jobs: delta.add.map((wanted) => ({
          key: wanted.key,
          run: async () => {
            const desired = desiredOf(options, homeOf(object), wanted);
            if (taken.has(desired.name))
              throw new Error(`${desired.name} exists and is not one of this Enrollment; policy.adopt takes it over`);
            await currentWriter(object, { entries: cluster.entries, plugins: external.plugins }).add(
              desired,
              marksOf(object, desired),
            );
            return undefined;
          },
        })),
        concurrency: options.concurrency,
        attempts: new Attempts(object.status?.entries, now),
        now,
        failedState: 'Failed',
      });
      return done(attended, toldOf(attended));
    },
  });

/** 1.0.0: with the raw id of the member. */
export const entriesProvisioned = provisioning(firstMarks);
/** 2.0.0: with key, uid and fingerprint. */
export const entriesProvisionedWithMarks = provisioning(fullMarks);
