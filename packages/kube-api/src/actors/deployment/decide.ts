// Deployment: rolls its template out through ReplicaSets.
import type { Cluster } from '../base/cluster.ts';
import { splitKey } from '../base/kind.ts';
import { mergeDiff } from '../base/merge.ts';
import type { Deployment, ReplicaSet } from '../base/model.ts';
import { claim } from '../base/owners.ts';
import { isEnded } from '../base/pods.ts';
import type { Decision, Step } from '../base/step.ts';
import { NOTHING } from '../base/step.ts';
import {
  annotationsFor,
  byAge,
  currentOf,
  newReplicaSet,
  nextRevision,
  REVISION,
  revisionOf,
  scaleAnnotations,
  templateHash,
} from './replica-sets.ts';
import { boundsOf, isRecreate, newReplicas, replicasOf, shrinkOld } from './rolling.ts';
import { conditionsOf, countOf, isComplete, progressDeadlineInMs } from './status.ts';

/** What the Deployment of this key needs. */
export function decideDeployment(key: string, cluster: Cluster, now: number): Decision {
  const { namespace, name } = splitKey(key);
  const deployment = cluster.get('deployments.apps', namespace, name);
  if (deployment === undefined) return NOTHING;
  const claimed = claim(cluster, 'replicasets.apps', deployment, deployment.spec.selector);
  if (claimed.steps.length > 0) return { steps: claimed.steps };
  const sets = claimed.owned.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
  const current = currentOf(deployment, sets);
  const steps = deployment.metadata.deletionTimestamp === undefined ? advance(deployment, current, sets, cluster) : [];
  const deadline = progressDeadlineInMs(deployment, now);
  return {
    steps,
    report: report(deployment, current, sets, now),
    ...(deadline === undefined || deadline === 0 ? {} : { againAfterMs: deadline }),
  };
}

function advance(
  deployment: Deployment,
  current: ReplicaSet | undefined,
  sets: readonly ReplicaSet[],
  cluster: Cluster,
): readonly Step[] {
  const old = sets.filter((set) => set !== current);
  if (deployment.spec.paused === true)
    return scaleOnly(deployment, current ?? byAge(sets).findLast((set) => replicasOf(set) > 0), old);
  if (current === undefined && collides(deployment, cluster)) {
    const collisionCount = (deployment.status?.collisionCount ?? 0) + 1;
    return [{ step: 'patch', target: deployment, patch: { status: { collisionCount } }, subresource: 'status' }];
  }
  const shrink = current === undefined ? [] : annotate(deployment, current, sets);
  if (isRecreate(deployment)) return [...shrink, ...recreate(deployment, current, old, cluster)];
  const grown = grow(deployment, current, old, sets);
  if (grown.length > 0 || current === undefined) return [...shrink, ...grown];
  const smaller = shrinkOld(deployment, current, old).map(({ set, replicas }) => scaleTo(deployment, set, replicas));
  return [...shrink, ...smaller, ...cleanUp(deployment, current, old, sets)];
}

/** A ReplicaSet of the wanted name that belongs to somebody else. */
function collides(deployment: Deployment, cluster: Cluster): boolean {
  const name = `${deployment.metadata.name}-${templateHash(deployment)}`;
  const found = cluster.get('replicasets.apps', deployment.metadata.namespace, name);
  return found !== undefined && found.metadata.deletionTimestamp === undefined;
}

/** Brings the current ReplicaSet to its number, creating it if need be. */
function grow(
  deployment: Deployment,
  current: ReplicaSet | undefined,
  old: readonly ReplicaSet[],
  sets: readonly ReplicaSet[],
): readonly Step[] {
  const replicas = newReplicas(deployment, current, old);
  if (current !== undefined) return replicas === replicasOf(current) ? [] : [scaleTo(deployment, current, replicas)];
  const maximum = (deployment.spec.replicas ?? 1) + boundsOf(deployment).surge;
  const annotations = annotationsFor(deployment, nextRevision(undefined, sets), maximum);
  return [{ step: 'create', object: newReplicaSet(deployment, replicas, annotations) }];
}

/** All old pods must be gone, also those that are still ending, before the new ReplicaSet gets its first. */
function recreate(
  deployment: Deployment,
  current: ReplicaSet | undefined,
  old: readonly ReplicaSet[],
  cluster: Cluster,
): readonly Step[] {
  const shrinking = old.filter((set) => replicasOf(set) > 0);
  if (shrinking.length > 0) return shrinking.map((set) => scaleTo(deployment, set, 0));
  const alive = old.flatMap((set) => cluster.controlledBy('pods', set.metadata.uid)).filter((pod) => !isEnded(pod));
  if (alive.length > 0) return [];
  const sets = current === undefined ? old : [...old, current];
  const grown = grow(deployment, current, old, sets);
  return current === undefined ? grown : [...grown, ...cleanUp(deployment, current, old, sets)];
}

