// Objects that the older version had and the newer one has not: the upgrade takes them away, or they stay for ever.
import { ANNOTATIONS, isProtectedKind, type KubernetesObject } from '@pawl/reconciler/kubernetes';
import { isOwned } from '../explore/state.ts';
import { isLease } from './leases.ts';
import type { Look, Pair, Remark } from './pair.ts';

export const droppedObjects: Look = (pair) =>
  [...pair.older.state]
    // Of a Lease that is gone there is more to say than that it is deleted.
    .filter(([key, object]) => isOwned(object) && !pair.newer.state.has(key) && !isLease(object))
    .map(([key, object]) => remarkOn(pair, key, object));

function remarkOn({ newer, upgraded, isUpgraded }: Pair, object: string, was: KubernetesObject): Remark {
  const fact = `${newer.version} no longer has it`;
  if (!isUpgraded) return { object, severity: 'information', says: `${fact}; the upgrade does not end, so it is not known whether it goes`, action: 'look again when the upgrade ends' };
  if (!upgraded.has(object)) return { object, severity: 'information', says: `${fact}; the upgrade deletes it`, action: 'nothing' };
  if (was.metadata.annotations?.[ANNOTATIONS.keep] === 'true')
    return { object, severity: 'information', says: `${fact}; it stays, for it is marked to be kept`, action: 'tell people that they may delete it' };
  if (isProtectedKind(was))
    return { object, severity: 'information', says: `${fact}; it stays, for a ${was.kind} is never deleted on its own`, action: 'let an Action delete it, or tell people that they may' };
  const by = was.metadata.annotations?.[ANNOTATIONS.action] ?? 'the one that made it';
  return {
    object,
    severity: 'error',
    says: `${fact}, and it is still there after the upgrade`,
    action: `let the Action that owns the kind remove it: ${by} of ${newer.version} declares it as explicit, or was skipped`,
  };
}
