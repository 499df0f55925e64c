// The StatefulSet actor.
import type { Actor } from '../base/actor.ts';
import type { Cluster } from '../base/cluster.ts';
import { keyOf } from '../base/kind.ts';
import type { Claim } from '../base/model.ts';
import { adopterKeys, controllerKey } from '../base/owners.ts';
import { decideStatefulSet } from './decide.ts';

/** Creates, updates and deletes the pods of StatefulSets in order. */
export const statefulSetActor: Actor = {
  name: 'statefulSet',
  userAgent: 'kube-controller-manager/pawl (statefulset-controller)',
  watches: {
    'statefulsets.apps': ({ metadata }) => [keyOf(metadata)],
    'controllerrevisions.apps': (revision, cluster) => [
      ...controllerKey(revision, 'StatefulSet'),
      ...adopterKeys(revision, 'statefulsets.apps', cluster),
    ],
    pods: (pod, cluster) => [...controllerKey(pod, 'StatefulSet'), ...adopterKeys(pod, 'statefulsets.apps', cluster)],
    persistentvolumeclaims: setsOfClaim,
  },
  decide: decideStatefulSet,
};

/** Claims are tied to their set by name only. */
function setsOfClaim({ metadata }: Claim, cluster: Cluster): readonly string[] {
  return cluster
    .list('statefulsets.apps', metadata.namespace)
    .filter(({ spec }) => (spec.volumeClaimTemplates?.length ?? 0) > 0)
    .filter((set) => metadata.name.includes(`-${set.metadata.name}-`))
    .map((set) => keyOf(set.metadata));
}
