// The count before a rollout, over everything that the caches hold of the reconciled kinds.
import type { Clock, Logger } from '@pawl/reconciler';
import { RolloutCensus } from '../census/rollout-census.ts';
import { strandedBy } from '../census/stranded.ts';
import type { ClusterCaches } from '../cluster/cluster-caches.ts';
import type { OperatorConfig } from '../config.ts';
import type { KindSetup } from '../controller/kind-setup.ts';
import type { EventRecorder } from '../events/event-recorder.ts';
import { rolloutHeldEvent, type PodRef } from '../events/other-events.ts';
import type { Metrics } from '../observe/metrics.ts';

export interface CensusParts {
  readonly setups: readonly KindSetup[];
  readonly caches: ClusterCaches;
  readonly config: Pick<OperatorConfig, 'onStranded'> & PodRef;
  readonly metrics: Pick<Metrics, 'rolloutHeld'>;
  /** Takes Events also while this process does not lead. */
  readonly events: Pick<EventRecorder, 'record'>;
  readonly clock: Clock;
  readonly log: Logger;
}

export function createCensus({ setups, caches, config, metrics, events, clock, log }: CensusParts): RolloutCensus {
  const { onStranded } = config;
  const setupOf = new Map(setups.map((setup) => [setup.resource.id, setup] as const));
  return new RolloutCensus({
    objects: () => setups.flatMap(({ resource }) => caches.list(resource, { namespace: '*' })),
    strandedBy: (object, isKnown) => {
      const setup = setupOf.get(`${object.apiVersion}/${object.kind}`);
      return setup === undefined ? undefined : strandedBy(setup, object, { view: caches, now: clock.now(), isKnown });
    },
    onStranded,
    onCounted: (held) => {
      metrics.rolloutHeld(held?.count ?? 0);
      if (held !== undefined) events.record(rolloutHeldEvent(held.text, held.first, config));
    },
    clock,
    log,
  });
}
