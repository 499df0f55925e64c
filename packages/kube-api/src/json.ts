// JSON values as the API server holds them, and the few operations that every other file needs on them.

/** Any JSON value. Objects and lists are read-only: the server shares them between versions, watchers and callers. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;

/** A JSON object; an absent key reads as undefined. */
export interface JsonObject {
  readonly [key: string]: Json | undefined;
}

/** An entry of `metadata.ownerReferences`. */
export interface OwnerReference extends JsonObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  readonly controller?: boolean;
  readonly blockOwnerDeletion?: boolean;
}

/** `metadata` of a stored object, as far as the server itself reads it. */
export interface ObjectMeta extends JsonObject {
  readonly name?: string;
  readonly generateName?: string;
  readonly namespace?: string;
  readonly uid?: string;
  readonly resourceVersion?: string;
  readonly generation?: number;
  readonly creationTimestamp?: string;
  readonly deletionTimestamp?: string;
  readonly deletionGracePeriodSeconds?: number;
  readonly labels?: { readonly [key: string]: string };
  readonly annotations?: { readonly [key: string]: string };
  readonly finalizers?: readonly string[];
  readonly ownerReferences?: readonly OwnerReference[];
  readonly managedFields?: readonly JsonObject[];
}

/** A Kubernetes object: JSON with the three fields that all of them have. */
export interface KubeObject extends JsonObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: ObjectMeta;
}

/** True for a JSON object: not null, not a list. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** True for a JSON list. */
export function isList(value: unknown): value is readonly Json[] {
  return Array.isArray(value);
}

/** The text that a value is, or `''`. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** Members of a list that are texts; none if it is no list. */
export function textsOf(value: unknown): readonly string[] {
  return isList(value) ? value.filter((item) => typeof item === 'string') : [];
}

/** Members of a list that are objects; none if it is no list. */
export function objectsOf(value: unknown): readonly JsonObject[] {
  return isList(value) ? value.filter(isObject) : [];
}

/** Deep equality of two JSON values. The order of keys does not matter; an undefined member counts as absent. */
export function equalJson(a: Json | undefined, b: Json | undefined): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (isList(a)) {
    if (!isList(b) || a.length !== b.length) return false;
    for (let i = 0; i < a.length; i++) if (!equalJson(a[i], b[i])) return false;
    return true;
  }
  if (isList(b)) return false;
  let count = 0;
  for (const key in a) {
    if (a[key] === undefined) continue;
    if (!equalJson(a[key], (b as JsonObject)[key])) return false;
    count++;
  }
  for (const key in b as JsonObject) if ((b as JsonObject)[key] !== undefined) count--;
  return count === 0;
}

/** Freezes a JSON value with everything in it, and returns it. What is frozen is taken as frozen to the bottom. */
export function freezeJson<T extends Json>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  freezeMembers(value);
  return value;
}

function freezeMembers(value: readonly Json[] | JsonObject): void {
  if (isList(value)) {
    for (const item of value) freezeJson(item);
    return;
  }
  for (const key in value) freezeJson(value[key] ?? null);
}

/** A copy of `object` without `key`; the object itself if the key is absent. */
export function without<T extends JsonObject>(object: T, key: string): T {
  if (!(key in object)) return object;
  const { [key]: _, ...rest } = object;
  return rest as T;
}

/** Looks up `a.b.c` (given as a list of keys); undefined as soon as something on the way is not an object. */
export function at(value: Json | undefined, ...path: readonly string[]): Json | undefined {
  let current = value;
  for (const key of path) {
    if (!isObject(current)) return undefined;
    current = current[key];
  }
  return current;
}

/** The value with the members of its objects in alphabetical order, as Go writes maps. */
export function sortedJson(value: Json): Json {
  if (isList(value)) return value.map(sortedJson);
  if (!isObject(value)) return value;
  const out: Record<string, Json> = {};
  for (const key of Object.keys(value).sort()) {
    const member = value[key];
    if (member !== undefined) out[key] = sortedJson(member);
  }
  return out;
}
