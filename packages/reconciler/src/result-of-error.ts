// What an Action's thrown error means as its result.
import { isNamed, type RetryError } from './errors.ts';
import { undetermined, type NotDone } from './result.ts';

/** The result of a body that threw. By the error's name, for two copies of this package may be loaded. */
export function resultOfError(error: unknown): NotDone {
  if (isNamed(error, 'RetryError'))
    return { ...undetermined('Retrying', error.message, error), requeueAfterMs: (error as RetryError).afterMs };
  if (isNamed(error, 'TerminalError')) return undetermined('Terminal', error.message, error);
  if (isNamed(error, 'KnownAfter')) return undetermined('KnownAfterApply', error.message);
  return undetermined('Failed', error instanceof Error ? error.message : String(error), error);
}
