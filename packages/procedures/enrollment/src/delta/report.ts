// What a cycle leaves, as counts and rows of the status, and what it means as a whole. Pure.
import type { Counts, EntryStatus } from '../api.ts';
import type { Attended } from '../actions/attend.ts';
import type { Options } from '../options/options.ts';
import { CONFIRM_REMOVALS } from '../sinks/marks.ts';
import type { Delta, Surplus } from './delta.ts';
import type { Hold, Removals } from './guard.ts';

export interface ReportInput {
  readonly options: Options;
  readonly home: { readonly name: string; readonly namespace: string };
  readonly delta: Delta;
  readonly removals: Removals;
  readonly provisioned: Attended;
  /** Of the Actions that remove entries. */
  readonly removed: readonly Attended[];
  readonly updated?: Attended;
  /** Still outdated. */
  readonly outdated: number;
  readonly duplicates: readonly Surplus[];
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** Something keeps the sink from holding exactly one entry for each member. */
export interface Open {
  readonly reason: string;
  readonly message: string;
  readonly requeueAfterMs?: number;
}

export interface Report {
  readonly counts: Counts;
  readonly entries: readonly EntryStatus[];
  readonly open: Open | undefined;
  /** Where no event tells of changes. */
  readonly recheckAfterMs: number | undefined;
}

/** Status is not a log: so many rows at most, the worst first. */
export const MOST_ROWS = 50;
const ORDER: readonly EntryStatus['state'][] = [
  'Failed',
  'Removing',
  'Held',
  'Unkeyed',
  'Replacing',
  'Outdated',
  'Duplicate',
];
/** Somebody decided that it shall stay like that. */
const ACCEPTED: ReadonlySet<string> = new Set(['DriftIgnored', 'SameKey', 'Reported']);
const REMOVAL_POLL_MS = 2_000;

export function reportOf(input: ReportInput): Report {
  const { delta, removals, provisioned, updated, removed, outdated, duplicates, options } = input;
  const attended = [provisioned, ...(updated === undefined ? [] : [updated]), ...removed];
  const [gone = 0, pruned = 0] = removed.map(({ done }) => done);
  const rows = [
    ...attended.flatMap((each) => each.rows),
    ...delta.heldAdds.map(({ key }): EntryStatus => ({ key, state: 'Held', reason: 'EnrolledKeyUnknown' })),
    ...delta.heldRemoves.map(({ key, entry }): EntryStatus => ({
      key,
      sinkID: entry.id,
      state: 'Held',
      reason: 'SourceKeyUnknown',
    })),
    ...removals.held.map(({ key, entry }): EntryStatus => ({
      key,
      sinkID: entry.id,
      state: 'Held',
      reason: removals.hold?.reason ?? 'Guarded',
    })),
    ...delta.unkeyedMembers.map(({ id, message }): EntryStatus => ({
      key: id,
      state: 'Unkeyed',
      reason: 'SourceKeyError',
      message,
    })),
    ...delta.unkeyedEntries.map(({ id, message }): EntryStatus => ({
      key: '',
      sinkID: id,
      state: 'Unkeyed',
      reason: 'EnrolledKeyError',
      message,
    })),
    ...delta.sameKey.map(({ key, member }): EntryStatus => ({
      key,
      state: 'Duplicate',
      reason: 'SameKey',
      message: `member ${member.id}`,
    })),
    ...(options.duplicates === 'Report' ? duplicates : []).map(({ key, entry }): EntryStatus => ({
      key,
      sinkID: entry.id,
      state: 'Duplicate',
      reason: 'Reported',
    })),
  ];
  const sorted = rows.toSorted((a, b) => ORDER.indexOf(a.state) - ORDER.indexOf(b.state));
  const { source, sink, syncIntervalMs } = options;
  const isPolled = source.plugin !== undefined || sink.plugin !== undefined;
  const recheckAfterMs = isPolled ? syncIntervalMs : undefined;
  return {
    counts: {
      source: delta.source,
      enrolled: delta.enrolled + provisioned.done - gone - pruned,
      adding: delta.add.length + delta.heldAdds.length - provisioned.done,
      removing: Math.max(0, delta.remove.length + delta.heldRemoves.length - gone),
      outdated,
      failed: rows.filter(({ state, attempts }) => state === 'Failed' || attempts !== undefined).length,
      unmanaged: delta.foreign.length,
      duplicates: duplicates.length - pruned,
    },
    entries: sorted.slice(0, MOST_ROWS),
    open: openOf(sorted, input, attended, recheckAfterMs),
    recheckAfterMs,
  };
}

function openOf(
  rows: readonly EntryStatus[],
  { removals: { hold }, home, now }: ReportInput,
  attended: readonly Attended[],
  pollMs: number | undefined,
): Open | undefined {
  const open = rows.filter(({ reason }) => !ACCEPTED.has(reason));
  const postponed = attended.reduce((total, each) => total + each.postponed, 0);
  const retries = rows.flatMap(({ nextRetry }) =>
    nextRetry === undefined ? [] : [Math.max(0, Date.parse(nextRetry) - now)],
  );
  const isMoving = open.some(
    ({ state, attempts }) => (state === 'Removing' && attempts === undefined) || state === 'Replacing',
  );
  const waits = [
    ...retries,
    ...(pollMs === undefined ? [] : [pollMs]),
    ...(isMoving ? [REMOVAL_POLL_MS] : []),
    ...(postponed > 0 ? [REMOVAL_POLL_MS] : []),
  ];
  const wait = waits.length === 0 ? {} : { requeueAfterMs: Math.min(...waits) };
  if (hold !== undefined) return { reason: 'RemovalGuarded', message: holdText(hold, home), ...wait };
  const [first] = open;
  if (first === undefined) return undefined;
  const { key, sinkID, message, reason } = first;
  const example = `${key === '' ? (sinkID ?? '') : key}: ${message ?? reason}`;
  return {
    reason: REASONS[first.state],
    message: `${open.length} ${open.length === 1 ? 'is' : 'are'} not as they should be; ${example}`,
    ...wait,
  };
}

const REASONS: Readonly<Record<EntryStatus['state'], string>> = {
  Failed: 'EntriesFailed',
  Removing: 'EntriesRemoving',
  Held: 'KeysUnknown',
  Unkeyed: 'KeysUnknown',
  Replacing: 'EntriesReplacing',
  Outdated: 'EntriesOutdated',
  Duplicate: 'EntriesDuplicate',
};

/** Ends with the command to run. */
function holdText({ reason, count, of, limit, confirm }: Hold, { name, namespace }: ReportInput['home']): string {
  const why =
    reason === 'SourceEmpty'
      ? `the source is empty and policy.allowEmptySource is not set: ${count} of ${of} entries are kept`
      : `${count} of ${of} entries would be removed at once, allowed are ${limit}: they are kept`;
  return `${why}. To remove them: kubectl annotate enrollments/${name} -n ${namespace} --overwrite ${CONFIRM_REMOVALS}=${confirm}`;
}
