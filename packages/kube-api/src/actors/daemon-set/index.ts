// The DaemonSet actor.
import type { Actor } from '../base/actor.ts';
import { keyOf } from '../base/kind.ts';
import { adopterKeys, controllerKey } from '../base/owners.ts';
import { decideDaemonSet } from './decide.ts';

/** Keeps one pod of each DaemonSet on every node that fits. */
export const daemonSetActor: Actor = {
  name: 'daemonSet',
  userAgent: 'kube-controller-manager/pawl (daemonset-controller)',
  watches: {
    'daemonsets.apps': ({ metadata }) => [keyOf(metadata)],
    'controllerrevisions.apps': (revision, cluster) => [
      ...controllerKey(revision, 'DaemonSet'),
      ...adopterKeys(revision, 'daemonsets.apps', cluster),
    ],
    pods: (pod, cluster) => [...controllerKey(pod, 'DaemonSet'), ...adopterKeys(pod, 'daemonsets.apps', cluster)],
    nodes: (_, cluster) => cluster.list('daemonsets.apps').map(({ metadata }) => keyOf(metadata)),
  },
  decide: decideDaemonSet,
};
