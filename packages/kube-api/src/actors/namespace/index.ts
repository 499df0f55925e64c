// The namespace actor.
import type { Actor } from '../base/actor.ts';
import type { Cluster } from '../base/cluster.ts';
import type { Live } from '../base/model.ts';
import { decideNamespace } from './decide.ts';

/** Empties namespaces that are being deleted. */
export const namespaceActor: Actor = {
  name: 'namespace',
  userAgent: 'kube-controller-manager/pawl (namespace-controller)',
  watches: { namespaces: ({ metadata }) => [`/${metadata.name}`] },
  watchesEvery: endingNamespaceOf,
  decide: decideNamespace,
};

function endingNamespaceOf({ metadata }: Live, cluster: Cluster): readonly string[] {
  const { namespace } = metadata;
  if (namespace === undefined) return [];
  const ending = cluster.get('namespaces', undefined, namespace)?.metadata.deletionTimestamp !== undefined;
  return ending ? [`/${namespace}`] : [];
}
