// Which entries are not what their member asks for now.
import { done } from '@pawl/reconciler';
import { defineAction } from '../context.ts';
import { computeDrift } from '../delta/drift.ts';
import { deltaComputed } from './delta-computed.ts';
import { homeOf } from './home.ts';
import { optionsValid } from './options-valid.ts';

export const driftComputed = defineAction({
  name: 'DriftComputed',
  requires: { options: optionsValid, delta: deltaComputed },
  run: ({ object }, { options, delta }) => {
    const drift = computeDrift(options, homeOf(object), delta);
    const { outdated, replaced } = drift;
    const told = outdated
      .slice(0, 10)
      .map(({ key }) => `change ${key}: its properties or labels are other ones now (policy.drift ${options.drift})`);
    return done(
      drift,
      [
        ...told,
        ...replaced.slice(0, 10).map(({ key, entry }) => `remove ${key} (${entry.id}): a newer one stands in for it`),
      ].join('\n'),
    );
  },
});
