// The Deployment actor.
import type { Actor } from '../base/actor.ts';
import type { Cluster } from '../base/cluster.ts';
import { controllerOf } from '../base/cluster.ts';
import { keyOf } from '../base/kind.ts';
import type { Pod } from '../base/model.ts';
import { adopterKeys, controllerKey } from '../base/owners.ts';
import { decideDeployment } from './decide.ts';
import { isRecreate } from './rolling.ts';

/** Rolls Deployments out through ReplicaSets. */
export const deploymentActor: Actor = {
  name: 'deployment',
  userAgent: 'kube-controller-manager/pawl (deployment-controller)',
  watches: {
    'deployments.apps': ({ metadata }) => [keyOf(metadata)],
    'replicasets.apps': (set, cluster) => [
      ...controllerKey(set, 'Deployment'),
      ...adopterKeys(set, 'deployments.apps', cluster),
    ],
    pods: recreatingOwner,
  },
  decide: decideDeployment,
};

/** Single pods matter only to a Deployment that waits for its old ones to go. */
function recreatingOwner(pod: Pod, cluster: Cluster): readonly string[] {
  const owner = controllerOf(pod);
  if (owner?.kind !== 'ReplicaSet') return [];
  const set = cluster.get('replicasets.apps', pod.metadata.namespace, owner.name);
  const keys = set === undefined ? [] : controllerKey(set, 'Deployment');
  return keys.filter((key) => {
    const slash = key.indexOf('/');
    const deployment = cluster.get('deployments.apps', key.slice(0, slash), key.slice(slash + 1));
    return deployment !== undefined && isRecreate(deployment);
  });
}
