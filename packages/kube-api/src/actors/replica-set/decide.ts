// ReplicaSet: keeps the wanted number of pods alive and counts them.
import type { Decision, Step } from '../base/step.ts';
import { NOTHING } from '../base/step.ts';
import type { Cluster } from '../base/cluster.ts';
import { splitKey } from '../base/kind.ts';
import { mergeDiff } from '../base/merge.ts';
import type { Pod, ReplicaSet } from '../base/model.ts';
import { claim, controlledBy } from '../base/owners.ts';
import { byDispensability, countPods, isActive, isEnded, isTerminating, podFrom } from '../base/pods.ts';
import { matches } from '../base/selector.ts';

/** What the ReplicaSet of this key needs. */
export function decideReplicaSet(key: string, cluster: Cluster, now: number): Decision {
  const { namespace, name } = splitKey(key);
  const set = cluster.get('replicasets.apps', namespace, name);
  if (set === undefined) return NOTHING;
  const claimed = claim(cluster, 'pods', set, set.spec.selector, (pod) => !isEnded(pod));
  if (claimed.steps.length > 0) return { steps: claimed.steps };
  const active = claimed.owned.filter(isActive);
  const scaling = set.metadata.deletionTimestamp === undefined ? scale(set, active) : [];
  const { nextAvailableInMs } = countPods(active, set.spec.minReadySeconds ?? 0, now);
  return {
    steps: scaling,
    report: report(set, active, claimed.owned.filter(isTerminating).length, now),
    ...(nextAvailableInMs === undefined ? {} : { againAfterMs: nextAvailableInMs }),
  };
}

function scale(set: ReplicaSet, active: readonly Pod[]): readonly Step[] {
  const missing = (set.spec.replicas ?? 1) - active.length;
  if (missing < 0)
    return byDispensability(active)
      .slice(0, -missing)
      .map((target) => ({ step: 'delete', target }));
  const { name, namespace } = set.metadata;
  const pod = podFrom(set.spec.template, { generateName: `${name}-`, namespace, owner: controlledBy(set) });
  return Array.from({ length: missing }, () => ({ step: 'create', object: pod }));
}

function report(set: ReplicaSet, active: readonly Pod[], terminating: number, now: number): readonly Step[] {
  const { ready, available } = countPods(active, set.spec.minReadySeconds ?? 0, now);
  const template = set.spec.template?.metadata?.labels ?? {};
  const labelled = active.filter((pod) => matches({ matchLabels: template }, pod.metadata.labels)).length;
  const { conditions } = set.status ?? {};
  const patch = mergeDiff(set.status, {
    ...(conditions === undefined ? {} : { conditions }),
    replicas: active.length,
    ...(labelled === 0 ? {} : { fullyLabeledReplicas: labelled }),
    ...(ready === 0 ? {} : { readyReplicas: ready }),
    ...(available === 0 ? {} : { availableReplicas: available }),
    terminatingReplicas: terminating,
    observedGeneration: set.metadata.generation ?? 1,
  });
  return patch === undefined ? [] : [{ step: 'patch', target: set, patch: { status: patch }, subresource: 'status' }];
}
