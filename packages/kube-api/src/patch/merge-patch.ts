// JSON merge patch.
import { badRequest } from '../errors.ts';
import { equalJson, isObject } from '../json.ts';
import type { Json } from '../json.ts';

/**
 * Applies a JSON merge patch (RFC 7386): null removes, objects are merged, everything else is replaced. Unchanged parts are
 * shared with `object`, and `object` itself comes back if nothing changes. Throws 400 unless both are objects.
 */
export function applyMergePatch(object: Json, patch: Json): Json {
  if (!isObject(patch) || !isObject(object)) throw badRequest('Invalid JSON Patch');
  return mergeValue(object, patch);
}

/** RFC 7386 for any two values. */
export function mergeValue(target: Json | undefined, patch: Json): Json {
  if (!isObject(patch)) return target !== undefined && equalJson(target, patch) ? target : patch;
  const base = isObject(target) ? target : {};
  let out: Record<string, Json | undefined> | undefined = base === target ? undefined : {};
  for (const key in patch) {
    const value = patch[key];
    if (value === undefined) continue;
    if (value === null) {
      if (base[key] === undefined) continue;
      out ??= { ...base };
      delete out[key];
      continue;
    }
    const merged = mergeValue(base[key], value);
    if (merged === base[key]) continue;
    out ??= { ...base };
    out[key] = merged;
  }
  return out ?? base;
}
