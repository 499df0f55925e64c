// Owner references: making them, adopting what a selector matches, releasing what it no longer matches.
import type { OwnerReference } from '../../json.ts';
import type { Cluster } from './cluster.ts';
import { controllerOf } from './cluster.ts';
import type { KnownKind, KnownKinds, LabelSelector, Live } from './model.ts';
import { matches, selectsNothing } from './selector.ts';
import type { Step } from './step.ts';

/** The reference by which `owner` controls an object. */
export function controlledBy(owner: Live): OwnerReference {
  const { name, uid } = owner.metadata;
  return { apiVersion: owner.apiVersion, kind: owner.kind, name, uid, controller: true, blockOwnerDeletion: true };
}

/** What an owner controls, and the patches that adopt and release. */
export interface Claimed<T> {
  readonly owned: readonly T[];
  readonly steps: readonly Step[];
}

/**
 * Sorts the objects of a kind around an owner: owned are those that it controls and selects; selected ones without a
 * controller are adopted, controlled ones that are no longer selected are released. An owner that is being deleted
 * adopts and releases nothing. Adopted objects count as owned only once the server has confirmed it.
 */
export function claim<K extends KnownKind>(
  cluster: Cluster,
  kind: K,
  owner: Live,
  selector: LabelSelector | undefined,
  fits: (object: KnownKinds[K]) => boolean = () => true,
): Claimed<KnownKinds[K]> {
  const controlled = cluster.controlledBy(kind, owner.metadata.uid);
  if (owner.metadata.deletionTimestamp !== undefined || selectsNothing(selector))
    return { owned: controlled, steps: [] };
  const selected = (object: KnownKinds[K]): boolean => matches(selector, object.metadata.labels);
  const orphans = cluster
    .uncontrolled(kind, owner.metadata.namespace)
    .filter((object) => object.metadata.deletionTimestamp === undefined && selected(object) && fits(object));
  const strangers = controlled.filter((object) => object.metadata.deletionTimestamp === undefined && !selected(object));
  return {
    owned: controlled.filter((object) => !strangers.includes(object)),
    steps: [
      ...orphans.map((object) => adopt(object, owner)),
      ...strangers.map((object) => release(object, owner.metadata.uid)),
    ],
  };
}

function adopt(target: Live, owner: Live): Step {
  return ownersPatch(target, [...(target.metadata.ownerReferences ?? []), controlledBy(owner)]);
}

/** Takes one owner away from an object. */
export function release(target: Live, uid: string): Step {
  return ownersPatch(
    target,
    (target.metadata.ownerReferences ?? []).filter((owner) => owner.uid !== uid),
  );
}

/** Sets the owner references; refused by the server if the object has changed since it was read. */
export function ownersPatch(target: Live, owners: readonly OwnerReference[]): Step {
  const { uid, resourceVersion } = target.metadata;
  return {
    step: 'patch',
    target,
    patch: { metadata: { uid, resourceVersion, ownerReferences: owners.length === 0 ? null : owners } },
  };
}

/** The key of the controller of an object if it is of this kind; one element or none. */
export function controllerKey(object: Live, kind: string): readonly string[] {
  const controller = controllerOf(object);
  return controller?.kind === kind ? [`${object.metadata.namespace ?? ''}/${controller.name}`] : [];
}

/** The keys of the objects of `kind` that may want to adopt `object`: those in its namespace that select it. */
export function adopterKeys<
  K extends 'replicasets.apps' | 'deployments.apps' | 'statefulsets.apps' | 'daemonsets.apps',
>(object: Live, kind: K, cluster: Cluster): readonly string[] {
  if (controllerOf(object) !== undefined) return [];
  return cluster
    .list(kind, object.metadata.namespace)
    .filter(({ spec }) => !selectsNothing(spec.selector) && matches(spec.selector, object.metadata.labels))
    .map(({ metadata }) => `${metadata.namespace ?? ''}/${metadata.name}`);
}
