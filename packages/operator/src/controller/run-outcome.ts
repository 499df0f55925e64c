// What a cycle of Actions means for the object: is it clean, has it failed, when to look again. Pure.
import { type ActionOutcome, type Change, type CycleResult } from '@pawl/reconciler';
import { after, NOW, WHEN_CHANGED, type Next } from './next.ts';

/** A cycle and what its Actions asked for beside their results. */
export interface RunOutcome {
  readonly outcomes: ReadonlyMap<string, ActionOutcome>;
  readonly changes: readonly Change[];
  /** Every Action is True and nothing was written. */
  readonly clean: boolean;
  /** An Action could not be told: what it would have kept is unknown, so nothing is pruned. */
  readonly failed: boolean;
  readonly requeueAfterMs: number | undefined;
  /** Fields of the own status that Actions set. */
  readonly statusFields: ReadonlyMap<string, unknown>;
  readonly kept: ReadonlySet<string>;
}

/** The outcome of a cycle. */
export function runOutcome(
  result: CycleResult,
  parts: Pick<RunOutcome, 'statusFields' | 'kept'>,
): RunOutcome {
  const { outcomes, changes, reconciled, requeueAfterMs } = result;
  return {
    outcomes,
    changes,
    clean: reconciled,
    failed: [...outcomes.values()].some(({ result: { status } }) => status === 'Unknown'),
    requeueAfterMs,
    ...parts,
  };
}

/**
 * When to look again after a cycle that was not clean. An Action that wrote and is satisfied is looked at again at once;
 * one that waits says how long, or waits for an event; a failure backs off; a terminal one waits for a change.
 */
export function nextAfter({ outcomes, changes, requeueAfterMs }: RunOutcome): Next {
  const results = [...outcomes.values()].map(({ result }) => result);
  const failures = results.flatMap((result) =>
    result.status === 'Unknown' && !WAITING.has(result.reason) ? [`${result.reason}: ${result.message}`] : [],
  );
  const [first] = failures;
  if (requeueAfterMs !== undefined) return after(requeueAfterMs);
  if (first !== undefined) return { again: 'backoff', why: first };
  const isSatisfied = results.every(({ status }) => status === 'True');
  return isSatisfied && changes.length > 0 ? NOW : WHEN_CHANGED;
}

/** Unknown for a reason that only something else can end. */
const WAITING: ReadonlySet<string> = new Set(['PrerequisiteNotMet', 'Terminal', 'Retrying', 'ObservedOnly']);
