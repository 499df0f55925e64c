// The JSON patch of a webhook, applied to the object that it was asked about.
import { isList, isObject, type Json, type JsonObject } from '../json.ts';
import { applyJsonPatch } from '../patch/json-patch.ts';
import { internalError } from './response.ts';

/**
 * The patched object; the same value if nothing changes.
 *
 * @throws StatusError 500 that names the operation which cannot be carried out
 */
export function patchedBy(object: JsonObject, patch: Json): JsonObject {
  try {
    return patched(object, patch);
  } catch {
    throw internalError(faultOf(object, patch));
  }
}

function patched(object: JsonObject, patch: Json): JsonObject {
  const result = applyJsonPatch(object, patch);
  if (!isObject(result)) throw new Error('the patch leaves no object');
  return result;
}

/** Operations are tried one by one until the one that fails. */
function faultOf(object: JsonObject, patch: Json): string {
  if (!isList(patch)) return 'invalid JSON Patch: it is not a list of operations';
  let current = object;
  for (const operation of patch) {
    try {
      current = patched(current, [operation]);
    } catch {
      return wording(isObject(operation) ? operation : {});
    }
  }
  return 'the patch leaves no object';
}

/** As the library of the real server words it. */
function wording({ op, path }: JsonObject): string {
  const where = typeof path === 'string' ? path : '';
  const key = where.slice(where.lastIndexOf('/') + 1);
  switch (typeof op === 'string' ? op : '') {
    case 'remove':
      return `error in remove for path: '${where}': Unable to remove nonexistent key: ${key}: missing value`;
    case 'replace':
      return `replace operation does not apply: doc is missing key: ${where}: missing value`;
    case 'test':
      return `testing value ${where} failed: test failed`;
    default:
      return `${typeof op === 'string' ? op : 'unknown'} operation does not apply: doc is missing path: "${where}": missing value`;
  }
}
