// Claims of a StatefulSet: creating them before their pod, and who owns them by the retention policy.
import { equalJson } from '../../json.ts';
import type { OwnerReference } from '../../json.ts';
import type { Cluster } from '../base/cluster.ts';
import type { Claim, Pod, StatefulSet } from '../base/model.ts';
import { controlledBy, ownersPatch } from '../base/owners.ts';
import type { Step } from '../base/step.ts';
import { claimName, claimsOf, startOf } from './identity.ts';

/** Steps that create the claims of one ordinal that are missing. */
export function missingClaims(set: StatefulSet, ordinal: number, cluster: Cluster): readonly Step[] {
  return claimsOf(set, ordinal)
    .filter(
      ({ metadata }) => cluster.get('persistentvolumeclaims', metadata.namespace, metadata.name ?? '') === undefined,
    )
    .map((object) => ({ step: 'create', object }));
}

/** True while a claim of an earlier pod of this ordinal is on its way out: a new pod has to wait for a new claim. */
export function hasEndingClaim(set: StatefulSet, ordinal: number, cluster: Cluster): boolean {
  return claimsFor(set, ordinal, cluster).some(({ metadata }) => metadata.deletionTimestamp !== undefined);
}

/**
 * Steps that give the claims of one ordinal the owners that the retention policy asks for. Owned claims go with their
 * owner, by garbage collection: with the set under `whenDeleted: Delete`, and with the pod under `whenScaled: Delete`
 * once the pod is one that a smaller scale does away with.
 */
export function claimOwners(
  set: StatefulSet,
  ordinal: number,
  pod: Pod | undefined,
  cluster: Cluster,
): readonly Step[] {
  const { whenDeleted = 'Retain', whenScaled = 'Retain' } = set.spec.persistentVolumeClaimRetentionPolicy ?? {};
  if (!cluster.serves('persistentvolumeclaims') || set.metadata.deletionTimestamp !== undefined) return [];
  const condemned = ordinal < startOf(set) || ordinal >= startOf(set) + (set.spec.replicas ?? 1);
  const wanted: OwnerReference[] = [];
  if (condemned && whenScaled === 'Delete') {
    if (pod !== undefined) wanted.push(controlledBy(pod));
  } else if (whenDeleted === 'Delete') {
    wanted.push(controlledBy(set));
  }
  return claimsFor(set, ordinal, cluster).flatMap((claim) => {
    const known = claim.metadata.ownerReferences ?? [];
    const others = known.filter((owner) => !isOurs(set, owner));
    const owners = [...others, ...wanted];
    return claim.metadata.deletionTimestamp !== undefined || equalJson(owners, known)
      ? []
      : [ownersPatch(claim, owners)];
  });
}

function claimsFor(set: StatefulSet, ordinal: number, cluster: Cluster): readonly Claim[] {
  return (set.spec.volumeClaimTemplates ?? [])
    .map((template) => claimName(set, template.metadata?.name ?? '', ordinal))
    .map((name) => cluster.get('persistentvolumeclaims', set.metadata.namespace, name))
    .filter((claim) => claim !== undefined);
}

function isOurs(set: StatefulSet, owner: OwnerReference): boolean {
  if (owner.kind === 'StatefulSet') return owner.uid === set.metadata.uid;
  return owner.kind === 'Pod' && owner.name.startsWith(`${set.metadata.name}-`);
}
