// Conditions in the status of a CustomResourceDefinition.
import { isList, isObject, type Json, type JsonObject, type KubeObject } from '../json.ts';

/** A condition of a CRD as it is set at `time`. */
export function condition(type: string, status: string, reason: string, message: string, time: string): JsonObject {
  return { lastTransitionTime: time, message, reason, status, type };
}

/** Conditions with one set; the time of the last change stays while its status does. */
export function withCondition(conditions: readonly Json[], wanted: JsonObject): readonly Json[] {
  const old = conditions.find((one) => isObject(one) && one['type'] === wanted['type']);
  if (old === undefined) return [...conditions, wanted];
  const sameStatus = isObject(old) && old['status'] === wanted['status'];
  const next = sameStatus && isObject(old) ? { ...wanted, lastTransitionTime: old['lastTransitionTime'] } : wanted;
  return conditions.map((one) => (one === old ? next : one));
}

/** Whether the kinds of a CRD are served. */
export function isEstablished(crd: KubeObject): boolean {
  const status = crd['status'];
  const conditions = isObject(status) && isList(status['conditions']) ? status['conditions'] : [];
  return conditions.some((one) => isObject(one) && one['type'] === 'Established' && one['status'] === 'True');
}
