// The directives of strategic merge patch and the errors about them.
import { badRequest, internal } from '../errors.ts';
import type { StatusError } from '../errors.ts';
import type { Json, JsonObject } from '../json.ts';

export const DIRECTIVE = '$patch';
export const RETAIN = '$retainKeys';
export const ORDER = '$setElementOrder';
export const DELETE_FROM = '$deleteFromPrimitiveList';

/** 400: a directive does not have its form. */
export function formatError(what: string): StatusError {
  return badRequest(`invalid patch format of ${what}`);
}

/** 500: `$patch` has a value that means nothing here. */
export function badDirective(directive: Json, patch: JsonObject): StatusError {
  return internal(`unknown patch type: ${JSON.stringify(directive)} in map: ${JSON.stringify(patch)}`);
}

/** 500: an item of a merged list cannot be told apart from the others. */
export function noMergeKey(item: Json, key: string): StatusError {
  return internal(`map: ${JSON.stringify(item)} does not contain declared merge key: ${key}`);
}

/** The field that `$directive/field` is about. Throws 400 if it names none. */
export function keyAfter(key: string, prefix: string): string {
  const name = key.startsWith(`${prefix}/`) ? key.slice(prefix.length + 1) : '';
  if (name === '') throw formatError(prefix === ORDER ? 'setElementOrder list' : 'primitive list');
  return name;
}
