// Fills in the defaults of a version's schema.
import { isList, isObject } from '../json.ts';
import type { Json, JsonObject } from '../json.ts';

/**
 * The value with its defaults. Null counts as absent where the schema does not allow it: it becomes the default, or goes away if
 * there is none; with `keepNulls` it stays in the latter case, as after server-side apply, where validation then refuses it.
 * Unchanged parts are shared with `value`.
 */
export function applyDefaults(schema: JsonObject, value: Json, keepNulls = false): Json {
  if (isObject(value)) return defaultMembers(schema, value, keepNulls);
  if (isList(value)) return defaultItems(schema, value, keepNulls);
  return value;
}

function defaultMembers(schema: JsonObject, value: JsonObject, keepNulls: boolean): JsonObject {
  const properties = isObject(schema['properties']) ? schema['properties'] : undefined;
  let out: Record<string, Json | undefined> | undefined;
  const set = (key: string, member: Json | undefined): void => {
    out ??= { ...value };
    if (member === undefined) delete out[key];
    else out[key] = member;
  };
  for (const key in properties) {
    const property = properties[key];
    if (value[key] !== undefined || !isObject(property) || property['default'] === undefined) continue;
    set(key, applyDefaults(property, property['default'], keepNulls));
  }
  for (const key in value) {
    const member = value[key];
    if (member === undefined) continue;
    const memberSchema = schemaOfMember(schema, key);
    if (memberSchema === undefined) continue;
    if (member !== null) {
      const filled = applyDefaults(memberSchema, member, keepNulls);
      if (filled !== member) set(key, filled);
    } else if (memberSchema['nullable'] !== true) {
      const fallback = memberSchema['default'] ?? null;
      if (fallback !== null) set(key, applyDefaults(memberSchema, fallback, keepNulls));
      else if (!keepNulls) set(key, undefined);
    }
  }
  return out ?? value;
}

function defaultItems(schema: JsonObject, items: readonly Json[], keepNulls: boolean): readonly Json[] {
  const itemSchema = schema['items'];
  if (!isObject(itemSchema)) return items;
  let out: Json[] | undefined;
  for (const [index, item] of items.entries()) {
    const fallback = item === null && itemSchema['nullable'] !== true ? (itemSchema['default'] ?? null) : item;
    const filled = applyDefaults(itemSchema, fallback, keepNulls);
    if (filled === item) continue;
    out ??= [...items];
    out[index] = filled;
  }
  return out ?? items;
}

/** The schema of a member: its property, else that of additional properties; undefined if neither is a schema. */
export function schemaOfMember(schema: JsonObject, key: string): JsonObject | undefined {
  const { properties, additionalProperties } = schema;
  if (isObject(properties) && Object.hasOwn(properties, key)) {
    const property = properties[key];
    if (isObject(property)) return property;
  }
  return isObject(additionalProperties) ? additionalProperties : undefined;
}
