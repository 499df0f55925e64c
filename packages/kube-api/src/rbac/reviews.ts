// Reviews: questions about access, which are answered and not stored.
import { invalidValue } from '../causes.ts';
import { badRequest, invalid, StatusError } from '../errors.ts';
import { freezeJson, isList, isObject, type JsonObject } from '../json.ts';
import { importObject } from '../server/decode.ts';
import type { RequestInfo } from '../server/request-info.ts';
import type { ApiRequest } from '../transport.ts';
import { accessOfSpec } from './access.ts';
import type { Guard } from './guard.ts';
import { ruleJson } from './policy-rule.ts';
import type { Identity } from './user.ts';

const AUTHORIZATION = 'authorization.k8s.io';
const AUTHENTICATION = 'authentication.k8s.io';

const KINDS: Readonly<Record<string, string>> = {
  selfsubjectaccessreviews: 'SelfSubjectAccessReview',
  selfsubjectrulesreviews: 'SelfSubjectRulesReview',
  subjectaccessreviews: 'SubjectAccessReview',
  localsubjectaccessreviews: 'LocalSubjectAccessReview',
  selfsubjectreviews: 'SelfSubjectReview',
};

/** Whether a resource is a review, which is answered here instead of stored. */
export function isReview(group: string, plural: string): boolean {
  return (group === AUTHORIZATION || group === AUTHENTICATION) && KINDS[plural] !== undefined;
}

/**
 * The answer to a review.
 *
 * @throws StatusError 405 for anything but POST, 400 or 422 for a review that cannot be understood.
 */
export function answerReview(
  request: ApiRequest,
  { resource }: RequestInfo,
  user: Identity,
  guard: Guard,
  now: string,
): JsonObject {
  if (request.method !== 'POST') {
    throw new StatusError(
      405,
      'MethodNotAllowed',
      'the server does not allow this method on the requested resource',
      {},
    );
  }
  const { group = '', version = '', resource: plural = '', namespace = '' } = resource ?? {};
  const head = { kind: KINDS[plural] ?? '', apiVersion: `${group}/${version}` };
  const body = importObject(request.body);
  const spec = isObject(body['spec']) ? body['spec'] : {};
  const headers = request.headers ?? {};
  switch (plural) {
    case 'selfsubjectreviews':
      return freezeJson({ ...head, metadata: { creationTimestamp: now }, status: { userInfo: userInfo(user) } });
    case 'selfsubjectrulesreviews':
      return freezeJson({ ...head, metadata: {}, spec: {}, status: rulesStatus(guard, user, spec) });
    case 'selfsubjectaccessreviews':
      return freezeJson({ ...head, metadata: {}, spec, status: accessStatus(guard, user, spec, headers) });
    default: {
      const metadata = namespace === '' ? {} : { namespace };
      return freezeJson({ ...head, metadata, spec, status: accessStatus(guard, subjectOf(spec), spec, headers) });
    }
  }
}

function accessStatus(
  guard: Guard,
  user: Identity,
  spec: JsonObject,
  headers: Readonly<Record<string, string>>,
): JsonObject {
  const { resourceAttributes, nonResourceAttributes } = spec;
  const subject = { group: AUTHORIZATION, kind: '', name: '' };
  if (isObject(resourceAttributes) && isObject(nonResourceAttributes)) {
    const { path = '', verb = '' } = nonResourceAttributes;
    const why = 'cannot be specified in combination with resourceAttributes';
    throw invalid(subject, [invalidValue('spec.nonResourceAttributes', { Path: path, Verb: verb }, why)]);
  }
  if (!isObject(resourceAttributes) && !isObject(nonResourceAttributes)) {
    const why = 'exactly one of nonResourceAttributes or resourceAttributes must be specified';
    throw invalid(subject, [invalidValue('spec.resourceAttributes', null, why)]);
  }
  const { allowed, reason } = guard.decide(user, accessOfSpec(spec), headers);
  return { allowed, ...(reason === '' ? {} : { reason }) };
}

function rulesStatus(guard: Guard, user: Identity, spec: JsonObject): JsonObject {
  const namespace = spec['namespace'];
  if (typeof namespace !== 'string' || namespace === '') throw badRequest('no namespace on request');
  const { rules, faults } = guard.rules(user, namespace);
  return {
    resourceRules: rules.filter((rule) => rule.resources.length > 0).map(ruleJson),
    nonResourceRules: rules.filter((rule) => rule.nonResourceURLs.length > 0).map(ruleJson),
    incomplete: false,
    ...(faults === '' ? {} : { evaluationError: faults }),
  };
}

/** The user that a SubjectAccessReview names, with exactly the groups that it names. */
function subjectOf(spec: JsonObject): Identity {
  const { user, uid, groups } = spec;
  return {
    name: typeof user === 'string' ? user : '',
    uid: typeof uid === 'string' ? uid : undefined,
    groups: isList(groups) ? groups.filter((group) => typeof group === 'string') : [],
  };
}

function userInfo({ name, uid, groups }: Identity): JsonObject {
  return { username: name, ...(uid === undefined ? {} : { uid }), groups };
}
