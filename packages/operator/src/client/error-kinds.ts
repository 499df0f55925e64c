// Questions about errors of calls. Each is false for anything that is not such an error.
import { ApiError } from '@pawl/reconciler/kubernetes';
import { KubeError } from './api-error.ts';

type Check = (error: unknown) => error is ApiError;

const answered =
  (code: number, ...reasons: readonly string[]): Check =>
  (error): error is ApiError =>
    error instanceof ApiError && error.code === code && (reasons.length === 0 || reasons.includes(error.reason));

/** The object, or its kind, is not there. */
export const isNotFound: Check = answered(404);
/** A create met an object of that name. */
export const isAlreadyExists: Check = answered(409, 'AlreadyExists');
/** The object is not, or no longer, the one that the write was made for. */
export const isConflict: Check = (error): error is ApiError => answered(409)(error) && !isAlreadyExists(error);
/** The server refused a value; `causes` names the fields. */
export const isInvalid: Check = answered(422);
export const isForbidden: Check = answered(403);
export const isUnauthorized: Check = answered(401);
/** A revision or page is older than what the server remembers. */
export const isExpired: Check = answered(410);
export const isTooManyRequests: Check = answered(429);

/** The server was overloaded and did not look at the request: it answers so without a `Status`. */
export function isOverload(error: unknown): error is KubeError {
  return error instanceof KubeError && error.code === 429 && !error.isStatus;
}

/** For a write: nobody knows whether it happened. */
export function isOutcomeUnknown(error: unknown): error is KubeError {
  return error instanceof KubeError && error.outcomeUnknown;
}

/** No answer, or one that says that the server is not well: the same call may succeed later. */
export function isTransient(error: unknown): error is KubeError {
  return error instanceof KubeError && (error.failure !== 'status' || error.code === 429 || error.code >= 500);
}
