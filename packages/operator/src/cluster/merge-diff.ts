// The JSON merge patch (RFC 7386) that turns one value into another, and equality of JSON values.

type JsonObject = Readonly<Record<string, unknown>>;

/**
 * The merge patch from `before` to `after`; undefined if they are equal. Arrays are replaced whole, a field that is gone
 * becomes null. `after` must not contain null itself, which a merge patch cannot express.
 */
export function mergeDiff(before: JsonObject, after: JsonObject): JsonObject | undefined {
  const patch: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(after)) {
    const old = before[name];
    if (value === undefined || sameJson(old, value)) continue;
    patch[name] = isObject(old) && isObject(value) ? mergeDiff(old, value) : value;
  }
  for (const [name, old] of Object.entries(before))
    if (old !== undefined && after[name] === undefined) patch[name] = null;
  return Object.keys(patch).length === 0 ? undefined : patch;
}

/** Equality of JSON values: the order of fields does not matter, a field that is undefined is absent. */
export function sameJson(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (Array.isArray(a)) {
    return Array.isArray(b) && a.length === b.length && a.every((item, index) => sameJson(item, b[index]));
  }
  if (!isObject(a) || !isObject(b)) return false;
  for (const name of Object.keys(a)) if (!sameJson(a[name], b[name])) return false;
  for (const name of Object.keys(b)) if (a[name] === undefined && b[name] !== undefined) return false;
  return true;
}

/** Whether every field of `part` has that value in `whole`; arrays are compared whole. */
export function containsJson(whole: unknown, part: unknown): boolean {
  if (!isObject(part)) return sameJson(whole, part);
  return isObject(whole) && Object.entries(part).every(([name, value]) => value === undefined || containsJson(whole[name], value));
}

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
