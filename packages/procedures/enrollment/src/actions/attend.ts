// Works on many entries at once, so many at a time; what fails for one is that one's failure, and is tried again later.
import type { EntryStatus } from '../api.ts';
import { delayMs, type Attempts } from '../delta/back-off.ts';

export interface Job {
  readonly key: string;
  readonly sinkID?: string | undefined;
  /** Answers a row if the entry is not as it should be although nothing failed. */
  readonly run: () => Promise<EntryStatus | undefined>;
}

export interface AttendParts {
  readonly jobs: readonly Job[];
  readonly concurrency: number;
  readonly attempts: Attempts;
  readonly now: number;
  /** State of a row whose job failed. */
  readonly failedState: EntryStatus['state'];
}

/** What came of it. */
export interface Attended {
  readonly done: number;
  /** Entries that are not as they should be. */
  readonly rows: readonly EntryStatus[];
  /** Not tried, for everything before them failed. */
  readonly postponed: number;
}

/** So many failures in a row, without a success before them, and the rest is left for the next cycle. */
const LEAST_FAILURES = 5;

/** Thrown through an Action they mean the cycle, not the entry: it is planned, ended, or has something to record first. */
const OF_THE_CYCLE: ReadonlySet<string> = new Set(['KnownAfter', 'RetryError', 'AccessError', 'CycleAbandoned']);

/**
 * Runs every job whose time has come.
 * @throws what means the whole cycle, when all that was begun has ended
 */
export async function attend({ jobs, concurrency, attempts, now, failedState }: AttendParts): Promise<Attended> {
  const rows = new Map<number, EntryStatus>();
  const waiting = jobs.entries();
  const most = Math.max(LEAST_FAILURES, concurrency);
  let [done, failed, postponed] = [0, 0, 0];
  let ofTheCycle: Error | undefined;
  const attempt = async (index: number, { key, sinkID, run }: Job): Promise<void> => {
    const last = attempts.row(key, sinkID);
    if (last !== undefined && attempts.waitsUntil(key, sinkID) !== undefined) {
      rows.set(index, last);
      return;
    }
    if (isStopped()) {
      postponed += 1;
      return;
    }
    try {
      const row = await run();
      if (row === undefined) done += 1;
      else rows.set(index, row);
    } catch (error) {
      if (error instanceof Error && OF_THE_CYCLE.has(error.name)) {
        ofTheCycle ??= error;
        return;
      }
      failed += 1;
      rows.set(index, failureOf({ key, sinkID, error, now, failedState, before: attempts.count(key, sinkID) }));
    }
  };
  const isStopped = (): boolean =>
    (done === 0 && failed >= most) || (ofTheCycle !== undefined && ofTheCycle.name !== 'KnownAfter');
  const worker = async (): Promise<void> => {
    for (const [index, job] of waiting) await attempt(index, job);
  };
  await Promise.all(Array.from({ length: Math.min(concurrency, jobs.length) }, worker));
  if (ofTheCycle !== undefined) throw ofTheCycle;
  return { done, postponed, rows: [...rows].sort(([a], [b]) => a - b).map(([, row]) => row) };
}

interface FailureParts {
  readonly key: string;
  readonly sinkID: string | undefined;
  readonly error: unknown;
  readonly now: number;
  readonly failedState: EntryStatus['state'];
  readonly before: number;
}

function failureOf({ key, sinkID, error, now, failedState, before }: FailureParts): EntryStatus {
  const attempts = before + 1;
  return {
    key,
    ...(sinkID === undefined ? {} : { sinkID }),
    state: failedState,
    reason: reasonOf(error),
    message: error instanceof Error ? error.message : String(error),
    attempts,
    nextRetry: new Date(now + delayMs(attempts)).toISOString(),
  };
}

/** The server's own reason, or what kind of error it is. */
function reasonOf(error: unknown): string {
  const { name, reason } = error as { readonly name?: unknown; readonly reason?: unknown };
  if (typeof reason === 'string' && /^[A-Z]\w*$/.test(reason)) return reason;
  return name === 'RenderError' ? name : 'Refused';
}

/** In one line, for the row of an Action; nothing if all went well. */
export function toldOf({ done, rows, postponed }: Attended): string {
  if (rows.length === 0 && postponed === 0) return '';
  const [first] = rows;
  const example = first === undefined ? '' : `; ${first.key}: ${first.message ?? first.reason}`;
  return `${done} done, ${rows.length} not${postponed === 0 ? '' : `, ${postponed} not tried`}${example}`;
}
