// The garbage collector.
import type { Actor } from '../base/actor.ts';
import type { Live } from '../base/model.ts';
import type { Cluster } from '../base/cluster.ts';
import { decideGarbage } from './decide.ts';
import { warnings } from './warning.ts';

/** Deletes what has lost its owners, and completes foreground and orphaning deletions, for every served kind. */
export function garbageCollector(): Actor {
  const warned = new Set<string>();
  return {
    name: 'garbageCollector',
    userAgent: 'kube-controller-manager/pawl (generic-garbage-collector)',
    watches: {},
    watchesEvery: touchedBy,
    decide: (uid, cluster, now) => {
      const decision = decideGarbage(uid, cluster);
      const object = cluster.byUid(uid);
      if (object === undefined || warned.has(uid)) return decision;
      const extra = warnings(object, cluster, now);
      if (extra.length === 0) return decision;
      warned.add(uid);
      return { ...decision, steps: [...extra, ...decision.steps] };
    },
  };
}

/**
 * A change touches the object itself, the owners that may wait for it, and its dependents if it is gone or going: as
 * long as it stays they have nothing to fear.
 */
function touchedBy({ metadata }: Live, cluster: Cluster): readonly string[] {
  const { uid, ownerReferences = [], deletionTimestamp } = metadata;
  const waiting = ownerReferences.map((owner) => owner.uid).filter((owner) => isEnding(cluster.byUid(owner)));
  if (deletionTimestamp === undefined && cluster.byUid(uid) !== undefined) {
    return ownerReferences.length === 0 ? [] : [uid, ...waiting];
  }
  return [uid, ...waiting, ...cluster.dependentsOf(uid).map((dependent) => dependent.metadata.uid)];
}

function isEnding(owner: Live | undefined): boolean {
  return owner?.metadata.deletionTimestamp !== undefined;
}
