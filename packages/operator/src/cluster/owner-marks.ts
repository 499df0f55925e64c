// What people do to the marks by which an owned object is told from others: a label taken off, an object to be kept. Pure.
import { ANNOTATIONS, type ApplyRequest, type KubernetesObject } from '@pawl/reconciler/kubernetes';
import { appliedFieldsOf, type ManagedFieldsEntry } from './managed-fields.ts';

type Fields = Readonly<Record<string, unknown>>;

/** The owner that controls an object. */
export const controllerOf = ({ metadata }: KubernetesObject) =>
  metadata.ownerReferences?.find((reference) => reference.controller === true);

/** A person wants it to outlive its owner. */
export const isKept = ({ metadata }: KubernetesObject): boolean => metadata.annotations?.[ANNOTATIONS.keep] === 'true';

/**
 * We applied it for this very owner, which controls it still: only the label was taken off, and is put back. Who takes an
 * object away from its owner takes off the owner reference as well.
 */
export function isLabelLost(known: KubernetesObject, { fieldManager, stamp }: ApplyRequest): boolean {
  const { annotations, managedFields } = known.metadata as KubernetesObject['metadata'] & { managedFields?: ManagedFieldsEntry[] };
  return (
    stamp !== undefined &&
    controllerOf(known)?.uid === stamp.ownerUid &&
    annotations?.[ANNOTATIONS.ownerUid] === stamp.ownerUid &&
    appliedFieldsOf(managedFields, fieldManager) !== undefined
  );
}

/** The request as it suits an object that is to be kept: no owner reference, or the server would delete it with its owner. */
export function outliving(known: KubernetesObject | undefined, request: ApplyRequest): ApplyRequest {
  if (known === undefined || request.mode === 'fields' || !isKept(known)) return request;
  const { ownerReferences: _, ...metadata } = request.body['metadata'] as Fields;
  return { ...request, body: { ...request.body, metadata } };
}

/** It is to be kept, and still refers to its owner. */
export function isBoundThoughKept(known: KubernetesObject, { stamp }: ApplyRequest): boolean {
  return isKept(known) && known.metadata.ownerReferences?.some(({ uid }) => uid === stamp?.ownerUid) === true;
}
