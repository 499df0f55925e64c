// PodDisruptionBudget: how many of its pods may be evicted now.
import type { JsonObject } from '../../json.ts';
import type { Cluster } from '../base/cluster.ts';
import { controllerOf } from '../base/cluster.ts';
import { withCondition } from '../base/condition.ts';
import { earliest, resolveShare } from '../base/counts.ts';
import { splitKey } from '../base/kind.ts';
import { mergeDiff } from '../base/merge.ts';
import type { DisruptionBudget, Live, Pod } from '../base/model.ts';
import { isEnded, isReady, isTerminating } from '../base/pods.ts';
import { matches } from '../base/selector.ts';
import type { Decision } from '../base/step.ts';
import { NOTHING } from '../base/step.ts';

/** How long an eviction that was granted counts although the pod is not being deleted. */
const GRANTED_MS = 120_000;

/** What the budget of this key needs. Its status is only written over the one that was read, for evictions write it too. */
export function decideDisruption(key: string, cluster: Cluster, now: number): Decision {
  const { namespace, name } = splitKey(key);
  const budget = cluster.get('poddisruptionbudgets.policy', namespace, name);
  if (budget === undefined || budget.metadata.deletionTimestamp !== undefined) return NOTHING;
  const pods = cluster
    .list('pods', namespace)
    .filter((pod) => !isEnded(pod) && matches(budget.spec?.selector, pod.metadata.labels));
  const granted = grantedOf(budget, pods, now);
  const healthy = pods.filter(
    (pod) => isReady(pod) && !isTerminating(pod) && granted[pod.metadata.name] === undefined,
  ).length;
  const patch = mergeDiff(budget.status, statusOf(budget, pods, healthy, granted, cluster, now));
  const again = earliest(...Object.values(granted).map((time) => Math.max(0, Date.parse(time) + GRANTED_MS - now)));
  const { uid, resourceVersion } = budget.metadata;
  return {
    steps: [],
    report:
      patch === undefined
        ? []
        : [
            {
              step: 'patch',
              target: budget,
              patch: { metadata: { uid, resourceVersion }, status: patch },
              subresource: 'status',
            },
          ],
    ...(again === undefined ? {} : { againAfterMs: again }),
  };
}

function statusOf(
  budget: DisruptionBudget,
  pods: readonly Pod[],
  currentHealthy: number,
  disruptedPods: Readonly<Record<string, string>>,
  cluster: Cluster,
  now: number,
): JsonObject {
  const { expected, desired } = need(budget, pods, cluster);
  const allowed = expected === 0 ? 0 : Math.max(0, currentHealthy - desired);
  const holds = allowed > 0;
  const reason = holds ? 'SufficientPods' : 'InsufficientPods';
  const observedGeneration = budget.metadata.generation ?? 1;
  const conditions = withCondition(
    budget.status?.conditions ?? [],
    { type: 'DisruptionAllowed', status: holds ? 'True' : 'False', reason, message: '', observedGeneration },
    now,
  );
  return {
    observedGeneration,
    currentHealthy,
    desiredHealthy: desired,
    expectedPods: expected,
    disruptionsAllowed: allowed,
    ...(Object.keys(disruptedPods).length === 0 ? {} : { disruptedPods }),
    conditions,
  };
}

/** How many pods there should be, and how many of them must stay healthy. A plain minimum counts the pods that are there. */
function need(
  { spec }: DisruptionBudget,
  pods: readonly Pod[],
  cluster: Cluster,
): { readonly expected: number; readonly desired: number } {
  const { minAvailable, maxUnavailable } = spec ?? {};
  if (maxUnavailable !== undefined) {
    const expected = wantedReplicas(pods, cluster);
    return { expected, desired: Math.max(0, expected - resolveShare(maxUnavailable, expected, 'up')) };
  }
  if (typeof minAvailable === 'number') return { expected: pods.length, desired: minAvailable };
  const expected = wantedReplicas(pods, cluster);
  return { expected, desired: resolveShare(minAvailable ?? 0, expected, 'up') };
}

/** The replicas that the controllers of the pods want in all; a pod without a controller counts for itself. */
function wantedReplicas(pods: readonly Pod[], cluster: Cluster): number {
  const scales = new Map<string, number>();
  for (const pod of pods) {
    const controller = topControllerOf(pod, cluster);
    scales.set(controller?.metadata.uid ?? pod.metadata.uid, replicasOf(controller));
  }
  return [...scales.values()].reduce((total, replicas) => total + replicas, 0);
}

function topControllerOf(object: Live, cluster: Cluster): Live | undefined {
  const owner = controllerOf(object);
  const found = owner === undefined ? undefined : cluster.byUid(owner.uid);
  const above = found === undefined ? undefined : controllerOf(found);
  return above === undefined ? found : (cluster.byUid(above.uid) ?? found);
}

function replicasOf(controller: Live | undefined): number {
  const spec = controller?.['spec'] as { readonly replicas?: number } | undefined;
  return spec?.replicas ?? 1;
}

/** Evictions that were granted and have not become visible as deletions yet. */
function grantedOf({ status }: DisruptionBudget, pods: readonly Pod[], now: number): Readonly<Record<string, string>> {
  const waiting = new Set(pods.filter((pod) => !isTerminating(pod)).map(({ metadata }) => metadata.name));
  const entries = Object.entries(status?.disruptedPods ?? {});
  return Object.fromEntries(entries.filter(([name, time]) => waiting.has(name) && Date.parse(time) + GRANTED_MS > now));
}
