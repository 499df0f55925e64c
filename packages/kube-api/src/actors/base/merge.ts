// JSON merge patches computed from two values.
import type { Json, JsonObject } from '../../json.ts';
import { equalJson, isObject } from '../../json.ts';

/**
 * The merge patch that turns `current` into `wanted`; undefined if they are equal. Fields of `current` that `wanted`
 * does not name are removed. Lists are replaced whole.
 */
export function mergeDiff(current: JsonObject | undefined, wanted: JsonObject): JsonObject | undefined {
  const patch: Record<string, Json> = {};
  for (const [key, value] of Object.entries(wanted)) {
    const known = current?.[key];
    if (value === undefined || equalJson(known, value)) continue;
    const nested = isObject(known) && isObject(value) ? mergeDiff(known, value) : undefined;
    patch[key] = nested ?? value;
  }
  for (const key of Object.keys(current ?? {})) {
    if (wanted[key] === undefined && current?.[key] !== undefined) patch[key] = null;
  }
  return Object.keys(patch).length === 0 ? undefined : patch;
}
