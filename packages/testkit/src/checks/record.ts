// Checks of the version record over the whole history: every record is consistent, and versions only rise unless a
// rollback is open.
import { compareVersions, isEqualJson, isOpenRollback, isPlainRecord, isVersion, recordInvariantFaults, type VersionRecord } from '@pawl/reconciler';
import { ANNOTATIONS, type KubernetesObject } from '@pawl/reconciler/kubernetes';
import { recordOf } from '../explore/state.ts';
import type { Check, Violation } from './check.ts';
import { writesOf } from './writes.ts';

/** What must hold for each record and from one to the next does, after every write. */
export const recordStaysConsistent: Check = ({ history }) => {
  const violations: Violation[] = [];
  for (const { event, at, subject } of writesOf(history)) {
    if (event.type !== 'request' || !event.committed || !/\/status(\?|$)/.test(event.path)) continue;
    const [before, after] = [recordOf(event.before), recordOf(event.after)];
    if (before !== undefined && after !== undefined && isEqualJson(before, after)) continue;
    for (const says of recordInvariantFaults(before, after))
      violations.push({ check: 'keeps the record consistent', object: subject, says: `${subject}: ${says}`, at });
  }
  return violations;
};

/** No child is written under an older version than it already carries, unless a rollback is open. */
export const neverGoesBack: Check = ({ history }) => {
  const violations: Violation[] = [];
  const records = new Map<string, VersionRecord>();
  for (const { event, at, subject } of writesOf(history)) {
    if (event.type !== 'request' || !event.committed) continue;
    const record = recordOf(event.after);
    const { uid } = (event.after as KubernetesObject | undefined)?.metadata ?? {};
    if (record !== undefined && uid !== undefined) records.set(uid, record);
    const [was, is] = [stampOf(event.before), stampOf(event.after)];
    if (was === undefined || is === undefined || compareVersions(is, was) >= 0) continue;
    const owner = records.get(ownerUidOf(event.after) ?? '');
    if (owner === undefined || isOpenRollback(owner) || isPlainRecord(owner) || owner.applied.some(({ version }) => version === was)) continue;
    violations.push({
      check: 'never goes back a version',
      object: subject,
      says: `${subject} was written under ${was} and is written under ${is}, although no rollback is open`,
      at,
    });
  }
  return violations;
};

const annotationOf = (value: unknown, name: string): string | undefined =>
  (value as KubernetesObject | undefined)?.metadata?.annotations?.[name];

function stampOf(value: unknown): string | undefined {
  const stamp = annotationOf(value, ANNOTATIONS.version);
  return stamp !== undefined && isVersion(stamp) ? stamp : undefined;
}

const ownerUidOf = (value: unknown): string | undefined => annotationOf(value, ANNOTATIONS.ownerUid);
