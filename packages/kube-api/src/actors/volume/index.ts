// The volume actors: one for claims, one for volumes.
import type { Actor } from '../base/actor.ts';
import type { Cluster } from '../base/cluster.ts';
import { keyOf } from '../base/kind.ts';
import type { Claim, Pod } from '../base/model.ts';
import { decideClaim } from './decide-claim.ts';
import { decideVolume } from './decide-volume.ts';

/** Options of the volume actors. */
export interface VolumeOptions {
  /** Claims that never find a volume; default: none. */
  readonly claimStaysUnbound?: (claim: Claim) => boolean;
}

const USER_AGENT = 'kube-controller-manager/pawl (persistentvolume-binder)';

/** Binds claims to volumes made for them, grows them, and releases what is no longer claimed. */
export function volumeActors({ claimStaysUnbound = () => false }: VolumeOptions): readonly Actor[] {
  return [
    {
      name: 'volume',
      userAgent: USER_AGENT,
      watches: {
        persistentvolumeclaims: ({ metadata }) => [keyOf(metadata)],
        persistentvolumes: ({ spec }) =>
          spec?.claimRef === undefined ? [] : [keyOf({ namespace: '', ...spec.claimRef })],
        pods: endingClaimsOf,
      },
      decide: (key, cluster) => decideClaim(key, cluster, claimStaysUnbound),
    },
    {
      name: 'volume',
      userAgent: USER_AGENT,
      watches: {
        persistentvolumes: ({ metadata }) => [keyOf(metadata)],
        persistentvolumeclaims: ({ spec, metadata }) => [`/${spec?.volumeName ?? `pvc-${metadata.uid}`}`],
      },
      decide: decideVolume,
    },
  ];
}

/** A pod that ends may have been the last user of a claim that is being deleted. */
function endingClaimsOf(pod: Pod, cluster: Cluster): readonly string[] {
  const { namespace } = pod.metadata;
  return (pod.spec?.volumes ?? [])
    .map((volume) => volume.persistentVolumeClaim?.claimName)
    .filter((name) => name !== undefined)
    .filter((name) => cluster.get('persistentvolumeclaims', namespace, name)?.metadata.deletionTimestamp !== undefined)
    .map((name) => keyOf(namespace === undefined ? { name } : { namespace, name }));
}
