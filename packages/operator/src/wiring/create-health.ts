// What the process answers to the kubelet: ready when it knows everything, alive as long as nothing in it hangs.
import type { RolloutCensus } from '../census/rollout-census.ts';
import type { ClusterCaches } from '../cluster/cluster-caches.ts';
import type { MonotonicClock } from '@pawl/reconciler';
import type { KindController } from '../controller/kind-controller.ts';
import { cachesComplete, informersActive, workersMoving } from '../observe/health-checks.ts';
import { HealthServer, type ServedMetrics } from '../observe/health-server.ts';

export interface HealthParts {
  readonly caches: ClusterCaches;
  readonly controllers: readonly KindController[];
  readonly census: Pick<RolloutCensus, 'check'>;
  readonly clock: MonotonicClock;
  readonly metrics: ServedMetrics;
}

export function createHealth({ caches, controllers, census, clock, metrics }: HealthParts): HealthServer {
  const informers = () => caches.informers;
  const liveness = [
    informersActive(informers, clock.monotonic),
    ...controllers.map(({ kind, longestPassMs }) => workersMoving(kind, longestPassMs)),
  ];
  const readiness = [cachesComplete(informers), census.check];
  return new HealthServer({ liveness: () => liveness, readiness: () => readiness, metrics });
}
