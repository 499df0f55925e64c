// What a reflector does after a list or watch that failed. A pure decision; the reflector carries it out.
import { KubeError } from '../client/api-error.ts';
import { isExpired, isTransient } from '../client/error-kinds.ts';
import { WatchSilenceError } from './watch-session.ts';

/** `resume`: watch on from the last revision. `relist`: start over with a complete list. */
export type Verdict = 'resume' | 'relist';

/** So many suspicious endings in a row that brought nothing new make the revision itself suspect. */
const FRUITLESS_LIMIT = 3;

/**
 * @param fruitless suspicious endings in a row, this one included, after which the revision was what it was before
 */
export function verdictOf(error: unknown, fruitless: number): Verdict {
  return isExpired(error) || fruitless >= FRUITLESS_LIMIT ? 'relist' : 'resume';
}

/** Whether an ending says something about the stream or the revision, rather than about the network or the load. */
export function isSuspicious(error: unknown): boolean {
  if (error instanceof WatchSilenceError) return false;
  if (error instanceof KubeError) return error.inStream || !isTransient(error);
  return true;
}

/** A streamed list stopped before it was complete: this server does not seem to know how to end one. */
export class StreamStalledError extends Error {
  override readonly name = 'StreamStalledError';
}

/** Whether a server does not stream lists, as the failure of one shows. */
export function isStreamingUnknown(error: unknown): boolean {
  if (error instanceof StreamStalledError) return true;
  return error instanceof KubeError && (error.code === 400 || error.code === 422);
}
