// Which removals may go ahead. What is held is a value, not a failure: it is told where everything comes together.
import { done } from '@pawl/reconciler';
import { defineAction } from '../context.ts';
import { guardRemovals, type Removals } from '../delta/guard.ts';
import { CONFIRM_REMOVALS } from '../sinks/marks.ts';
import { deltaComputed } from './delta-computed.ts';
import { driftComputed } from './drift-computed.ts';
import { optionsValid } from './options-valid.ts';

/** 1.0.0: an empty source removes nothing unless the spec allows it, or a person confirms it. */
export const removalsGuarded = defineAction({
  name: 'RemovalsGuarded',
  requires: { options: optionsValid, delta: deltaComputed },
  run: ({ object }, { options: { allowEmptySource }, delta }) => {
    const confirmed = object.metadata.annotations?.[CONFIRM_REMOVALS];
    return told(guardRemovals({ delta, allowEmptySource, confirmed, prunesDuplicates: false }));
  },
});

/** 3.0.0: also not more at once than the spec says, extra entries included. */
export const removalsLimited = defineAction({
  name: 'RemovalsGuarded',
  requires: { options: optionsValid, delta: deltaComputed, drift: driftComputed },
  run: ({ object }, { options: { allowEmptySource, maxRemovals, duplicates }, delta, drift }) => {
    const confirmed = object.metadata.annotations?.[CONFIRM_REMOVALS];
    const known = { ...delta, duplicates: drift.duplicates };
    return told(
      guardRemovals({
        delta: known,
        allowEmptySource,
        maxRemovals,
        confirmed,
        prunesDuplicates: duplicates === 'Prune',
      }),
    );
  },
});

const told = (removals: Removals) =>
  done(
    removals,
    removals.hold === undefined ? '' : `${removals.held.length} removals are held: ${removals.hold.reason}`,
  );
