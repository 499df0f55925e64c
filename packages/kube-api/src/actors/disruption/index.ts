// The disruption actor.
import type { Actor } from '../base/actor.ts';
import { keyOf } from '../base/kind.ts';
import { matches } from '../base/selector.ts';
import { decideDisruption } from './decide.ts';

/** Keeps the status of PodDisruptionBudgets, on which evictions are granted. */
export const disruptionActor: Actor = {
  name: 'disruption',
  userAgent: 'kube-controller-manager/pawl (disruption-controller)',
  watches: {
    'poddisruptionbudgets.policy': ({ metadata }) => [keyOf(metadata)],
    pods: ({ metadata }, cluster) =>
      cluster
        .list('poddisruptionbudgets.policy', metadata.namespace)
        .filter(({ spec }) => matches(spec?.selector, metadata.labels))
        .map((budget) => keyOf(budget.metadata)),
    'replicasets.apps': () => [],
    'deployments.apps': () => [],
    'statefulsets.apps': () => [],
  },
  decide: decideDisruption,
};
