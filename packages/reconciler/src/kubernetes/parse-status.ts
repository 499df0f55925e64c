// Reads the framework's part of a status that was written before. Never throws; what cannot be read counts as absent.
import { oncePerFrozen } from '../frozen.ts';
import type { HistoryEntry } from '../versions/bookkeeping.ts';
import type { ActionStatus, Condition } from './condition.ts';

type Json = Readonly<Record<string, unknown>>;

/** What a new status is built upon. */
export interface PreviousStatus {
  readonly verifiedGeneration: number | undefined;
  /** The version that was reached last. */
  readonly version: string | undefined;
  readonly history: readonly HistoryEntry[];
  readonly actions: readonly ActionStatus[];
  readonly conditions: readonly Condition[];
  /** Fields that are not the framework's. */
  readonly own: Json;
}

/** The parts of `status`, whatever it is. */
export function parseStatus(value: unknown): PreviousStatus {
  return partsOf(isObject(value) ? value : NO_STATUS);
}

const partsOf = oncePerFrozen((status: Json): PreviousStatus => {
  const { observedGeneration: _observed, verifiedGeneration, procedure, actions, conditions, ...own } = status;
  const { version, history } = isObject(procedure) ? procedure : {};
  return {
    verifiedGeneration: typeof verifiedGeneration === 'number' ? verifiedGeneration : undefined,
    version: typeof version === 'string' ? version : undefined,
    history: rowsOf(history, 'version', 'result', 'finishedAt') as readonly HistoryEntry[],
    actions: rowsOf(actions, 'name', 'status', 'reason', 'message', 'lastTransitionTime') as readonly ActionStatus[],
    conditions: rowsOf(conditions, 'type', 'status', 'reason', 'message', 'lastTransitionTime') as readonly Condition[],
    own,
  };
});

const NO_STATUS: Json = Object.freeze({});
const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The rows that have all these texts. */
function rowsOf(value: unknown, ...fields: readonly string[]): readonly unknown[] {
  if (!Array.isArray(value)) return [];
  return value.filter((row: unknown) => isObject(row) && fields.every((field) => typeof row[field] === 'string'));
}
