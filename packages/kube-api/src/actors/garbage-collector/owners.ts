// Is an owner still there? Judged by uid, within the scope in which the owner may live.
import type { OwnerReference } from '../../json.ts';
import type { Cluster } from '../base/cluster.ts';
import type { Kind } from '../base/kind.ts';
import type { Live } from '../base/model.ts';
import type { Step } from '../base/step.ts';

export const FOREGROUND = 'foregroundDeletion';

/**
 * The state of an owner: `present`; `waiting` for its dependents to go; `absent`; or `unknown`, if its kind is not
 * served here or is one that a cluster-scoped object cannot have as an owner, which protects the dependent.
 * `question` must be answered by the live server first: the owner is not known, but may only be news.
 */
export interface Verdict {
  readonly state: 'present' | 'waiting' | 'absent' | 'unknown';
  readonly question?: Step;
}

/** Judges one owner reference of an object. */
export function judge(object: Live, reference: OwnerReference, cluster: Cluster): Verdict {
  const { uid, name } = reference;
  const kind = cluster.kindOf(reference);
  if (kind !== undefined && isOutOfScope(object, kind)) return { state: 'unknown' };
  if (cluster.isGone(uid)) return { state: 'absent' };
  if (kind === undefined) return { state: 'unknown' };
  const namespace = kind.namespaced ? object.metadata.namespace : undefined;
  const owner = cluster.byUid(uid);
  if (owner === undefined) return { state: 'absent', question: { step: 'expectAbsent', kind, namespace, name, uid } };
  // The object of this uid counts only if it is what the reference says it is.
  const same = owner.metadata.name === name && owner.metadata.namespace === namespace && cluster.kindOf(owner) === kind;
  if (!same) return { state: 'absent' };
  return { state: isForegroundDeleted(owner) ? 'waiting' : 'present' };
}

/** True for an object that is being deleted and waits for its dependents. */
export function isForegroundDeleted({ metadata }: Live): boolean {
  return metadata.deletionTimestamp !== undefined && metadata.finalizers?.includes(FOREGROUND) === true;
}

/** True for an owner of a kind that this object cannot have as an owner: nothing says in which namespace it would be. */
export function isOutOfScope(object: Live, ownerKind: Kind): boolean {
  return object.metadata.namespace === undefined && ownerKind.namespaced;
}
