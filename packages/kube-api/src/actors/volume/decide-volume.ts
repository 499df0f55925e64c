// PersistentVolume: bound while its claim lives, then deleted or released as its reclaim policy says.
import type { Cluster } from '../base/cluster.ts';
import { mergeDiff } from '../base/merge.ts';
import type { Decision } from '../base/step.ts';
import { NOTHING } from '../base/step.ts';
import { splitKey } from '../base/kind.ts';

/** What the volume of this key needs. */
export function decideVolume(key: string, cluster: Cluster): Decision {
  const volume = cluster.get('persistentvolumes', undefined, splitKey(key).name);
  if (volume === undefined || volume.metadata.deletionTimestamp !== undefined) return NOTHING;
  const { claimRef, persistentVolumeReclaimPolicy } = volume.spec ?? {};
  const claim =
    claimRef === undefined ? undefined : cluster.get('persistentvolumeclaims', claimRef.namespace, claimRef.name ?? '');
  const claimed = claim !== undefined && (claimRef?.uid === undefined || claimRef.uid === claim.metadata.uid);
  const orphaned = claimRef?.uid !== undefined && !claimed;
  if (orphaned && persistentVolumeReclaimPolicy === 'Delete') return { steps: [{ step: 'delete', target: volume }] };
  const phase = claimed ? 'Bound' : orphaned ? 'Released' : 'Available';
  const patch = mergeDiff(volume.status, { ...volume.status, phase });
  return {
    steps: [],
    report:
      patch === undefined ? [] : [{ step: 'patch', target: volume, patch: { status: patch }, subresource: 'status' }],
  };
}
