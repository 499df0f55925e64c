// The status of a pod at each stage of its life.
import type { JsonObject } from '../../json.ts';
import { timestamp } from '../../ports.ts';
import { isTrue, withCondition } from '../base/condition.ts';
import type { Condition, Pod } from '../base/model.ts';

/** The stages that a pod goes through; `Unschedulable` is left when a node turns up. */
export type Stage = 'Unschedulable' | 'Running' | 'Ready' | 'Succeeded' | 'Failed';

/** The status of a pod that is in this stage. */
export function statusOf(pod: Pod, stage: Stage, now: number): JsonObject {
  const conditions = conditionsOf(pod, stage, now);
  if (stage === 'Unschedulable') return { ...pod.status, phase: 'Pending', conditions };
  const ip = pod.status?.podIP ?? addressOf(pod.metadata.uid);
  return {
    ...pod.status,
    phase: stage === 'Ready' ? 'Running' : stage,
    conditions,
    podIP: ip,
    podIPs: [{ ip }],
    startTime: pod.status?.startTime ?? timestamp(now),
    containerStatuses: (pod.spec?.containers ?? []).map(({ name, image = '' }) => ({
      name,
      image,
      imageID: '',
      ready: stage === 'Ready',
      started: stage === 'Ready' || stage === 'Running',
      restartCount: 0,
      state: containerState(pod, stage, now),
    })),
  };
}

function conditionsOf(pod: Pod, stage: Stage, now: number): readonly Condition[] {
  const set = (list: readonly Condition[], type: string, holds: boolean, reason?: string): readonly Condition[] =>
    withCondition(list, { type, status: holds ? 'True' : 'False', ...(reason === undefined ? {} : { reason }) }, now);
  const known = pod.status?.conditions ?? [];
  if (stage === 'Unschedulable') return set(known, 'PodScheduled', false, 'Unschedulable');
  const ready = stage === 'Ready';
  const reason = ready ? undefined : stage === 'Running' ? 'ContainersNotReady' : 'PodCompleted';
  let conditions = set(known, 'PodReadyToStartContainers', ready || stage === 'Running');
  conditions = set(conditions, 'Initialized', true);
  conditions = set(
    conditions,
    'Ready',
    ready && gatesAreOpen(pod),
    reason ?? (gatesAreOpen(pod) ? undefined : 'ReadinessGatesNotReady'),
  );
  conditions = set(conditions, 'ContainersReady', ready, reason);
  return set(conditions, 'PodScheduled', true);
}

/** Conditions that others set and that readiness depends on. */
function gatesAreOpen(pod: Pod): boolean {
  const gates = pod.spec?.readinessGates ?? [];
  return gates.every(({ conditionType }) => isTrue(pod.status?.conditions, conditionType));
}

function containerState(pod: Pod, stage: Stage, now: number): JsonObject {
  const startedAt = pod.status?.startTime ?? timestamp(now);
  if (stage === 'Ready' || stage === 'Running') return { running: { startedAt } };
  const failed = stage === 'Failed';
  const finishedAt = timestamp(now);
  return { terminated: { exitCode: failed ? 1 : 0, reason: failed ? 'Error' : 'Completed', startedAt, finishedAt } };
}

/** An address that depends on the uid alone. */
function addressOf(uid: string): string {
  let hash = 0;
  for (const character of uid) hash = (Math.imul(hash, 31) + (character.codePointAt(0) ?? 0)) >>> 0;
  return `10.${hash & 255}.${(hash >>> 8) & 255}.${1 + ((hash >>> 16) % 254)}`;
}
