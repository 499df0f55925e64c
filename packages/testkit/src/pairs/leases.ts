// Leases that change their name: the holder of the old one and the holder of the new one both think that they lead.
import { groupOf, type KubernetesObject } from '@pawl/reconciler/kubernetes';
import { isOwned } from '../explore/state.ts';
import type { Look, Pair } from './pair.ts';

export const isLease = ({ apiVersion, kind }: KubernetesObject): boolean =>
  kind === 'Lease' && groupOf(apiVersion) === 'coordination.k8s.io';

export const renamedLeases: Look = ({ older, newer }) => {
  const added = leasesOnlyIn(newer.state, older.state);
  return leasesOnlyIn(older.state, newer.state).map(([object, lease]) => {
    const [successor] = added.find(([, { metadata }]) => metadata.namespace === lease.metadata.namespace) ?? [];
    if (successor === undefined)
      return { object, severity: 'information', says: `${newer.version} no longer has this Lease`, action: 'make sure that nothing of the older version goes by it any more' };
    return {
      object,
      severity: 'error',
      says: `${newer.version} has ${successor} in its place: whoever holds the old one and whoever holds the new one both lead`,
      action: 'keep the name; a Lease means the same in all versions',
    };
  });
};

function leasesOnlyIn(state: Pair['upgraded'], other: Pair['upgraded']): readonly (readonly [string, KubernetesObject])[] {
  return [...state].filter(([key, object]) => isLease(object) && isOwned(object) && !other.has(key));
}
