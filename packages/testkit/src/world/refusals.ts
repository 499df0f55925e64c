// What a server that is not well answers instead of doing, or after having done, what it was asked for.
import type { ApiResponse } from '@pawl/operator';
import type { AdmissionAnswer, Refusal, RequestFailure } from './faults.ts';

/** A failure, by what becomes of the request and what the client sees. */
export interface Treatment {
  /** Whether the server does what it was asked for. */
  readonly isDone: boolean;
  /** Undefined: the real one. */
  readonly answer: ApiResponse | 'silence' | 'broken' | 'truncated' | undefined;
}

const WELL: Treatment = { isDone: true, answer: undefined };

const INTERNAL = statusOf(500, 'InternalError', 'internal error');
const TREATMENTS: Readonly<Record<Exclude<RequestFailure, Refusal>, Treatment>> = {
  conflict: WELL,
  'timeout-before': { isDone: false, answer: 'silence' },
  'timeout-after': { isDone: true, answer: 'silence' },
  'reset-before': { isDone: false, answer: 'broken' },
  'reset-after': { isDone: true, answer: 'broken' },
  truncated: { isDone: true, answer: 'truncated' },
  '500-before': { isDone: false, answer: INTERNAL },
  '500-after': { isDone: true, answer: INTERNAL },
};

/** What a failure means. Without one the request is treated well. */
export function treatmentOf(failure: RequestFailure | undefined): Treatment {
  if (failure === undefined) return WELL;
  return isRefusal(failure) ? { isDone: failure.endsWith('-after'), answer: overload(failure) } : TREATMENTS[failure];
}

const isRefusal = (failure: RequestFailure): failure is Refusal => /^(429|503|504)/.test(failure);

const REASONS = { 429: 'TooManyRequests', 503: 'ServiceUnavailable', 504: 'Timeout' } as const;
const SAYS = {
  429: 'too many requests',
  503: 'the server is currently unable to handle the request',
  504: 'request did not complete within the allotted timeout',
} as const;

/** A server asks to wait when it is overloaded, and not when it was too slow. */
function overload(failure: Refusal): ApiResponse {
  const code = Number(failure.slice(0, 3)) as 429 | 503 | 504;
  const headers: ApiResponse['headers'] = code === 504 ? {} : { 'retry-after': code === 429 ? '1' : '5' };
  const isText = code === 429 ? !failure.includes('status') : failure.includes('text');
  return isText ? { status: code, headers, body: SAYS[code] } : { ...statusOf(code, REASONS[code], SAYS[code]), headers };
}

/** An answer with a Status. */
export function statusOf(code: number, reason: string, message: string): ApiResponse {
  return { status: code, headers: {}, body: { kind: 'Status', apiVersion: 'v1', status: 'Failure', message, reason, code } };
}

/** What the server answers because a webhook said no, or nothing; undefined for a webhook that lets it pass. */
export function refusalByWebhook(answer: AdmissionAnswer): ApiResponse | undefined {
  const webhook = 'admission webhook "guard.explore.pawl.dev"';
  if (answer === 'denies-403') return statusOf(403, 'Forbidden', `${webhook} denied the request: not today`);
  if (answer === 'denies-422') return statusOf(422, 'Invalid', `${webhook} denied the request: the object does not please`);
  return answer === 'times-out' ? statusOf(500, 'InternalError', 'failed calling webhook "guard.explore.pawl.dev": context deadline exceeded') : undefined;
}

/** A server whose cache is behind cannot begin a watch with what is there now. */
export const LAGGING: ApiResponse = statusOf(504, 'Timeout', 'Too large resource version: 2, current: 1');

/** What the transport throws when the connection breaks, or the answer is not whole. */
export function thrownFor(answer: 'broken' | 'truncated'): Error {
  if (answer === 'truncated') return new SyntaxError('Unexpected end of JSON input');
  return Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' });
}

/** How long an answer asks to wait. */
export function askedToWaitMs({ status, headers }: ApiResponse): number | undefined {
  const seconds = headers['retry-after'];
  return (status === 429 || status === 503) && seconds !== undefined ? Number(seconds) * 1_000 : undefined;
}
