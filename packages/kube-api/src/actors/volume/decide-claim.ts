// PersistentVolumeClaim: gets a volume of its own at once, and grows it on demand.
import type { JsonObject, KubeObject } from '../../json.ts';
import type { Cluster } from '../base/cluster.ts';
import { splitKey } from '../base/kind.ts';
import { mergeDiff } from '../base/merge.ts';
import type { Claim, PersistentVolume } from '../base/model.ts';
import { isEnded } from '../base/pods.ts';
import type { Decision, Step } from '../base/step.ts';
import { NOTHING } from '../base/step.ts';
import { sizeOf } from './quantity.ts';

const PROTECTION = 'kubernetes.io/pvc-protection';
const BOUND = 'pv.kubernetes.io/bind-completed';

/** What the claim of this key needs. `staysUnbound` names claims that find no volume. */
export function decideClaim(key: string, cluster: Cluster, staysUnbound: (claim: Claim) => boolean): Decision {
  const { namespace, name } = splitKey(key);
  const claim = cluster.get('persistentvolumeclaims', namespace, name);
  if (claim === undefined) return NOTHING;
  if (claim.metadata.deletionTimestamp !== undefined) return { steps: unprotect(claim, cluster) };
  const volumeName = claim.spec?.volumeName ?? '';
  if (volumeName === '' && staysUnbound(claim)) return report(claim, { phase: 'Pending' });
  if (!cluster.serves('persistentvolumes')) return bound(claim, undefined);
  const volume = cluster.get('persistentvolumes', undefined, volumeName === '' ? newName(claim) : volumeName);
  if (volume === undefined && volumeName !== '') return report(claim, { ...claim.status, phase: 'Lost' });
  if (volume === undefined) return { steps: [{ step: 'create', object: volumeFor(claim) }] };
  if (volumeName === '') return { steps: [bind(claim, volume)] };
  return bound(claim, volume);
}

/** The volume grows first, then the claim says so. Sizes never shrink. */
function bound(claim: Claim, volume: PersistentVolume | undefined): Decision {
  const storage = claim.spec?.resources?.requests?.storage;
  if (volume !== undefined && storage !== undefined && sizeOf(storage) > sizeOf(volume.spec?.capacity?.storage)) {
    return { steps: [{ step: 'patch', target: volume, patch: { spec: { capacity: { storage } } } }] };
  }
  const capacity = volume?.spec?.capacity ?? (storage === undefined ? undefined : { storage });
  const accessModes = claim.spec?.accessModes ?? [];
  return report(claim, {
    ...claim.status,
    phase: 'Bound',
    accessModes,
    ...(capacity === undefined ? {} : { capacity }),
  });
}

/** A claim that is being deleted stays until no pod uses it. */
function unprotect(claim: Claim, cluster: Cluster): readonly Step[] {
  const { finalizers = [], name, namespace, resourceVersion } = claim.metadata;
  const used = cluster
    .list('pods', namespace)
    .some(
      (pod) => !isEnded(pod) && pod.spec?.volumes?.some((volume) => volume.persistentVolumeClaim?.claimName === name),
    );
  if (used || !finalizers.includes(PROTECTION)) return [];
  const left = finalizers.filter((finalizer) => finalizer !== PROTECTION);
  return [{ step: 'patch', target: claim, patch: { metadata: { resourceVersion, finalizers: left } } }];
}

function bind(target: Claim, volume: PersistentVolume): Step {
  return {
    step: 'patch',
    target,
    patch: { metadata: { annotations: { [BOUND]: 'yes' } }, spec: { volumeName: volume.metadata.name } },
  };
}

function newName(claim: Claim): string {
  return `pvc-${claim.metadata.uid}`;
}

function volumeFor(claim: Claim): KubeObject {
  const { name, namespace = '', uid } = claim.metadata;
  const { accessModes = [], resources, storageClassName, volumeMode } = claim.spec ?? {};
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: { name: newName(claim) },
    spec: {
      accessModes,
      capacity: { storage: resources?.requests?.storage ?? '1Gi' },
      claimRef: { apiVersion: 'v1', kind: 'PersistentVolumeClaim', name, namespace, uid },
      hostPath: { path: `/volumes/${newName(claim)}` },
      persistentVolumeReclaimPolicy: 'Delete',
      ...(storageClassName === undefined ? {} : { storageClassName }),
      ...(volumeMode === undefined ? {} : { volumeMode }),
    },
  };
}

function report(target: Claim, status: JsonObject): Decision {
  const patch = mergeDiff(target.status, status);
  return {
    steps: [],
    report: patch === undefined ? [] : [{ step: 'patch', target, patch: { status: patch }, subresource: 'status' }],
  };
}
