// Lists declared as sets or as maps hold nothing twice.
import { duplicate, invalidValue } from '../causes.ts';
import type { Cause } from '../errors.ts';
import { isList, isObject } from '../json.ts';
import type { Json, JsonObject } from '../json.ts';

/** The repeated items of all sets and lists with keys in a value. */
export function listDuplicates(schema: JsonObject, value: Json, path = ''): Cause[] {
  const causes: Cause[] = [];
  collect(schema, value, path, causes);
  return causes;
}

function collect(schema: JsonObject, value: Json, path: string, causes: Cause[]): void {
  if (isList(value)) {
    const type = schema['x-kubernetes-list-type'];
    if (type === 'set') repeated(value, path, causes, (item) => item);
    if (type === 'map') keyed(schema, value, path, causes);
    const items = schema['items'];
    if (isObject(items)) for (const [index, item] of value.entries()) collect(items, item, `${path}[${index}]`, causes);
  } else if (isObject(value)) {
    const { properties, additionalProperties } = schema;
    for (const key in value) {
      const member = value[key];
      if (member === undefined) continue;
      const declared = isObject(properties) && Object.hasOwn(properties, key) ? properties[key] : undefined;
      if (isObject(declared)) collect(declared, member, path === '' ? key : `${path}.${key}`, causes);
      else if (isObject(additionalProperties)) collect(additionalProperties, member, `${path}[${key}]`, causes);
    }
  }
}

function keyed(schema: JsonObject, items: readonly Json[], path: string, causes: Cause[]): void {
  const odd = items.findIndex((item) => item !== null && !isObject(item));
  if (odd >= 0) {
    causes.push(invalidValue(`${path}[${odd}]`, items[odd], 'must be an object for an array of list-type map'));
    return;
  }
  const keys = isList(schema['x-kubernetes-list-map-keys']) ? schema['x-kubernetes-list-map-keys'] : [];
  repeated(items, path, causes, (item) => {
    const identity: Record<string, Json> = {};
    for (const key of keys) {
      const value = isObject(item) && typeof key === 'string' ? item[key] : undefined;
      if (value !== undefined) identity[key as string] = value;
    }
    return identity;
  });
}

/** Reports the second appearance of each identity, and no further ones. */
function repeated(items: readonly Json[], path: string, causes: Cause[], identity: (item: Json) => Json): void {
  const seen = new Map<string, number>();
  for (const [index, item] of items.entries()) {
    const shown = identity(item);
    const text = JSON.stringify(shown);
    const times = seen.get(text) ?? 0;
    seen.set(text, times + 1);
    if (times === 1) causes.push(duplicate(`${path}[${index}]`, shown));
  }
}
