// On which nodes a pod of a DaemonSet belongs.
import type { Node, PodSpec, Taint } from '../base/model.ts';
import { tolerates } from '../base/taints.ts';

/** What every DaemonSet pod tolerates: it is there to serve the node, whatever the node's state. */
const TOLERATED: readonly Taint[] = [
  ...['not-ready', 'unreachable'].map((name) => toleration(name, 'NoExecute')),
  ...['disk-pressure', 'memory-pressure', 'pid-pressure', 'unschedulable'].map((name) =>
    toleration(name, 'NoSchedule'),
  ),
];

function toleration(name: string, effect: string): Taint {
  return { key: `node.kubernetes.io/${name}`, operator: 'Exists', effect };
}

/** What a pod made from this template tolerates. */
export function tolerationsFor(spec: PodSpec | undefined): readonly Taint[] {
  return [...(spec?.tolerations ?? []), ...TOLERATED];
}

/** Whether a node takes new pods, and whether those that it has may stay. */
export interface Fit {
  readonly runs: boolean;
  readonly stays: boolean;
}

/** Judges node selector and taints. A node that does not run gets its pod all the same. */
export function fitOf(node: Node, spec: PodSpec | undefined): Fit {
  const selected = Object.entries(spec?.nodeSelector ?? {}).every(
    ([key, value]) => node.metadata.labels?.[key] === value,
  );
  if (!selected) return { runs: false, stays: false };
  const tolerations = [
    ...tolerationsFor(spec),
    toleration('not-ready', 'NoSchedule'),
    toleration('unreachable', 'NoSchedule'),
  ];
  const disliked = (node.spec?.taints ?? []).filter((taint) => !tolerates(tolerations, taint));
  return {
    runs: !disliked.some(({ effect }) => effect === 'NoSchedule' || effect === 'NoExecute'),
    stays: !disliked.some(({ effect }) => effect === 'NoExecute'),
  };
}
