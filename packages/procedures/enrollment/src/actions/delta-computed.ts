// What has to happen, worked out before anything does.
import { done } from '@pawl/reconciler';
import { defineAction } from '../context.ts';
import { computeDelta, type Delta } from '../delta/delta.ts';
import { describeDelta } from '../delta/describe.ts';
import { entryKeysByMark, entryKeysBySourceId, memberKeys, type KeyOfEntry } from '../delta/keys.ts';
import type { Entry, Member } from '../delta/member.ts';
import type { Options } from '../options/options.ts';
import { entriesAdopted, legacyEntriesAdopted } from './entries-adopted.ts';
import { optionsValid } from './options-valid.ts';
import { sinkListed } from './sink-listed.ts';
import { sourceListed } from './source-listed.ts';

/** 1.0.0: by the id of the member that the entry carries. */
export const deltaComputed = defineAction({
  name: 'DeltaComputed',
  requires: { options: optionsValid, source: sourceListed, sink: sinkListed },
  run: (_context, { options, source, sink }) => told(deltaOf(options, source, sink, entryKeysBySourceId(options))),
});

/** 2.0.0: by the recorded key, and only once every entry carries one: without that all members would look new. */
export const deltaComputedByKey = defineAction({
  name: 'DeltaComputed',
  requires: {
    options: optionsValid,
    source: sourceListed,
    sink: sinkListed,
    legacy: legacyEntriesAdopted,
    adopted: entriesAdopted,
  },
  run: (_context, { options, source, sink }) => told(deltaOf(options, source, sink, entryKeysByMark(options))),
});

/** 3.0.0: every entry carries the uid of its Enrollment; one that does not is somebody else's. */
export const deltaComputedByUid = defineAction({
  name: 'DeltaComputed',
  requires: { options: optionsValid, source: sourceListed, sink: sinkListed, adopted: entriesAdopted },
  run: (_context, { options, source, sink }) => {
    const known = sink.map((entry): Entry =>
      entry.ownership === 'legacy' ? { ...entry, ownership: 'foreign' } : entry,
    );
    return told(deltaOf(options, source, known, entryKeysByMark(options)));
  },
});

const told = (delta: Delta) => done(delta, describeDelta(delta));

function deltaOf(
  options: Options,
  members: readonly Member[],
  entries: readonly Entry[],
  keyOfEntry: KeyOfEntry,
): Delta {
  const { onSourceKeyError, onEnrolledKeyError } = options;
  return computeDelta({
    members,
    entries,
    keyOfMember: memberKeys(options),
    keyOfEntry,
    onSourceKeyError,
    onEnrolledKeyError,
  });
}
