// What people want to know about a record: who drives it, since when, and what happened before. No rule depends on it.
import type { NormalizedProcedure } from './catalog.ts';
import type { RecordEntry, VersionRecord } from './record.ts';
import { highest, isOlder, isSame } from './version.ts';

/** Who writes the record, and when. */
export interface Writer {
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Release and image, such as `web 1.4.0 (registry.example/web:1.4.0)`. */
  readonly operator: string;
  /** Name of the Lease that the writer holds. */
  readonly lease: string;
}

/** One hop that came to an end. */
export interface HistoryEntry {
  readonly version: string;
  readonly from?: string;
  /** `Abandoned`: a person let another version take over what no author declared. */
  readonly result: 'Completed' | 'Superseded' | 'RolledBack' | 'Abandoned';
  readonly startedAt?: string;
  readonly finishedAt: string;
  readonly digest?: string;
  readonly operator?: string;
  /** Versions that a person let this one act upon. */
  readonly acceptedRisks?: readonly string[];
}

/** How many hops `status.procedure.history` keeps. */
export const HISTORY_LIMIT = 20;

/** RFC 3339 in whole seconds, as Kubernetes writes times. */
export function timeOf(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`;
}

/** Fills in who writes the record and since when its hop and its stage are open. */
export function withBookkeeping(
  record: VersionRecord,
  before: VersionRecord | undefined,
  { now, operator, lease }: Writer,
): VersionRecord {
  const { startedAt: _started, stageStartedAt: _stage, lastProgressAt: _progress, ...rest } = record;
  const { target, version } = record;
  const acting = target ?? version;
  const at = timeOf(now);
  const applied = record.applied.map((entry): RecordEntry =>
    acting !== undefined && isSame(entry.version, acting) ? { ...entry, operator } : entry,
  );
  if (target === undefined) return { ...rest, applied, lease, operator };
  const isSameHop = before?.target !== undefined && isSame(before.target, target);
  const isSameStage = isSameHop && finalizedOf(before, target) === finalizedOf(record, target);
  return {
    ...rest,
    applied,
    lease,
    operator,
    startedAt: (isSameHop ? before.startedAt : undefined) ?? at,
    stageStartedAt: (isSameStage ? before.stageStartedAt : undefined) ?? at,
    lastProgressAt: at,
  };
}

function finalizedOf({ applied }: VersionRecord, version: string): boolean {
  return applied.some((entry) => entry.finalized === true && isSame(entry.version, version));
}

/** The history after a record was written over another: a hop that ended is added, the oldest ones go. */
export function historyAfter(
  history: readonly HistoryEntry[],
  before: VersionRecord | undefined,
  after: VersionRecord,
  writer: Writer,
): readonly HistoryEntry[] {
  const target = before?.target;
  if (before === undefined || target === undefined) return history;
  if (after.target !== undefined && isSame(after.target, target)) return history;
  const ended = endedHop(before, target, after, writer);
  return [...history, ended].slice(-HISTORY_LIMIT);
}

function endedHop(
  before: VersionRecord,
  target: string,
  after: VersionRecord,
  { now, operator }: Writer,
): HistoryEntry {
  const entry = before.applied.find(({ version }) => isSame(version, target));
  const others = before.applied.filter(({ version }) => !isSame(version, target));
  const from =
    others.find(({ state }) => state === 'Complete')?.version ?? highest(others.map(({ version }) => version));
  return {
    version: target,
    ...(from === undefined ? {} : { from }),
    result: resultOf(target, after),
    ...(before.startedAt === undefined ? {} : { startedAt: before.startedAt }),
    finishedAt: timeOf(now),
    ...(entry?.digest === undefined ? {} : { digest: entry.digest }),
    operator,
    ...(entry?.accepted === undefined ? {} : { acceptedRisks: entry.accepted }),
  };
}

function resultOf(target: string, after: VersionRecord): HistoryEntry['result'] {
  const next = after.target;
  if (next === undefined) return 'Completed';
  if (isOlder(next, target)) return 'RolledBack';
  const isAccepted = after.applied.some(({ version, accepted }) => isSame(version, next) && accepted?.includes(target));
  return isAccepted ? 'Abandoned' : 'Superseded';
}

/**
 * Whether the point of no return has to wait.
 *
 * `cleanSince` is when everything became True under this version, in milliseconds; undefined if it is not. An approval
 * that names the version ends any waiting.
 */
export function isSoaking(
  { version, finalize }: Pick<NormalizedProcedure, 'version' | 'finalize'>,
  {
    cleanSince,
    now,
    approve,
  }: { readonly cleanSince?: number | undefined; readonly now: number; readonly approve?: string | undefined },
): boolean {
  if (finalize === 'Auto' || (approve !== undefined && isSame(approve, version))) return false;
  return finalize === 'Manual' || cleanSince === undefined || now - cleanSince < finalize.soakMs;
}
