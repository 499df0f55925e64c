// Errors as the API answers them: a Status object with code, reason and details, and a factory for each reason.
import type { JsonObject } from './json.ts';

/** One entry of `details.causes`: what is wrong with which field. */
export interface Cause {
  readonly reason: string;
  readonly message: string;
  readonly field: string;
}

/** What an error is about. `kind` holds the plural resource in most errors, and the Kind in validation errors. */
export interface Subject {
  readonly group: string;
  readonly kind: string;
  readonly name: string;
}

/** `details` of a Status. */
export interface StatusDetails {
  readonly name?: string;
  readonly group?: string;
  readonly kind?: string;
  readonly uid?: string;
  readonly causes?: readonly (Cause | { readonly reason?: string; readonly message: string })[];
  readonly retryAfterSeconds?: number;
}

/** A request that failed; `status` is the body of the answer and `code` its HTTP status. */
export class StatusError extends Error {
  readonly code: number;
  readonly reason: string;
  readonly details: StatusDetails | undefined;
  /** `metadata.continue` of an expired list. */
  readonly continue: string | undefined;

  constructor(code: number, reason: string, message: string, details?: StatusDetails, continueToken?: string) {
    // An answer, not a fault: nobody reads where it was made, and finding that out takes longer than all the rest.
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(message);
    Error.stackTraceLimit = stackTraceLimit;
    this.name = 'StatusError';
    this.code = code;
    this.reason = reason;
    this.details = details;
    this.continue = continueToken;
  }

  /** The Status object that a client receives. */
  get status(): JsonObject {
    return {
      kind: 'Status',
      apiVersion: 'v1',
      metadata: this.continue === undefined ? {} : { continue: this.continue },
      status: 'Failure',
      message: this.message,
      ...(this.reason === '' ? {} : { reason: this.reason }),
      ...(this.details === undefined ? {} : { details: detailsJson(this.details) }),
      code: this.code,
    };
  }
}

function detailsJson(details: StatusDetails): JsonObject {
  const { causes, ...rest } = details;
  const plain: Record<string, string | number> = {};
  for (const [key, value] of Object.entries(rest)) if (value !== undefined && value !== '') plain[key] = value;
  if (causes === undefined) return plain;
  return { ...plain, causes: causes.map((cause) => ({ ...cause })) };
}

/** `deployments.apps "web"`, as messages name an object. */
export function qualified(subject: Subject): string {
  return `${qualifiedKind(subject)} "${subject.name}"`;
}

function qualifiedKind({ group, kind }: { readonly group: string; readonly kind: string }): string {
  return group === '' ? kind : `${kind}.${group}`;
}

/** 404: the object is not there. `kind` of the subject is the plural resource. */
export function notFound(subject: Subject): StatusError {
  return new StatusError(404, 'NotFound', `${qualified(subject)} not found`, subject);
}

/** 404: nothing is served under this path, or the resource has no such subresource. */
export function resourceNotServed(): StatusError {
  return new StatusError(404, 'NotFound', 'the server could not find the requested resource', {});
}

/** 409: an object of this name exists. `kind` of the subject is the plural resource. */
export function alreadyExists(subject: Subject, retryAfterSeconds?: number): StatusError {
  const details = retryAfterSeconds === undefined ? subject : { ...subject, retryAfterSeconds };
  return new StatusError(409, 'AlreadyExists', `${qualified(subject)} already exists`, details);
}

/** 409: the write does not fit the stored object; `why` says how. */
export function conflict(subject: Subject, why: string): StatusError {
  return new StatusError(409, 'Conflict', `Operation cannot be fulfilled on ${qualified(subject)}: ${why}`, subject);
}

/** The sentence of every lost optimistic lock. */
export const OBJECT_MODIFIED =
  'the object has been modified; please apply your changes to the latest version and try again';

/** 422: validation failed. `kind` of the subject is the Kind; the causes carry reason, message and field. */
export function invalid(subject: Subject, causes: readonly Cause[]): StatusError {
  const list = [...new Set(causes.map((cause) => `${cause.field}: ${cause.message}`))];
  const text = list.length === 1 ? list[0] : `[${list.join(', ')}]`;
  return new StatusError(422, 'Invalid', `${qualified(subject)} is invalid: ${text}`, { ...subject, causes });
}

/** 400. */
export function badRequest(message: string): StatusError {
  return new StatusError(400, 'BadRequest', message);
}

/** 403: `kind` of the subject is the plural resource. */
export function forbidden(subject: Subject, why: string, causes?: StatusDetails['causes']): StatusError {
  const details = causes === undefined ? subject : { ...subject, causes };
  const what = subject.name === '' ? qualifiedKind(subject) : qualified(subject);
  return new StatusError(403, 'Forbidden', `${what} is forbidden: ${why}`, details);
}

/** 405: the resource does not know this verb. */
export function methodNotAllowed(
  resource: { readonly group: string; readonly kind: string },
  verb: string,
): StatusError {
  const details = { group: resource.group, kind: resource.kind };
  return new StatusError(
    405,
    'MethodNotAllowed',
    `${verb} is not supported on resources of kind "${qualifiedKind(resource)}"`,
    details,
  );
}

/** 405: there is no route for this method. */
export function methodNotServed(): StatusError {
  const message = 'the server does not allow this method on the requested resource';
  return new StatusError(405, 'MethodNotAllowed', message, {});
}

/** 406: none of the accepted media types can be produced. */
export function notAcceptable(): StatusError {
  const accepted =
    'application/json;as=Table;v=v1;g=meta.k8s.io, application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io';
  return new StatusError(
    406,
    'NotAcceptable',
    `only the following media types are accepted: application/json, application/json;stream=watch, ${accepted}`,
  );
}

/** 415: the body's media type is not understood here. */
export function unsupportedMediaType(found: string, supported: readonly string[]): StatusError {
  const accepted = `accepted media types include: ${supported.join(', ')}`;
  const message = `the body of the request was in an unknown format - ${accepted} (found: ${found})`;
  return new StatusError(415, 'UnsupportedMediaType', message);
}

/** 413. */
export function requestTooLarge(message: string): StatusError {
  return new StatusError(413, 'RequestEntityTooLarge', `Request entity too large: ${message}`);
}

/** 410: the revision asked for is no longer in the history. */
export function expired(message: string, continueToken?: string): StatusError {
  return new StatusError(410, 'Expired', message, undefined, continueToken);
}

/** 429 with a Status; the answer also carries Retry-After. */
export function tooManyRequests(
  message: string,
  retryAfterSeconds: number,
  causes?: StatusDetails['causes'],
): StatusError {
  const details = causes === undefined ? { retryAfterSeconds } : { causes, retryAfterSeconds };
  return new StatusError(429, 'TooManyRequests', message, details);
}

/** 504: the revision asked for lies in the future. */
export function tooLargeResourceVersion(asked: string, current: string): StatusError {
  const message = `Too large resource version: ${asked}, current: ${current}`;
  const causes = [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }];
  return new StatusError(504, 'Timeout', `Timeout: ${message}`, { causes, retryAfterSeconds: 1 });
}

/** 500 without a reason, as the server answers errors that carry no Status. */
export function internal(message: string): StatusError {
  return new StatusError(500, '', message);
}

/** 500 with a reason, as the server answers errors that it has a name for. */
export function internalError(message: string): StatusError {
  return new StatusError(500, 'InternalError', `Internal error occurred: ${message}`, { causes: [{ message }] });
}

/** 501: this server knows what is asked for and does not have it. */
export function notImplemented(what: string): StatusError {
  return new StatusError(501, 'NotImplemented', `${what} is not implemented by this server`);
}
