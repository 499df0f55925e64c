// What a StatefulSet reports: counts, and how far the update to the newest revision has come.
import { mergeDiff } from '../base/merge.ts';
import type { Pod, StatefulSet } from '../base/model.ts';
import { countPods, isEnded, isTerminating } from '../base/pods.ts';
import type { Step } from '../base/step.ts';
import { REVISION_LABEL } from '../base/revisions.ts';

/** The status write that is due; none if the status is right. The update is complete when all pods are new and serve. */
export function reportOf(
  set: StatefulSet,
  pods: ReadonlyMap<number, Pod>,
  current: string,
  update: string,
  now: number,
): readonly Step[] {
  const alive = [...pods.values()].filter((pod) => !isEnded(pod));
  const steady = alive.filter((pod) => !isTerminating(pod));
  const { ready, available } = countPods(alive, set.spec.minReadySeconds ?? 0, now);
  const updated = steady.filter((pod) => revisionOf(pod) === update).length;
  const replicas = set.spec.replicas ?? 1;
  const rolling = set.spec.updateStrategy?.type !== 'OnDelete';
  const complete = rolling && updated === replicas && alive.length === replicas && ready === replicas;
  const currentRevision = complete ? update : current;
  const currentReplicas = steady.filter((pod) => revisionOf(pod) === currentRevision).length;
  const patch = mergeDiff(set.status, {
    observedGeneration: set.metadata.generation ?? 1,
    collisionCount: set.status?.collisionCount ?? 0,
    replicas: alive.length,
    availableReplicas: available,
    ...(ready === 0 ? {} : { readyReplicas: ready }),
    ...(currentReplicas === 0 ? {} : { currentReplicas }),
    ...(updated === 0 ? {} : { updatedReplicas: updated }),
    currentRevision,
    updateRevision: update,
  });
  return patch === undefined ? [] : [{ step: 'patch', target: set, patch: { status: patch }, subresource: 'status' }];
}

function revisionOf(pod: Pod): string {
  return pod.metadata.labels?.[REVISION_LABEL] ?? '';
}
