// The ReplicaSet actor.
import type { Actor } from '../base/actor.ts';
import { keyOf } from '../base/kind.ts';
import { adopterKeys, controllerKey } from '../base/owners.ts';
import { decideReplicaSet } from './decide.ts';

/** Creates and deletes the pods of ReplicaSets. */
export const replicaSetActor: Actor = {
  name: 'replicaSet',
  userAgent: 'kube-controller-manager/pawl (replicaset-controller)',
  watches: {
    'replicasets.apps': ({ metadata }) => [keyOf(metadata)],
    pods: (pod, cluster) => [...controllerKey(pod, 'ReplicaSet'), ...adopterKeys(pod, 'replicasets.apps', cluster)],
  },
  decide: decideReplicaSet,
};
