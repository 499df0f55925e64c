// What a typed encoder writes for an object of a built-in kind in which nothing is set.
import type { Json, JsonObject } from '../json.ts';
import type { TypeSchema } from './type-schema.ts';
import { zeroOf } from './type-table.ts';

const cache = new WeakMap<TypeSchema, JsonObject>();

/** The members that an object of this type always has, with their zero values; `{}` for types that declare none. */
export function emptyObject(type: TypeSchema): JsonObject {
  const known = cache.get(type);
  if (known !== undefined) return known;
  const out: Record<string, Json> = {};
  for (const [name, field] of type.map?.fields ?? []) {
    if (field.emission === 'nullable') out[name] = null;
    if (field.emission === 'always') out[name] = emptyValue(field.type);
  }
  const empty = Object.freeze(out);
  cache.set(type, empty);
  return empty;
}

/** The zero value of a type: null for lists and maps, an empty object for structs. */
export function emptyValue(type: TypeSchema): Json {
  if (type.leaf !== undefined) return zeroOf(type) ?? null;
  if (type.map !== undefined && type.map.fields.size > 0) return emptyObject(type);
  return type.map !== undefined && type.map.element === undefined ? {} : null;
}
