// Node: comes up ready, and carries the taints that follow from its state.
import type { Cluster } from '../base/cluster.ts';
import { conditionOf, withCondition } from '../base/condition.ts';
import { splitKey } from '../base/kind.ts';
import { equalJson } from '../../json.ts';
import type { Node, Taint } from '../base/model.ts';
import type { Decision, Step } from '../base/step.ts';
import { NOTHING } from '../base/step.ts';

const PREFIX = 'node.kubernetes.io/';
/** The taints that are kept here. They keep new pods away; running ones stay. */
const KEPT = ['not-ready', 'unreachable', 'unschedulable'].map((name) => PREFIX + name);

/** What the node of this key needs. One that says itself that it is not ready is left as it is. */
export function decideNode(key: string, cluster: Cluster, now: number): Decision {
  const node = cluster.get('nodes', undefined, splitKey(key).name);
  if (node === undefined || node.metadata.deletionTimestamp !== undefined) return NOTHING;
  if (conditionOf(node.status?.conditions, 'Ready') === undefined) return { steps: [comeUp(node, now)] };
  const known = node.spec?.taints ?? [];
  const taints = [...known.filter((taint) => !isKept(taint) || isDue(node, taint)), ...missing(node, known)];
  if (equalJson(taints, known)) return NOTHING;
  const { resourceVersion } = node.metadata;
  return { steps: [{ step: 'patch', target: node, patch: { metadata: { resourceVersion }, spec: { taints } } }] };
}

function comeUp(target: Node, now: number): Step {
  const wanted = { type: 'Ready', status: 'True', reason: 'KubeletReady', message: 'The node takes pods.' } as const;
  const conditions = withCondition(target.status?.conditions ?? [], wanted, now);
  return { step: 'patch', target, patch: { status: { conditions } }, subresource: 'status' };
}

function dueKeys({ spec, status }: Node): readonly string[] {
  const ready = conditionOf(status?.conditions, 'Ready')?.status;
  return [
    ...(ready === 'False' ? [`${PREFIX}not-ready`] : []),
    ...(ready === 'Unknown' ? [`${PREFIX}unreachable`] : []),
    ...(spec?.unschedulable === true ? [`${PREFIX}unschedulable`] : []),
  ];
}

function isKept({ key, effect }: Taint): boolean {
  return effect === 'NoSchedule' && KEPT.includes(key ?? '');
}

function isDue(node: Node, { key }: Taint): boolean {
  return dueKeys(node).includes(key ?? '');
}

function missing(node: Node, known: readonly Taint[]): readonly Taint[] {
  return dueKeys(node)
    .filter((due) => !known.some((taint) => isKept(taint) && taint.key === due))
    .map((key) => ({ key, effect: 'NoSchedule' }));
}
