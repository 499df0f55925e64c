// What the verbs share: the state of the server, the request at hand, and how answers are made.
import type { AdmissionGate } from '../admission/admission.ts';
import type { Outside } from '../admission/outside.ts';
import type { KubeObject } from '../json.ts';
import type { ResourceType, RuleContext } from '../kinds/resource-type.ts';
import { timestamp, type Clock, type Random } from '../ports.ts';
import type { Guard } from '../rbac/guard.ts';
import type { Identity } from '../rbac/user.ts';
import { objectKey } from '../store/table.ts';
import type { Store } from '../store/store.ts';
import type { ApiRequest, ApiResponse } from '../transport.ts';
import { StatusError, type Subject } from '../errors.ts';
import type { RequestInfo, ResourceRequest } from './request-info.ts';
import type { Registry } from './registry.ts';

/** The state of one server. */
export interface Core {
  readonly store: Store;
  readonly registry: Registry;
  readonly clock: Clock;
  readonly random: Random;
  /** Live events that a watch may fall behind before the server gives up on its reader. */
  readonly watchBacklog: number;
  /** How many objects may exist. */
  readonly objectLimit: number;
  /** The revision that reads from the cache are served at; undefined: the newest. */
  readonly cachedRevision: (call: Call) => number | undefined;
  /** Who may do what. */
  readonly guard: Guard;
  /** Webhooks. */
  readonly outside: Outside;
}

/** One request on a resource. */
export interface Call {
  readonly request: ApiRequest;
  readonly info: RequestInfo;
  readonly resource: ResourceRequest;
  readonly type: ResourceType;
  readonly userAgent: string;
  readonly user: Identity;
  /** Undefined: no webhook has to be asked. */
  readonly gate: AdmissionGate | undefined;
  /** Texts for `Warning` headers, collected on the way. */
  readonly warnings: string[];
}

/** The answer of a verb: an object and its code. */
export interface Result {
  readonly status: number;
  readonly body: object;
}

/** The current time as metadata holds it. */
export function now(core: Core): string {
  return timestamp(core.clock.now());
}

/** The object as errors name it, by its plural resource. */
export function subjectOf(call: Call, name: string): Subject {
  return { group: call.type.group, kind: call.type.plural, name };
}

/** The object as validation errors name it, by its Kind. */
export function kindSubject(type: ResourceType, name: string): Subject {
  return { group: type.group, kind: type.kind, name };
}

/** Writes an object in its stored form; returns it as the request's version shows it. What a webhook has to say is asked before. */
export function putStored(core: Core, type: ResourceType, key: string, object: KubeObject): KubeObject {
  if (type.converter !== undefined) type.fromStorage(object);
  return type.fromStorage(core.store.put(type.table, key, object));
}

/** The addressed object as stored; undefined if there is none. */
export function stored(core: Core, call: Call): KubeObject | undefined {
  return core.store.get(call.type.table, objectKey(call.resource.namespace, call.resource.name));
}

export function ruleContext(core: Core): RuleContext {
  return {
    now: now(core),
    random: core.random,
    list: (table, namespace) => core.store.objects(table, namespace),
    get: (table, namespace, name) => core.store.get(table, objectKey(namespace, name)),
  };
}

const JSON_HEADERS = Object.freeze({ 'content-type': 'application/json' });

/** The HTTP answer with a JSON body. */
export function jsonResponse(status: number, body: object, warnings: readonly string[] = []): ApiResponse {
  if (warnings.length === 0) return { status, headers: JSON_HEADERS, body };
  const warning = warnings.map((text) => `299 - ${quoted(text)}`).join(', ');
  return { status, headers: { ...JSON_HEADERS, warning }, body };
}

function quoted(text: string): string {
  return `"${text.replaceAll(/["\\]/g, (character) => `\\${character}`).replaceAll(/[\r\n]+/g, ' ')}"`;
}

/** The HTTP answer of an error; anything but a StatusError is a fault of this server and answers 500. */
export function errorResponse(error: unknown, warnings: readonly string[] = []): ApiResponse {
  const status =
    error instanceof StatusError
      ? error
      : new StatusError(500, 'InternalError', `Internal error occurred: ${messageOf(error)}`);
  const response = jsonResponse(status.code, Object.freeze(status.status), warnings);
  const after = status.details?.retryAfterSeconds ?? 0;
  return after > 0 ? { ...response, headers: { ...response.headers, 'retry-after': String(after) } } : response;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
