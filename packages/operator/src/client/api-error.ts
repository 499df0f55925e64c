// What can go wrong with a call, as one error class: the server's own answer, the network, or time.
import { ApiError } from '@pawl/reconciler/kubernetes';
import type { ApiResponse } from '../transport/transport.ts';
import { asError, DeadlineError } from '../waiting.ts';

/** One reason within an answer of the server, such as an invalid field. */
export interface StatusCause {
  readonly reason: string;
  readonly message: string;
  /** Path of the field, or empty. */
  readonly field: string;
}

/** `status`: the server answered; `network`: the connection failed; `timeout`: no answer in time. */
export type Failure = 'status' | 'network' | 'timeout';

interface KubeErrorParts {
  readonly failure: Failure;
  /** HTTP status; 0 without an answer. */
  readonly code: number;
  readonly reason: string;
  readonly message: string;
  readonly details?: readonly StatusCause[];
  readonly retryAfterMs?: number | undefined;
  readonly isStatus?: boolean;
  readonly isAboutObject?: boolean;
  readonly inStream?: boolean;
  readonly outcomeUnknown?: boolean;
  readonly cause?: unknown;
}

/** A call that did not succeed. `causes` holds the fields that the server named, `details` the whole of each cause. */
export class KubeError extends ApiError {
  readonly failure: Failure;
  readonly details: readonly StatusCause[];
  /** How long the server asks to wait, in milliseconds. */
  readonly retryAfterMs: number | undefined;
  /** Whether the answer was a `Status` object. Overload and unknown paths are answered with plain text. */
  readonly isStatus: boolean;
  /** Whether the answer names an object: a 404 that does not is about an unknown path. */
  readonly isAboutObject: boolean;
  /** Whether it came as an event of a watch that had begun well. */
  readonly inStream: boolean;
  /** For a write: it may or may not have happened, so only a read can tell. */
  readonly outcomeUnknown: boolean;

  constructor(parts: KubeErrorParts) {
    const { details = [] } = parts;
    super(
      parts.code,
      parts.reason,
      parts.message,
      details.flatMap(({ field }) => (field === '' ? [] : [field])),
    );
    if (parts.cause !== undefined) this.cause = parts.cause;
    this.failure = parts.failure;
    this.details = details;
    this.retryAfterMs = parts.retryAfterMs;
    this.isStatus = parts.isStatus ?? false;
    this.isAboutObject = parts.isAboutObject ?? false;
    this.inStream = parts.inStream ?? false;
    this.outcomeUnknown = parts.outcomeUnknown ?? false;
  }
}

/** Where an error comes from, for its message and for what it means. */
export interface CallContext {
  /** Such as `PATCH /apis/apps/v1/namespaces/a/deployments/web`. */
  readonly call: string;
  readonly mutating: boolean;
}

/** The error for an answer that is not success. */
export function errorOfResponse({ status, headers, body }: ApiResponse, { call, mutating }: CallContext): KubeError {
  const text = typeof body === 'string' ? body.trim().slice(0, 2000) : '';
  const parts = partsOf(body);
  return new KubeError({
    ...parts,
    failure: 'status',
    code: status,
    reason: parts.reason || REASONS[status] || 'Unknown',
    message: `${call}: ${parts.message || text || `the server answered ${status}`}`,
    retryAfterMs: secondsOf(headers['retry-after']) ?? parts.retryAfterMs,
    outcomeUnknown: mutating && (status === 500 || status === 502 || status === 504),
  });
}

/** The error for an ERROR event of a watch. */
export function errorOfEvent(object: unknown): KubeError {
  const parts = partsOf(object);
  const code = numberOf(recordOf(object)?.['code']);
  return new KubeError({
    ...parts,
    failure: 'status',
    code,
    reason: parts.reason || REASONS[code] || 'Unknown',
    message: `watch: ${parts.message || `the server sent an error with code ${code}`}`,
    inStream: true,
  });
}

/** What a `Status` says; nothing for anything else. */
function partsOf(body: unknown) {
  const status = recordOf(body)?.['kind'] === 'Status' ? recordOf(body) : undefined;
  const details = recordOf(status?.['details']);
  return {
    reason: stringOf(status?.['reason']),
    message: stringOf(status?.['message']).slice(0, 2000),
    details: causesOf(details?.['causes']),
    retryAfterMs: secondsOf(details?.['retryAfterSeconds']),
    isStatus: status !== undefined,
    isAboutObject: stringOf(details?.['name']) !== '',
  };
}

/** The error for a call that got no answer. An error that already is one stays as it is. */
export function errorOfThrown(thrown: unknown, { call, mutating }: CallContext): KubeError {
  if (thrown instanceof KubeError) return thrown;
  const error = asError(thrown);
  const timeout = error instanceof DeadlineError;
  const code = codeOf(error);
  return new KubeError({
    failure: timeout ? 'timeout' : 'network',
    code: 0,
    reason: timeout ? 'Timeout' : code || 'ConnectionFailed',
    message: `${call}: ${error.message || code || error.name}`,
    outcomeUnknown: mutating && !NEVER_SENT.has(code),
    cause: error,
  });
}

/** Failures before the first byte of the request was sent. */
const NEVER_SENT: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/** For answers without a `Status`, as proxies and overloaded servers give them. */
const REASONS: Readonly<Record<number, string>> = {
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  405: 'MethodNotAllowed',
  409: 'Conflict',
  410: 'Gone',
  413: 'RequestEntityTooLarge',
  415: 'UnsupportedMediaType',
  422: 'Invalid',
  429: 'TooManyRequests',
  500: 'InternalError',
  502: 'BadGateway',
  503: 'ServiceUnavailable',
  504: 'Timeout',
};

function causesOf(value: unknown): readonly StatusCause[] {
  if (!Array.isArray(value)) return [];
  return value.map(recordOf).map((cause) => ({
    reason: stringOf(cause?.['reason']),
    message: stringOf(cause?.['message']),
    field: stringOf(cause?.['field']),
  }));
}

/** Seconds as the server writes them; a date is left out, for its clock is not ours. */
function secondsOf(value: unknown): number | undefined {
  const seconds = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value;
  return typeof seconds === 'number' && seconds > 0 ? seconds * 1000 : undefined;
}

function codeOf(error: Error): string {
  const code = 'code' in error ? error.code : undefined;
  if (typeof code === 'string') return code;
  return error.cause instanceof Error ? codeOf(error.cause) : '';
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : undefined;
}

function stringOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function numberOf(value: unknown): number {
  return typeof value === 'number' ? value : 0;
}
