// The refusal of verbs.
import { methodNotAllowed, type StatusError } from '../errors.ts';
import type { Call } from './core.ts';

/** 405 for a verb that the resource or subresource does not know. */
export function unsupported({ resource, type }: Call): StatusError {
  return methodNotAllowed({ group: type.group, kind: type.plural }, resource.verb);
}
