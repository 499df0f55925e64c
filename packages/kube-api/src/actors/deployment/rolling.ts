// A rolling update in numbers: how many replicas each ReplicaSet should have next.
import { resolveShare } from '../base/counts.ts';
import type { Deployment, ReplicaSet } from '../base/model.ts';
import { byAge } from './replica-sets.ts';

/** A wanted number of replicas. */
export interface Scale {
  readonly set: ReplicaSet;
  readonly replicas: number;
}

/** The bounds of a rolling update, in pods. */
export interface Bounds {
  readonly surge: number;
  readonly unavailable: number;
}

/** How far a rollout may go above and below the wanted number; never 0 both ways, or it could not move. */
export function boundsOf(deployment: Deployment): Bounds {
  const total = deployment.spec.replicas ?? 1;
  if (isRecreate(deployment)) return { surge: 0, unavailable: 0 };
  const { maxSurge = '25%', maxUnavailable = '25%' } = deployment.spec.strategy?.rollingUpdate ?? {};
  const surge = resolveShare(maxSurge, total, 'up');
  const unavailable = Math.min(resolveShare(maxUnavailable, total, 'down'), total);
  return { surge, unavailable: surge === 0 && unavailable === 0 ? 1 : unavailable };
}

/** True if all old pods go before the first new one comes. */
export function isRecreate(deployment: Deployment): boolean {
  return deployment.spec.strategy?.type === 'Recreate';
}

/** How many replicas the new ReplicaSet should have, given all others. */
export function newReplicas(
  deployment: Deployment,
  current: ReplicaSet | undefined,
  old: readonly ReplicaSet[],
): number {
  const total = deployment.spec.replicas ?? 1;
  const has = replicasOf(current);
  if (isRecreate(deployment)) return total;
  if (has >= total) return total;
  const room = total + boundsOf(deployment).surge - has - sum(old.map(replicasOf));
  return room <= 0 ? has : has + Math.min(room, total - has);
}

/**
 * How far the old ReplicaSets may shrink: first replicas that serve nothing, then serving ones as long as enough are
 * left. What the new ReplicaSet has asked for and does not serve yet counts as missing.
 */
export function shrinkOld(deployment: Deployment, current: ReplicaSet, old: readonly ReplicaSet[]): readonly Scale[] {
  const minimum = (deployment.spec.replicas ?? 1) - boundsOf(deployment).unavailable;
  const all = replicasOf(current) + sum(old.map(replicasOf));
  const unready = replicasOf(current) - availableOf(current);
  let budget = all - minimum - unready;
  if (budget <= 0) return [];
  const left = new Map(byAge(old).map((set) => [set, replicasOf(set)]));
  for (const [set, replicas] of left) {
    const useless = Math.min(budget, Math.max(0, replicas - availableOf(set)));
    left.set(set, replicas - useless);
    budget -= useless;
  }
  let spare = Math.min(budget, availableOf(current) + sum(old.map(availableOf)) - minimum);
  for (const [set, replicas] of left) {
    const serving = Math.min(Math.max(0, spare), replicas);
    left.set(set, replicas - serving);
    spare -= serving;
  }
  return [...left]
    .filter(([set, replicas]) => replicas !== replicasOf(set))
    .map(([set, replicas]) => ({ set, replicas }));
}

/** The wanted replicas of a ReplicaSet. */
export function replicasOf(set: ReplicaSet | undefined): number {
  return set === undefined ? 0 : (set.spec.replicas ?? 1);
}

/** Never more than are wanted: the status may still count pods that are on their way out. */
function availableOf(set: ReplicaSet): number {
  return Math.min(set.status?.availableReplicas ?? 0, replicasOf(set));
}

/** Adds up. */
export function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
