// Objects inside of objects, where the schema says `x-kubernetes-embedded-resource`.
import { invalidValue, required } from '../causes.ts';
import type { Cause } from '../errors.ts';
import { isList, isObject } from '../json.ts';
import type { Json, JsonObject } from '../json.ts';
import { schemaOfMember } from './defaults.ts';

/** What embedded objects lack: apiVersion and kind, as texts that say something. */
export function embeddedFaults(schema: JsonObject, value: Json, path = ''): Cause[] {
  const causes: Cause[] = [];
  collect(schema, value, path, causes);
  return causes;
}

function collect(schema: JsonObject, value: Json, path: string, causes: Cause[]): void {
  if (isList(value)) {
    const items = schema['items'];
    if (isObject(items)) for (const [index, item] of value.entries()) collect(items, item, `${path}[${index}]`, causes);
  } else if (isObject(value)) {
    if (schema['x-kubernetes-embedded-resource'] === true) checkHeader(value, path, causes);
    for (const key in value) {
      const member = value[key];
      const memberSchema = member === undefined ? undefined : schemaOfMember(schema, key);
      if (memberSchema !== undefined)
        collect(memberSchema, member as Json, path === '' ? key : `${path}.${key}`, causes);
    }
  }
}

function checkHeader(value: JsonObject, path: string, causes: Cause[]): void {
  for (const key of ['apiVersion', 'kind']) {
    const text = value[key];
    const field = `${path}.${key}`;
    if (text === undefined) causes.push(required(field));
    else if (typeof text !== 'string') causes.push(invalidValue(field, text, 'must be a string'));
    else if (text === '') causes.push(invalidValue(field, text, 'must not be empty'));
  }
}
