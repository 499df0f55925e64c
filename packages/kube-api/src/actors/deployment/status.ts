// What a Deployment reports: counts over its ReplicaSets, and the conditions Available and Progressing.
import { timestamp } from '../../ports.ts';
import { conditionOf, withCondition } from '../base/condition.ts';
import type { Condition, Deployment, ReplicaSet } from '../base/model.ts';
import { boundsOf, sum } from './rolling.ts';

/** Counts over the ReplicaSets of a Deployment. */
export interface Counts {
  readonly replicas: number;
  readonly updated: number;
  readonly ready: number;
  readonly available: number;
  readonly terminating: number;
}

/** Adds up what the ReplicaSets report. */
export function countOf(current: ReplicaSet | undefined, all: readonly ReplicaSet[]): Counts {
  return {
    replicas: sum(all.map((set) => set.status?.replicas ?? 0)),
    updated: current?.status?.replicas ?? 0,
    ready: sum(all.map((set) => set.status?.readyReplicas ?? 0)),
    available: sum(all.map((set) => set.status?.availableReplicas ?? 0)),
    terminating: sum(all.map((set) => set.status?.terminatingReplicas ?? 0)),
  };
}

/** True when every wanted pod is a new one that serves, and no old one is left. */
export function isComplete(deployment: Deployment, counts: Counts): boolean {
  const total = deployment.spec.replicas ?? 1;
  const { replicas, updated, available } = counts;
  return replicas === total && updated === total && available === total;
}

/** Available and Progressing, kept as they are while nothing changes. */
export function conditionsOf(
  deployment: Deployment,
  current: ReplicaSet | undefined,
  counts: Counts,
  now: number,
): readonly Condition[] {
  const known = deployment.status?.conditions ?? [];
  const minimum = (deployment.spec.replicas ?? 1) - boundsOf(deployment).unavailable;
  const available = counts.available >= minimum;
  const conditions = withUpdateTime(
    known,
    {
      type: 'Available',
      status: available ? 'True' : 'False',
      reason: available ? 'MinimumReplicasAvailable' : 'MinimumReplicasUnavailable',
      message: available
        ? 'The Deployment has its minimum of available pods.'
        : 'The Deployment lacks its minimum of available pods.',
    },
    now,
  );
  return progressing(deployment, current, counts, conditions, now);
}

function progressing(
  deployment: Deployment,
  current: ReplicaSet | undefined,
  counts: Counts,
  conditions: readonly Condition[],
  now: number,
): readonly Condition[] {
  const set = (status: 'True' | 'False' | 'Unknown', reason: string, message: string): readonly Condition[] =>
    withUpdateTime(conditions, { type: 'Progressing', status, reason, message }, now);
  const known = conditionOf(conditions, 'Progressing');
  if (deployment.spec.paused === true) return set('Unknown', 'DeploymentPaused', 'The Deployment is paused.');
  if (current === undefined) return conditions;
  // The message names the ReplicaSet, which tells a new rollout from the one that is known.
  const name = `ReplicaSet "${current.metadata.name}"`;
  if (isComplete(deployment, counts)) return set('True', 'NewReplicaSetAvailable', `${name} has rolled out.`);
  if (known?.reason === 'DeploymentPaused')
    return touch(set('True', 'DeploymentResumed', `${name} is rolling out.`), now);
  if (known?.message?.startsWith(name) !== true)
    return touch(set('True', 'NewReplicaSetCreated', `${name} is the new one.`), now);
  if (known.reason === 'NewReplicaSetAvailable' && counts.replicas === counts.updated) return conditions;
  if (hasProgressed(deployment, counts)) {
    return touch(set('True', 'ReplicaSetUpdated', `${name} is rolling out.`), now);
  }
  if (progressDeadlineInMs(deployment, now) === 0) {
    return set('False', 'ProgressDeadlineExceeded', `${name} has made no progress in time.`);
  }
  return conditions;
}

function hasProgressed({ status }: Deployment, counts: Counts): boolean {
  const oldReplicas = (status?.replicas ?? 0) - (status?.updatedReplicas ?? 0);
  return (
    counts.updated > (status?.updatedReplicas ?? 0) ||
    counts.replicas - counts.updated < oldReplicas ||
    counts.available > (status?.availableReplicas ?? 0)
  );
}

/** In how many ms the rollout counts as stuck; undefined if it cannot be, 0 if it is. */
export function progressDeadlineInMs(deployment: Deployment, now: number): number | undefined {
  const known = conditionOf(deployment.status?.conditions, 'Progressing');
  const deadline = deployment.spec.progressDeadlineSeconds ?? 600;
  if (known === undefined || known.reason === 'NewReplicaSetAvailable' || known.status !== 'True') return undefined;
  const since = Date.parse(known.lastUpdateTime ?? known.lastTransitionTime ?? '');
  return Number.isNaN(since) ? undefined : Math.max(0, since + deadline * 1000 - now);
}

function withUpdateTime(
  conditions: readonly Condition[],
  wanted: Parameters<typeof withCondition>[1],
  now: number,
): readonly Condition[] {
  const set = withCondition(conditions, wanted, now);
  return set === conditions ? conditions : touch(set, now, wanted.type);
}

/** Notes that there was news about a condition. */
function touch(conditions: readonly Condition[], now: number, type = 'Progressing'): readonly Condition[] {
  return conditions.map((condition) =>
    condition.type === type ? { ...condition, lastUpdateTime: timestamp(now) } : condition,
  );
}
