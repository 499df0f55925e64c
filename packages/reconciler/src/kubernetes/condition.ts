// Conditions by the Kubernetes conventions, and the results of Actions in the same shape.
import type { ActionOutcome } from '../cycle.ts';
import type { ItemStatus, Progress } from '../result.ts';

export type ConditionStatus = 'True' | 'False' | 'Unknown';

export interface Condition {
  readonly type: string;
  readonly status: ConditionStatus;
  readonly reason: string;
  readonly message: string;
  /** RFC 3339; stays while `status` does. */
  readonly lastTransitionTime: string;
  readonly observedGeneration?: number;
}

/** One row of `status.actions`. */
export interface ActionStatus {
  readonly name: string;
  readonly status: ConditionStatus;
  readonly reason: string;
  readonly message: string;
  readonly blockedBy?: readonly string[];
  readonly progress?: Progress;
  readonly items?: readonly ItemStatus[];
  readonly lastTransitionTime: string;
}

/** The time of the last change of status: kept as long as the status is the same. */
function transitionTime(
  status: ConditionStatus,
  previous: { readonly status: ConditionStatus; readonly lastTransitionTime: string } | undefined,
  at: string,
): string {
  return previous !== undefined && previous.status === status ? previous.lastTransitionTime : at;
}

/** New conditions over the previous ones. */
export function withTransitions(
  conditions: readonly Omit<Condition, 'lastTransitionTime'>[],
  previous: readonly Condition[],
  at: string,
): readonly Condition[] {
  return conditions.map((condition) => {
    const old = previous.find(({ type }) => type === condition.type);
    return { ...condition, lastTransitionTime: transitionTime(condition.status, old, at) };
  });
}

/** The rows of the Actions that ran, in the order of the procedure. */
export function actionStatuses(
  names: Iterable<string>,
  outcomes: ReadonlyMap<string, ActionOutcome>,
  previous: readonly ActionStatus[],
  at: string,
): readonly ActionStatus[] {
  const rows: ActionStatus[] = [];
  for (const name of names) {
    const result = outcomes.get(name)?.result;
    if (result === undefined) continue;
    const { status, reason, message } = result;
    const old = previous.find((row) => row.name === name);
    const { blockedBy, progress, items } = result.status === 'True' ? {} : result;
    rows.push({
      name,
      status,
      reason,
      message,
      ...(blockedBy === undefined ? {} : { blockedBy }),
      ...(progress === undefined ? {} : { progress }),
      ...(items === undefined ? {} : { items }),
      lastTransitionTime: transitionTime(status, old, at),
    });
  }
  return rows;
}
