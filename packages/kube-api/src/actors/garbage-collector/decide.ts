// Garbage collection of one object: what its owners, or its own deletion, ask for.
import type { JsonObject, OwnerReference } from '../../json.ts';
import type { Cluster } from '../base/cluster.ts';
import type { Live } from '../base/model.ts';
import { ownersPatch, release } from '../base/owners.ts';
import type { Decision, Propagation, Step } from '../base/step.ts';
import { NOTHING } from '../base/step.ts';
import { FOREGROUND, isForegroundDeleted, judge } from './owners.ts';

const ORPHAN = 'orphan';

/** What the object of this uid needs. */
export function decideGarbage(uid: string, cluster: Cluster): Decision {
  const object = cluster.byUid(uid);
  if (object === undefined) return NOTHING;
  const { deletionTimestamp, finalizers = [], ownerReferences = [] } = object.metadata;
  if (deletionTimestamp !== undefined) {
    if (finalizers.includes(ORPHAN)) return { steps: orphan(object, cluster) };
    if (finalizers.includes(FOREGROUND)) return { steps: foreground(object, cluster) };
    return NOTHING;
  }
  return ownerReferences.length === 0 ? NOTHING : { steps: collect(object, ownerReferences, cluster) };
}

/** Frees all dependents, then lets the object go. */
function orphan(object: Live, cluster: Cluster): readonly Step[] {
  const freed = cluster.dependentsOf(object.metadata.uid).map((dependent) => release(dependent, object.metadata.uid));
  return freed.length > 0 ? freed : [withoutFinalizer(object, ORPHAN)];
}

/** Lets the object go once no dependent blocks it any more. The dependents are collected under keys of their own. */
function foreground(object: Live, cluster: Cluster): readonly Step[] {
  const blocked = cluster.dependentsOf(object.metadata.uid).some((dependent) => blocks(dependent, object.metadata.uid));
  return blocked ? [] : [withoutFinalizer(object, FOREGROUND)];
}

function blocks(dependent: Live, uid: string): boolean {
  return (
    dependent.metadata.ownerReferences?.some((owner) => owner.uid === uid && owner.blockOwnerDeletion === true) ?? false
  );
}

/**
 * An object stays while one of its owners stays; then it only loses the references to those that do not. Without such
 * an owner it goes: in the foreground if an owner waits for it and it has dependents itself, in the background if not.
 */
function collect(object: Live, references: readonly OwnerReference[], cluster: Cluster): readonly Step[] {
  const verdicts = references.map((reference) => ({ reference, verdict: judge(object, reference, cluster) }));
  const questions = verdicts.map(({ verdict }) => verdict.question).filter((question) => question !== undefined);
  const staying = verdicts.filter(({ verdict }) => verdict.state === 'present' || verdict.state === 'unknown');
  const waiting = verdicts.filter(({ verdict }) => verdict.state === 'waiting');
  if (staying.length === references.length) return [];
  if (staying.length > 0)
    return [
      ...questions,
      ownersPatch(
        object,
        staying.map(({ reference }) => reference),
      ),
    ];
  const dependents = cluster.dependentsOf(object.metadata.uid);
  if (waiting.length > 0 && dependents.length > 0) {
    const circular = dependents.some(isForegroundDeleted);
    const unblock = circular
      ? [
          ownersPatch(
            object,
            references.map((owner) => ({ ...owner, blockOwnerDeletion: false })),
          ),
        ]
      : [];
    return [...questions, ...unblock, { step: 'delete', target: object, propagation: 'Foreground' }];
  }
  return [...questions, { step: 'delete', target: object, unchanged: true, propagation: policyOf(object) }];
}

/** What the object itself asks for in its finalizers. */
function policyOf({ metadata }: Live): Propagation {
  if (metadata.finalizers?.includes(ORPHAN) === true) return 'Orphan';
  return metadata.finalizers?.includes(FOREGROUND) === true ? 'Foreground' : 'Background';
}

function withoutFinalizer(target: Live, finalizer: string): Step {
  const { finalizers = [], uid, resourceVersion } = target.metadata;
  const patch: JsonObject = {
    metadata: { uid, resourceVersion, finalizers: finalizers.filter((entry) => entry !== finalizer) },
  };
  return { step: 'patch', target, patch };
}
