// Pod: assigned to a node, started, ready, and ended when it is deleted. A stand-in for scheduler and kubelet.
import type { Cluster } from '../base/cluster.ts';
import { splitKey } from '../base/kind.ts';
import { mergeDiff } from '../base/merge.ts';
import type { Pod } from '../base/model.ts';
import { isEnded, isReady } from '../base/pods.ts';
import type { Decision } from '../base/step.ts';
import { NOTHING } from '../base/step.ts';
import type { PodBehaviour } from './behaviour.ts';
import { chooseNode, isDown, isScheduling } from './schedule.ts';
import type { Stage } from './status.ts';
import { statusOf } from './status.ts';

/** Since when a pod has been in its present stage, in ms; times in its status are whole seconds. */
export type Since = (pod: Pod, stage: 'Pending' | 'Running' | 'Ending') => number;

/** What the pod of this key needs. */
export function decidePod(
  key: string,
  cluster: Cluster,
  now: number,
  behaviour: (pod: Pod) => PodBehaviour,
  since: Since,
): Decision {
  const { namespace, name } = splitKey(key);
  const pod = cluster.get('pods', namespace, name);
  if (pod === undefined) return NOTHING;
  const node = pod.spec?.nodeName;
  if (node !== undefined && isDown(cluster.get('nodes', undefined, node))) return NOTHING;
  if (pod.metadata.deletionTimestamp !== undefined) return end(pod, behaviour(pod), now, since);
  if (isEnded(pod)) return NOTHING;
  if (node === undefined && pod.status?.phase !== 'Running' && isScheduling(cluster)) {
    const chosen = chooseNode(pod, cluster);
    if (chosen !== undefined) return { steps: [{ step: 'bind', target: pod, node: chosen }] };
    return reach(pod, 'Unschedulable', now);
  }
  return live(pod, behaviour(pod), now, since);
}

/** The stages from Pending to the last one that the pod's behaviour lets it reach. */
function live(pod: Pod, { startAfterMs, readyAfterMs, exit }: PodBehaviour, now: number, since: Since): Decision {
  const running = pod.status?.phase === 'Running';
  const startsInMs = running ? 0 : since(pod, 'Pending') + startAfterMs - now;
  if (startsInMs > 0) return later(startsInMs);
  if (running && isReady(pod) && exit === undefined) return NOTHING;
  const startedAt = running ? since(pod, 'Running') : now;
  const readyInMs = startedAt + readyAfterMs - now;
  if (readyInMs <= 0) return reach(pod, exit ?? 'Ready', now);
  return { ...later(readyInMs), ...reach(pod, 'Running', now) };
}

/** A deleted pod takes its time, up to its grace period; then its last trace is removed. */
function end(pod: Pod, { stopAfterMs }: PodBehaviour, now: number, since: Since): Decision {
  const { deletionTimestamp = '', deletionGracePeriodSeconds = 0 } = pod.metadata;
  if (deletionGracePeriodSeconds === 0) return NOTHING;
  const endsInMs = Math.min(Date.parse(deletionTimestamp), since(pod, 'Ending') + stopAfterMs) - now;
  if (endsInMs > 0) return later(endsInMs);
  return { steps: [{ step: 'delete', target: pod, gracePeriodSeconds: 0 }] };
}

function reach(pod: Pod, stage: Stage, now: number): Decision {
  const patch = mergeDiff(pod.status, statusOf(pod, stage, now));
  return {
    steps: [],
    report:
      patch === undefined ? [] : [{ step: 'patch', target: pod, patch: { status: patch }, subresource: 'status' }],
  };
}

function later(ms: number): Decision {
  return ms === Infinity ? NOTHING : { steps: [], againAfterMs: ms };
}
