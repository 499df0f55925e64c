// Conditions in status: set with a stable transition time, so that saying the same again changes nothing.
import { timestamp } from '../../ports.ts';
import type { Condition } from './model.ts';

/** A condition without the times that are kept here. */
export type NewCondition = Pick<
  Condition,
  'type' | 'status' | 'reason' | 'message' | 'observedGeneration' | 'lastProbeTime'
>;

/** The condition of a type. */
export function conditionOf(conditions: readonly Condition[] | undefined, type: string): Condition | undefined {
  return conditions?.find((condition) => condition.type === type);
}

/** True if the condition of this type is True. */
export function isTrue(conditions: readonly Condition[] | undefined, type: string): boolean {
  return conditionOf(conditions, type)?.status === 'True';
}

/** The conditions with one set; the transition time changes only with the status, and the place in the list never. */
export function withCondition(
  conditions: readonly Condition[],
  wanted: NewCondition,
  now: number,
): readonly Condition[] {
  const known = conditionOf(conditions, wanted.type);
  if (known !== undefined && saysTheSame(known, wanted)) return conditions;
  const lastTransitionTime =
    known?.status === wanted.status ? (known.lastTransitionTime ?? timestamp(now)) : timestamp(now);
  const set: Condition = { ...wanted, lastTransitionTime };
  if (known === undefined) return [...conditions, set];
  return conditions.map((condition) => (condition === known ? set : condition));
}

function saysTheSame(known: Condition, wanted: NewCondition): boolean {
  return (
    known.status === wanted.status &&
    known.reason === wanted.reason &&
    known.message === wanted.message &&
    known.observedGeneration === wanted.observedGeneration
  );
}
