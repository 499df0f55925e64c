// From an object before and after a write to the change of version that the write ended, if any. Pure.
import { isOpenRollback, type HistoryEntry, type VersionRecord } from '@pawl/reconciler';
import { parseStatus, type KubernetesObject } from '@pawl/reconciler/kubernetes';
import { objectState, partsOf } from '../controller/custom-object.ts';
import type { EndedHop } from './metrics.ts';

const RESULTS: Readonly<Record<HistoryEntry['result'], EndedHop['result']>> = {
  Completed: 'completed',
  Superseded: 'superseded',
  RolledBack: 'rolled_back',
  Abandoned: 'abandoned',
};

/** The hop that came to an end between the two states; undefined if none did. */
export function endedHop(before: KubernetesObject, after: KubernetesObject): EndedHop | undefined {
  const last = parseStatus(partsOf(after).status).history.at(-1);
  const known = parseStatus(partsOf(before).status).history;
  const { record } = objectState(before);
  if (last === undefined || record === undefined || known.some((entry) => isSameEntry(entry, last))) return undefined;
  const { version, from, result, startedAt, finishedAt } = last;
  const durationMs = Date.parse(finishedAt) - Date.parse(startedAt ?? '');
  return {
    kind: after.kind,
    from,
    to: version,
    mode: modeOf(record),
    result: RESULTS[result],
    ...(Number.isNaN(durationMs) ? {} : { durationMs: Math.max(0, durationMs) }),
  };
}

function modeOf(record: VersionRecord): EndedHop['mode'] {
  if (isOpenRollback(record)) return 'rollback';
  return record.applied.length === 1 ? 'install' : 'upgrade';
}

const isSameEntry = (a: HistoryEntry, b: HistoryEntry): boolean => a.version === b.version && a.finishedAt === b.finishedAt;
