// The refusal of verbs.
import { methodNotAllowed, methodNotServed, type StatusError } from '../errors.ts';
import type { Call } from './core.ts';

/** 405 for a verb that the resource or subresource does not know. */
export function unsupported({ resource, type }: Call): StatusError {
  // Built-in kinds have a route for each verb that they know; custom resources have one handler for all.
  if (!type.custom) return methodNotServed();
  return methodNotAllowed({ group: type.group, kind: type.plural }, resource.verb);
}
