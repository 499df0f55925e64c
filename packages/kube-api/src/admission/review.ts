// The AdmissionReview that a webhook is asked with.
import { isObject, type JsonObject } from '../json.ts';
import type { ResourceType } from '../kinds/resource-type.ts';
import type { Identity } from '../rbac/user.ts';
import type { Call } from '../server/core.ts';
import { importJson } from '../server/decode.ts';
import type { Admission, Operation } from './admission.ts';

/** `request` of a review without its uid. `seen` is the version that the webhook wants to see. */
export function reviewRequest(call: Call, admission: Admission, seen: ResourceType): JsonObject {
  const { operation, object, oldObject, dryRun, kind } = admission;
  const { subresource } = call.resource;
  const name = object?.metadata.name ?? oldObject?.metadata.name ?? call.resource.name;
  const namespace = object?.metadata.namespace ?? oldObject?.metadata.namespace ?? call.resource.namespace;
  const resource = ({ group, version, plural }: ResourceType): JsonObject => ({ group, version, resource: plural });
  const kindOf = (type: ResourceType): JsonObject =>
    kind === undefined ? { group: type.group, version: type.version, kind: type.kind } : { ...kind };
  const through = (key: string): JsonObject => (subresource === '' ? {} : { [key]: subresource });
  return {
    kind: kindOf(seen),
    resource: resource(seen),
    ...through('subResource'),
    requestKind: kindOf(call.type),
    requestResource: resource(call.type),
    ...through('requestSubResource'),
    ...(name === '' ? {} : { name }),
    ...(namespace === '' ? {} : { namespace }),
    operation,
    userInfo: userInfo(call.user),
    object: object ?? null,
    oldObject: oldObject ?? null,
    dryRun,
    options: optionsOf(call, operation, dryRun),
  };
}

/** A user as reviews name him. */
export function userInfo({ name, uid, groups }: Identity): JsonObject {
  return { username: name, ...(uid === undefined ? {} : { uid }), groups };
}

const OPTIONS: Readonly<Record<Operation, string>> = {
  CREATE: 'CreateOptions',
  UPDATE: 'UpdateOptions',
  DELETE: 'DeleteOptions',
};

function optionsOf({ info, request }: Call, operation: Operation, dryRun: boolean): JsonObject {
  const head = { kind: OPTIONS[operation], apiVersion: 'meta.k8s.io/v1' };
  const simulated = dryRun ? { dryRun: ['All'] } : {};
  if (operation === 'DELETE') {
    const body = request.body === undefined ? {} : importJson(request.body);
    return { ...(isObject(body) ? body : {}), ...head, ...simulated };
  }
  const text = (key: string): JsonObject => {
    const value = info.query.get(key) ?? '';
    return value === '' ? {} : { [key]: value };
  };
  return { ...head, ...simulated, ...text('fieldManager'), ...text('fieldValidation') };
}
