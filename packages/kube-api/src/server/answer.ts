// The answer to one request: who asks, may he, what for, and then the verb.
import type { Attempt } from '../admission/attempt.ts';
import { Gate } from '../admission/gate.ts';
import { Unanswered } from '../admission/unanswered.ts';
import { hasWebhooks } from '../admission/webhook.ts';
import { CRD_TABLE } from '../crd/definition.ts';
import { settleDefinitions } from '../crd/controller.ts';
import type { Authorize } from '../discovery/access-review.ts';
import { answerOther, type ServerFacts } from '../discovery/other-paths.ts';
import { badRequest } from '../errors.ts';
import { accessOf } from '../rbac/access.ts';
import { refusal } from '../rbac/guard.ts';
import { answerReview, isReview } from '../rbac/reviews.ts';
import type { Identity, User } from '../rbac/user.ts';
import type { ApiRequest, ApiResponse } from '../transport.ts';
import { errorResponse, jsonResponse, now, type Call, type Core } from './core.ts';
import { dispatch } from './dispatch.ts';
import type { RequestInfo } from './request-info.ts';
import { acceptedForm, shapeFor } from './shape.ts';
import { checkTimeout } from './timeout.ts';

/** One request as it came in. */
export interface Incoming {
  readonly request: ApiRequest;
  readonly info: RequestInfo;
  /** A user that the caller vouches for. */
  readonly known: User | undefined;
}

/** What does not change between requests. */
export interface Policy {
  readonly facts: ServerFacts;
  readonly authorize: Authorize | undefined;
}

/**
 * Answers a request; errors become answers, too.
 *
 * @param attempt the memory of a request that may have to wait for webhooks
 * @throws Unanswered, only with an attempt
 */
export function answer(core: Core, policy: Policy, incoming: Incoming, attempt?: Attempt): ApiResponse {
  const warnings: string[] = [];
  const { request, info } = incoming;
  try {
    checkTimeout(info.query);
    const user = admitted(core, incoming);
    const { resource } = info;
    if (resource !== undefined && isReview(resource.group, resource.resource)) {
      return jsonResponse(201, answerReview(request, info, user, core.guard, now(core)));
    }
    const found = callOf(core, policy, incoming, user, warnings);
    if (found === undefined) return answerOther(core, request, info, policy.facts);
    if (found.resource.verb === 'watch') throw badRequest('a watch is opened with watch(), not with request()');
    const shape = shapeFor(found.type, acceptedForm(request.headers?.['accept']), info.query, core.clock.now, false);
    const { revision } = core.store;
    const own = attempt === undefined ? core : { ...core, clock: attempt.clock, random: attempt.random };
    const guarded = attempt !== undefined && hasWebhooks(core.store);
    const call = guarded ? { ...found, gate: new Gate(own, found, attempt) } : found;
    const result = dispatch(own, call);
    if (core.store.revision !== revision) settleKinds(core, call);
    return jsonResponse(result.status, shape(result.body), warnings);
  } catch (error) {
    if (error instanceof Unanswered) throw error;
    return errorResponse(error, warnings);
  }
}

/** @throws StatusError 401 if nobody knows who asks, 403 if he may not. */
export function admitted(core: Core, { request, info, known }: Incoming): Identity {
  const user = core.guard.identify(request, known);
  core.guard.check(user, request, info);
  return user;
}

/**
 * The request in terms of a resource; undefined if the path is not one of a resource that is served.
 *
 * @throws StatusError 403 if the policy of the server forbids it
 */
export function callOf(
  core: Core,
  policy: Policy,
  { request, info }: Incoming,
  user: Identity,
  warnings: string[],
): Call | undefined {
  const { resource } = info;
  if (resource === undefined) return undefined;
  const type = core.registry.find(resource.group, resource.version, resource.resource);
  if (type === undefined) return undefined;
  // A cluster-scoped resource has no path below a namespace; a namespaced object has no path without one.
  if (!type.namespaced && resource.namespace !== '') return undefined;
  if (type.namespaced && resource.namespace === '' && resource.name !== '') return undefined;
  const userAgent = request.headers?.['user-agent'] ?? '';
  const call: Call = { request, info, resource, type, userAgent, user, gate: undefined, warnings };
  authorized(policy, call);
  if (type.deprecation !== undefined) warnings.push(type.deprecation);
  return call;
}

function authorized({ authorize }: Policy, { resource, request, info }: Call): void {
  if (authorize === undefined || authorize({ ...resource, headers: request.headers ?? {} })) return;
  const anonymous = { name: 'system:anonymous', uid: undefined, groups: [] };
  throw refusal(anonymous, { ...accessOf(request, info), namespace: resource.namespace }, '');
}

/** What the server does itself after a write. */
function settleKinds(core: Core, call: Call): void {
  const { store, registry } = core;
  if (call.type.table === CRD_TABLE || call.type.refusesCreate !== undefined)
    settleDefinitions(store, registry, now(core));
}