/** While paused only the scale is followed, by the ReplicaSet that carries the pods. */
function scaleOnly(
  deployment: Deployment,
  carrier: ReplicaSet | undefined,
  old: readonly ReplicaSet[],
): readonly Step[] {
  const others = old.filter((set) => set !== carrier && replicasOf(set) > 0);
  const wanted = deployment.spec.replicas ?? 1;
  if (carrier === undefined || others.length > 0 || replicasOf(carrier) === wanted) return [];
  return [scaleTo(deployment, carrier, wanted)];
}

function scaleTo(deployment: Deployment, target: ReplicaSet, replicas: number): Step {
  const maximum = (deployment.spec.replicas ?? 1) + boundsOf(deployment).surge;
  return {
    step: 'patch',
    target,
    patch: { metadata: { annotations: scaleAnnotations(deployment, maximum) }, spec: { replicas } },
  };
}

/** Rollout number and copied annotations, on the ReplicaSet and on the Deployment itself; also the grace for readiness. */
function annotate(deployment: Deployment, current: ReplicaSet, sets: readonly ReplicaSet[]): readonly Step[] {
  const maximum = (deployment.spec.replicas ?? 1) + boundsOf(deployment).surge;
  const latest = nextRevision(current, sets);
  const revision = Math.max(latest, revisionOf(current));
  const annotations = mergeDiff(current.metadata.annotations, annotationsFor(deployment, revision, maximum, current));
  const minReadySeconds = deployment.spec.minReadySeconds ?? 0;
  const steps: Step[] = [];
  if (annotations !== undefined || (current.spec.minReadySeconds ?? 0) !== minReadySeconds) {
    const patch = { metadata: { annotations: annotations ?? {} }, spec: { minReadySeconds } };
    steps.push({ step: 'patch', target: current, patch });
  }
  if (deployment.metadata.annotations?.[REVISION] !== String(revision)) {
    steps.push({
      step: 'patch',
      target: deployment,
      patch: { metadata: { annotations: { [REVISION]: String(revision) } } },
      // By way of the status it is not a change of what is wanted, and the generation stays.
      subresource: 'status',
    });
  }
  return steps;
}

/** Deletes the oldest empty ReplicaSets beyond the history limit, once the rollout is complete. */
function cleanUp(
  deployment: Deployment,
  current: ReplicaSet,
  old: readonly ReplicaSet[],
  sets: readonly ReplicaSet[],
): readonly Step[] {
  if (!isComplete(deployment, countOf(current, sets))) return [];
  const surplus = old.length - (deployment.spec.revisionHistoryLimit ?? 10);
  if (surplus <= 0) return [];
  return byAge(old)
    .toSorted((a, b) => revisionOf(a) - revisionOf(b))
    .slice(0, surplus)
    .filter((set) => replicasOf(set) === 0 && (set.status?.replicas ?? 0) === 0 && isSettled(set))
    .map((target) => ({ step: 'delete', target }));
}

function isSettled({ metadata, status }: ReplicaSet): boolean {
  return (status?.observedGeneration ?? 0) >= (metadata.generation ?? 0);
}

function report(
  deployment: Deployment,
  current: ReplicaSet | undefined,
  sets: readonly ReplicaSet[],
  now: number,
): readonly Step[] {
  const counts = countOf(current, sets);
  const unavailable = Math.max(0, Math.max(counts.replicas, deployment.spec.replicas ?? 1) - counts.available);
  const { collisionCount } = deployment.status ?? {};
  const patch = mergeDiff(deployment.status, {
    ...(collisionCount === undefined ? {} : { collisionCount }),
    observedGeneration: deployment.metadata.generation ?? 1,
    ...nonZero('replicas', counts.replicas),
    ...nonZero('updatedReplicas', counts.updated),
    ...nonZero('readyReplicas', counts.ready),
    ...nonZero('availableReplicas', counts.available),
    terminatingReplicas: counts.terminating,
    ...nonZero('unavailableReplicas', unavailable),
    conditions: conditionsOf(deployment, current, counts, now),
  });
  return patch === undefined
    ? []
    : [{ step: 'patch', target: deployment, patch: { status: patch }, subresource: 'status' }];
}

function nonZero(field: string, count: number): Readonly<Record<string, number>> {
  return count === 0 ? {} : { [field]: count };
}
