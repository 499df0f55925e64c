// What the spec asks for, and whether it may be done now.
import { done, pending, TerminalError } from '@pawl/reconciler';
import { defineAction } from '../context.ts';
import { readOptions } from '../options/options.ts';

/** Templates are compiled once for each generation of the spec. */
const KEPT_MS = 3_600_000;

/** A spec that cannot be meant waits for its author. */
export const optionsValid = defineAction({
  name: 'OptionsValid',
  cacheForMs: KEPT_MS,
  run: ({ object: { spec } }) => {
    const read = readOptions(spec);
    if ('faults' in read) throw new TerminalError(read.faults.join('; '));
    return done(read.options);
  },
});

/** While it is paused nothing is listed and nothing is changed. Deletion is not held up by it. */
export const notPaused = defineAction({
  name: 'NotPaused',
  run: ({ object: { spec } }) =>
    spec.paused === true ? pending('Paused', 'spec.paused is true: nothing is changed') : done(),
});
