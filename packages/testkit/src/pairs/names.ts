// Names that stand in objects of the older version: label keys, finalizers and field managers.
import type { KubernetesObject } from '@pawl/reconciler/kubernetes';
import { isOwned } from '../explore/state.ts';
import type { Look, Remark } from './pair.ts';

/** Of objects that both versions have. What the upgraded object still carries, and the newer version does not know, stays. */
export const changedNames: Look = ({ older, newer, upgraded, isUpgraded }) =>
  [...older.state].flatMap(([object, was]) => {
    const [next, is] = [newer.state.get(object), upgraded.get(object)];
    if (next === undefined || is === undefined || !isUpgraded) return [];
    const lost = (namesOf: (one: KubernetesObject) => readonly string[]): readonly { readonly name: string; readonly stays: boolean }[] =>
      namesOf(was)
        .filter((name) => !namesOf(next).includes(name))
        .map((name) => ({ name, stays: namesOf(is).includes(name) }));
    return [
      ...(isOwned(was) ? lost(labelsOf).map(({ name }) => labelGone(object, name, newer.version)) : []),
      ...lost(finalizersOf).map(({ name, stays }) => finalizerGone(object, name, stays, newer.version)),
      ...lost(managersOf).flatMap(({ name, stays }) => (stays ? [managerStays(object, name, newer.version)] : [])),
    ];
  });

const labelsOf = ({ metadata }: KubernetesObject): readonly string[] => Object.keys(metadata.labels ?? {});
const finalizersOf = ({ metadata }: KubernetesObject): readonly string[] => metadata.finalizers ?? [];
/** Those who said what they want of the object. */
const managersOf = ({ metadata }: KubernetesObject): readonly string[] =>
  ((metadata as { readonly managedFields?: readonly { readonly manager?: string; readonly operation?: string }[] }).managedFields ?? []).flatMap(
    ({ manager, operation }) => (operation === 'Apply' && manager !== undefined ? [manager] : []),
  );

function labelGone(object: string, label: string, version: string): Remark {
  return {
    object,
    path: `.metadata.labels['${label}']`,
    severity: 'information',
    says: `${version} no longer sets this label`,
    action: 'make sure that nothing selects by it, or keep it for one release',
  };
}

function finalizerGone(object: string, finalizer: string, stays: boolean, version: string): Remark {
  const path = '.metadata.finalizers';
  return stays
    ? { object, path, severity: 'error', says: `${version} does not know the finalizer ${finalizer}, and the upgraded object still has it: its deletion would wait for ever`, action: 'remove it when the new version takes over' }
    : { object, path, severity: 'information', says: `${version} no longer sets the finalizer ${finalizer}; the upgrade removes it`, action: 'nothing' };
}

function managerStays(object: string, manager: string, version: string): Remark {
  return {
    object,
    path: '.metadata.managedFields',
    severity: 'error',
    says: `${version} does not write as ${manager}, and the upgraded object has fields that are still held under that name: they are never taken away`,
    action: 'keep the name of the package and of the claim, or release the claim in the new version',
  };
}
