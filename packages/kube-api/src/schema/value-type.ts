// Whether a value has the type that a schema asks for.
import { isList } from '../json.ts';
import type { Json, JsonObject } from '../json.ts';
import { knownFormat } from './formats.ts';

/** The JSON type of a value in the words of OpenAPI; whole numbers are integers. */
export function openApiType(value: Json): string {
  if (value === null) return 'null';
  if (isList(value)) return 'array';
  if (typeof value === 'object') return 'object';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return typeof value;
}

/** The types that a schema allows; empty: any. */
export function allowedTypes(schema: JsonObject): readonly string[] {
  if (schema['x-kubernetes-int-or-string'] === true) return ['integer', 'string'];
  const type = schema['type'];
  return typeof type === 'string' && type !== '' ? [type] : [];
}

/** Undefined if the type fits; else what was found and what was expected. */
export function typeFault(
  schema: JsonObject,
  value: Json,
): { readonly found: string; readonly expected: string } | undefined {
  const types = allowedTypes(schema);
  if (types.length === 0) return undefined;
  const found = openApiType(value);
  if (types.includes(found)) return undefined;
  if (found === 'null' && schema['nullable'] === true) return undefined;
  if (found === 'integer' && types.includes('number')) return undefined;
  const numeric = types.includes('number') || types.includes('integer');
  const format = schema['format'];
  if (typeof format === 'string' && found !== 'null' && !numeric && knownFormat(format) !== undefined) {
    // Where a format is known, it takes the place of the type, and lists are not looked at.
    if (found === 'array') return undefined;
    return { found: found === 'integer' ? 'int64' : found === 'number' ? 'float64' : '', expected: format };
  }
  return { found, expected: types.join(',') };
}
