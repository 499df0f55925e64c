// How far a workload has come in replacing its pods, by the rules of `kubectl rollout status`.
import type { Progress } from '../result.ts';
import type { DaemonSet, Deployment, StatefulSet } from './builtin.ts';

/** Pods that are up to date and ready, of those that are wanted. */
export interface Rollout extends Progress {
  /** Every wanted pod is of the newest template and serves, and no other pod is left. */
  readonly complete: boolean;
}

/**
 * The rollout of a workload as the server answered it. Not complete while its controller has not seen the newest
 * generation: the counts are those of an older one then.
 */
export function rolloutOf(workload: Deployment | StatefulSet | DaemonSet): Rollout {
  const { status } = workload;
  const isSeen = status?.observedGeneration === workload.metadata.generation;
  const { total, updated, ready, all } = countsOf(workload);
  const done = isSeen ? Math.min(updated, ready, total) : 0;
  return { done, total, complete: isSeen && done === total && updated >= total && all <= Math.max(updated, total) };
}

interface Counts {
  readonly total: number;
  readonly updated: number;
  readonly ready: number;
  readonly all: number;
}

function countsOf(workload: Deployment | StatefulSet | DaemonSet): Counts {
  if (workload.kind === 'DaemonSet') {
    const { desiredNumberScheduled = 0, updatedNumberScheduled = 0, numberAvailable = 0 } = workload.status ?? {};
    return { total: desiredNumberScheduled, updated: updatedNumberScheduled, ready: numberAvailable, all: 0 };
  }
  const total = workload.spec?.replicas ?? 1;
  const { updatedReplicas: updated = 0, availableReplicas: ready = 0, replicas: all = 0 } = workload.status ?? {};
  return { total, updated, ready, all };
}
