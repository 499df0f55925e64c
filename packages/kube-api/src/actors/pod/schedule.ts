// Which node a pod goes to.
import type { Cluster } from '../base/cluster.ts';
import type { Node, Pod } from '../base/model.ts';
import { isTrue } from '../base/condition.ts';
import { isEnded } from '../base/pods.ts';
import { tolerates } from '../base/taints.ts';

/** True if pods are assigned to nodes here: there are nodes, and the server takes bindings. */
export function isScheduling(cluster: Cluster): boolean {
  return cluster.serves('pods', 'binding') && cluster.list('nodes').length > 0;
}

/** The node that fits and has the fewest pods; the first by name among equals. */
export function chooseNode(pod: Pod, cluster: Cluster): string | undefined {
  const load = new Map<string, number>();
  for (const { spec } of cluster.list('pods').filter((other) => !isEnded(other))) {
    if (spec?.nodeName !== undefined) load.set(spec.nodeName, (load.get(spec.nodeName) ?? 0) + 1);
  }
  const [best] = cluster
    .list('nodes')
    .filter((node) => fits(pod, node))
    .map(({ metadata }) => ({ name: metadata.name, pods: load.get(metadata.name) ?? 0 }))
    .toSorted((a, b) => a.pods - b.pods || (a.name < b.name ? -1 : 1));
  return best?.name;
}

function fits(pod: Pod, node: Node): boolean {
  if (node.spec?.unschedulable === true || node.metadata.deletionTimestamp !== undefined || isDown(node)) return false;
  const selected = Object.entries(pod.spec?.nodeSelector ?? {}).every(
    ([key, value]) => node.metadata.labels?.[key] === value,
  );
  return (
    selected &&
    (node.spec?.taints ?? []).every(
      (taint) => taint.effect === 'PreferNoSchedule' || tolerates(pod.spec?.tolerations ?? [], taint),
    )
  );
}

/** True for a node that says that it does not run. One that says nothing counts as running. */
export function isDown(node: Node | undefined): boolean {
  return (
    node?.status?.conditions?.some(({ type }) => type === 'Ready') === true && !isTrue(node.status.conditions, 'Ready')
  );
}
