// What workloads need to know of pods: states, counts, and making one from a template.
import type { KubeObject, OwnerReference } from '../../json.ts';
import { conditionOf, isTrue } from './condition.ts';
import type { Pod, PodSpec, PodTemplate } from './model.ts';

/** True while the pod has not ended and nobody has deleted it. */
export function isActive(pod: Pod): boolean {
  return !isEnded(pod) && !isTerminating(pod);
}

/** True for a pod that ran to its end, well or not. */
export function isEnded(pod: Pod): boolean {
  return pod.status?.phase === 'Succeeded' || pod.status?.phase === 'Failed';
}

/** True for a pod that has been deleted and is still there. */
export function isTerminating(pod: Pod): boolean {
  return pod.metadata.deletionTimestamp !== undefined;
}

/** True if the pod serves. */
export function isReady(pod: Pod): boolean {
  return isTrue(pod.status?.conditions, 'Ready');
}

/** In how many ms a ready pod will have been ready for `minReadySeconds`: 0 if it has, undefined if it is not ready. */
export function availableInMs(pod: Pod, minReadySeconds: number, now: number): number | undefined {
  if (!isReady(pod)) return undefined;
  if (minReadySeconds === 0) return 0;
  const since = Date.parse(conditionOf(pod.status?.conditions, 'Ready')?.lastTransitionTime ?? '');
  return Number.isNaN(since) ? undefined : Math.max(0, since + minReadySeconds * 1000 - now);
}

/** Counts over pods, and when the next ready one becomes available. */
export interface PodCounts {
  readonly ready: number;
  readonly available: number;
  readonly nextAvailableInMs: number | undefined;
}

/** Counts ready and available pods. */
export function countPods(pods: readonly Pod[], minReadySeconds: number, now: number): PodCounts {
  const delays = pods.map((pod) => availableInMs(pod, minReadySeconds, now)).filter((ms) => ms !== undefined);
  const pending = delays.filter((ms) => ms > 0);
  return {
    ready: delays.length,
    available: delays.length - pending.length,
    nextAvailableInMs: pending.length === 0 ? undefined : Math.min(...pending),
  };
}

/** What a new pod has beside its template. One of `name` and `generateName` is given. */
export interface PodIdentity {
  readonly name?: string;
  readonly generateName?: string;
  readonly namespace: string | undefined;
  readonly owner: OwnerReference;
  readonly labels?: Readonly<Record<string, string>>;
  /** Overrides fields of the spec. */
  readonly spec?: PodSpec;
}

/** A pod as a template describes it. */
export function podFrom(template: PodTemplate | undefined, identity: PodIdentity): KubeObject {
  const { name, generateName, namespace, owner, labels } = identity;
  const meta = template?.metadata;
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      ...(name === undefined ? {} : { name }),
      ...(generateName === undefined ? {} : { generateName }),
      ...(namespace === undefined ? {} : { namespace }),
      labels: { ...meta?.labels, ...labels },
      ...(meta?.annotations === undefined ? {} : { annotations: meta.annotations }),
      ...(meta?.finalizers === undefined ? {} : { finalizers: meta.finalizers }),
      ownerReferences: [owner],
    },
    spec: { ...template?.spec, ...identity.spec },
  };
}

/**
 * Pods in the order in which they are best deleted: not ready before ready, cheaper before dearer
 * (`controller.kubernetes.io/pod-deletion-cost`), younger before older.
 */
export function byDispensability(pods: readonly Pod[]): readonly Pod[] {
  return pods.toSorted(
    (a, b) =>
      phaseRank(a) - phaseRank(b) ||
      Number(isReady(a)) - Number(isReady(b)) ||
      deletionCost(a) - deletionCost(b) ||
      createdAt(b) - createdAt(a) ||
      (a.metadata.name < b.metadata.name ? -1 : 1),
  );
}

function phaseRank(pod: Pod): number {
  const assigned = pod.spec?.nodeName === undefined ? 0 : 1;
  const phases: Readonly<Record<string, number>> = { Pending: 0, Unknown: 1, Running: 2 };
  return assigned + 2 * (phases[pod.status?.phase ?? 'Pending'] ?? 0);
}

function deletionCost(pod: Pod): number {
  const cost = Number.parseInt(pod.metadata.annotations?.['controller.kubernetes.io/pod-deletion-cost'] ?? '0', 10);
  return Number.isNaN(cost) ? 0 : cost;
}

function createdAt(pod: Pod): number {
  return Date.parse(pod.metadata.creationTimestamp ?? '') || 0;
}
