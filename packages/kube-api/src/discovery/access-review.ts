// SelfSubjectAccessReview: may I?
import { badRequest, methodNotAllowed } from '../errors.ts';
import { at, freezeJson, isObject, type Json, type JsonObject } from '../json.ts';
import { importObject } from '../server/decode.ts';
import type { ApiRequest } from '../transport.ts';

/** What somebody wants to do. Texts that do not apply are ''. */
export interface AccessRequest {
  readonly verb: string;
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
  /** Of the request; lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Decides about access; undefined in a server means that everything is allowed. */
export type Authorize = (access: AccessRequest) => boolean;

export const ACCESS_REVIEW_PATH = '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews';

/** Answers a review; nothing is stored. */
export function reviewAccess(request: ApiRequest, authorize: Authorize | undefined): JsonObject {
  if (request.method !== 'POST') {
    throw methodNotAllowed(
      { group: 'authorization.k8s.io', kind: 'selfsubjectaccessreviews' },
      request.method.toLowerCase(),
    );
  }
  const body = importObject(request.body);
  const spec = body['spec'];
  if (!isObject(spec)) throw badRequest('spec: Required value: a review needs a spec');
  const attributes = spec['resourceAttributes'];
  const nonResource = spec['nonResourceAttributes'];
  const allowed =
    authorize === undefined || authorize(accessOf(isObject(attributes) ? attributes : nonResource, request));
  return freezeJson({
    kind: 'SelfSubjectAccessReview',
    apiVersion: 'authorization.k8s.io/v1',
    metadata: {},
    spec,
    status: { allowed, ...(allowed ? { reason: "allowed by the server's policy" } : {}) },
  });
}

function accessOf(attributes: Json | undefined, request: ApiRequest): AccessRequest {
  const text = (key: string): string => {
    const value = at(attributes, key);
    return typeof value === 'string' ? value : '';
  };
  return {
    verb: text('verb'),
    group: text('group'),
    version: text('version'),
    resource: text('resource'),
    subresource: text('subresource'),
    namespace: text('namespace'),
    name: text('name'),
    headers: request.headers ?? {},
  };
}
