// Which owned objects nothing wants any more. Pure: what may be deleted is decided here, deleting is done elsewhere.
import type { ActionOutcome } from '../cycle.ts';
import type { Procedure } from '../procedure.ts';
import { shortHash } from '../versions/digest.ts';
import { isNewer, isSame, isVersion } from '../versions/version.ts';
import { deletionWave, isProtectedKind } from './kinds.ts';
import type { KubernetesObject } from './model.ts';
import { ANNOTATIONS, groupOf, LABELS, ownerHashOf } from './names.ts';
import type { ResourceInfo } from './resource.ts';

/** Why an owned object stays. */
export type KeepReason =
  /** Applied or kept in this cycle. */
  | 'Wanted'
  /** Something in the cycle was not True: what it would have kept is unknown. */
  | 'CycleNotVerified'
  /** Another label, another uid, or a controller of its own. */
  | 'ForeignOwner'
  /** Written by a version that is newer than the one acting, and not in the record. */
  | 'NewerStamp'
  /** No version, or no Action, stands on it. */
  | 'UnknownOrigin'
  /** Its Action did not run, or found nothing to do: skipping never means deleting. */
  | 'ActionSkipped'
  /** Its Action deletes by itself. */
  | 'Explicit'
  | 'ProtectedKind'
  | 'KeepRequested'
  /** Deleted already; it is waited for. */
  | 'Deleting';

export interface PruneInput {
  /** The object whose leftovers are looked for. */
  readonly owner: KubernetesObject;
  /** What live lists of the scope found by the owner label; metadata is enough. */
  readonly owned: readonly KubernetesObject[];
  /** Uids of what this cycle applied or kept. */
  readonly kept: ReadonlySet<string>;
  readonly outcomes: ReadonlyMap<string, ActionOutcome>;
  readonly procedure: Pick<Procedure<never>, 'actions' | 'onDemand' | 'version'>;
  /** Versions in the record: what one of them left may go, even if it is newer, as after a rollback. */
  readonly applied: readonly string[];
  /** The set of deletions that a person released, see {@link PrunePlan.blocked}. */
  readonly approved?: string | undefined;
}

export interface PrunePlan {
  /** What may be deleted, first wave first; empty while `blocked`. */
  readonly prune: readonly KubernetesObject[];
  readonly keep: readonly { readonly object: KubernetesObject; readonly reason: KeepReason }[];
  /** So much would go that a person has to release it: by a request that names this hash. */
  readonly blocked?: { readonly hash: string; readonly count: number; readonly of: number };
}

const MOST = 10;
const MOST_SHARE = 0.3;

/**
 * Judges every owned object of a verified cycle.
 *
 * An object is deleted only if it is certainly ours, was left by a version that may have acted here, and its Action is
 * gone from the procedure or ran to True without wanting it. More than 10 objects and more than 30 % of all that is
 * owned need a person's word.
 */
export function pruneCandidates(input: PruneInput): PrunePlan {
  const judge = judgeOf(input);
  const judged = input.owned.map((object) => ({ object, reason: judge(object) }));
  const surplus = judged
    .filter(({ reason }) => reason === undefined)
    .map(({ object }) => object)
    .sort((a, b) => deletionWave(a) - deletionWave(b));
  const keep = judged.flatMap(({ object, reason }) => (reason === undefined ? [] : [{ object, reason }]));
  const hash = shortHash(
    surplus
      .map(({ metadata }) => metadata.uid)
      .sort()
      .join('\n'),
    12,
  );
  const isTooMuch = surplus.length > Math.max(MOST, input.owned.length * MOST_SHARE);
  if (!isTooMuch || input.approved === hash) return { prune: surplus, keep };
  return { prune: [], keep, blocked: { hash, count: surplus.length, of: input.owned.length } };
}

function judgeOf(input: PruneInput): (object: KubernetesObject) => KeepReason | undefined {
  const { owner, kept, outcomes, procedure } = input;
  const label = ownerHashOf(owner);
  const isVerified = [...procedure.actions.values()].every(({ name, stage }) => {
    const status = outcomes.get(name)?.result.status;
    return status === 'True' || procedure.onDemand.has(name) || (status === undefined && stage === 'finalize');
  });
  return (object) => {
    const { metadata } = object;
    const annotations = metadata.annotations ?? {};
    if (!isOurs(object, owner.metadata.uid, label)) return 'ForeignOwner';
    if (kept.has(metadata.uid)) return 'Wanted';
    if (metadata.deletionTimestamp !== undefined) return 'Deleting';
    if (annotations[ANNOTATIONS.keep] === 'true') return 'KeepRequested';
    if (isProtectedKind(object)) return 'ProtectedKind';
    const byStamp = stampReason(annotations[ANNOTATIONS.version], input);
    return byStamp ?? (isVerified ? actionReason(object, input) : 'CycleNotVerified');
  };
}

function isOurs({ metadata }: KubernetesObject, ownerUid: string, label: string): boolean {
  const controller = metadata.ownerReferences?.find((reference) => reference.controller === true);
  return (
    metadata.labels?.[LABELS.owner] === label &&
    metadata.annotations?.[ANNOTATIONS.ownerUid] === ownerUid &&
    (controller === undefined || controller.uid === ownerUid)
  );
}

function stampReason(stamp: string | undefined, { applied, procedure }: PruneInput): KeepReason | undefined {
  if (stamp === undefined || !isVersion(stamp)) return 'UnknownOrigin';
  const isRecorded = applied.some((version) => isSame(version, stamp));
  return isNewer(stamp, procedure.version) && !isRecorded ? 'NewerStamp' : undefined;
}

function actionReason(object: KubernetesObject, { outcomes, procedure }: PruneInput): KeepReason | undefined {
  const name = object.metadata.annotations?.[ANNOTATIONS.action];
  if (name === undefined) return 'UnknownOrigin';
  const action = procedure.actions.get(name);
  if (action === undefined) return undefined;
  const result = outcomes.get(name)?.result;
  if (result?.status !== 'True' || result.reason === 'NotApplicable') return 'ActionSkipped';
  const isExplicit = action.grants.some(
    ({ verb, target }) => verb === 'owns' && isExplicitFor(target as Partial<OwnedTarget>, object),
  );
  return isExplicit ? 'Explicit' : undefined;
}

type OwnedTarget = ResourceInfo<KubernetesObject> & { readonly explicit: boolean; readonly open: string };

/** A kind that objects name could be any kind. */
function isExplicitFor({ explicit, open, apiVersion, kind }: Partial<OwnedTarget>, object: KubernetesObject): boolean {
  if (explicit !== true) return false;
  return open !== undefined || (kind === object.kind && groupOf(apiVersion ?? '') === groupOf(object.apiVersion));
}
