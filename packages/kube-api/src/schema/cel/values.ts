// JSON values as CEL sees them through a schema.
import { celEnv, parse, plan } from '@bufbuild/cel';
import type { CelInput } from '@bufbuild/cel';
import { isList, isObject } from '../../json.ts';
import type { Json, JsonObject } from '../../json.ts';

const RESERVED = new Set(
  'true false null in as break const continue else for function if import let loop package namespace return var void while'.split(
    ' ',
  ),
);
const IDENTIFIER = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** The name of a property in an expression: `__dash__` for `-` and so on. Undefined if it cannot be named. */
export function escapedName(name: string): string | undefined {
  if (RESERVED.has(name)) return `__${name}__`;
  const escaped = name
    .replaceAll('__', '__underscores__')
    .replaceAll('.', '__dot__')
    .replaceAll('-', '__dash__')
    .replaceAll('/', '__slash__');
  return IDENTIFIER.test(escaped) ? escaped : undefined;
}

/** A value for an expression. Whole numbers are integers unless the schema says `number`; fields it does not declare are hidden. */
export function celValue(schema: JsonObject | undefined, value: Json): CelInput {
  if (value === null || typeof value === 'boolean') return value;
  if (typeof value === 'number')
    return schema?.['type'] === 'number' || !Number.isInteger(value) ? value : BigInt(value);
  if (typeof value === 'string') return celText(schema?.['format'], value);
  if (isList(value)) {
    const items = isObject(schema?.['items']) ? schema['items'] : undefined;
    return value.map((item) => celValue(items, item));
  }
  return celObject(schema, value);
}

function celObject(schema: JsonObject | undefined, value: JsonObject): CelInput {
  const out = new Map<string, CelInput>();
  const properties = isObject(schema?.['properties']) ? schema['properties'] : undefined;
  const additional = isObject(schema?.['additionalProperties']) ? schema['additionalProperties'] : undefined;
  const free = schema === undefined || (properties === undefined && additional === undefined);
  for (const key in value) {
    const member = value[key];
    if (member === undefined) continue;
    const property = properties !== undefined && Object.hasOwn(properties, key) ? properties[key] : undefined;
    if (isObject(property)) {
      const name = escapedName(key);
      if (name !== undefined) out.set(name, celValue(property, member));
    } else if (additional !== undefined || free) out.set(key, celValue(additional, member));
  }
  return out;
}

const conversions = new Map<string, (text: string) => CelInput>();
for (const [format, name] of [
  ['date-time', 'timestamp'],
  ['date', 'timestamp'],
  ['duration', 'duration'],
] as const) {
  const convert = plan(celEnv({ variables: {} }), parse(name === 'duration' ? 'duration(text)' : 'timestamp(text)'));
  conversions.set(format, (text) => {
    const full = format === 'date' ? `${text}T00:00:00Z` : text;
    return convert({ text: full } as never) as CelInput;
  });
}

function celText(format: Json | undefined, text: string): CelInput {
  const convert = typeof format === 'string' ? conversions.get(format) : undefined;
  if (convert === undefined) return text;
  const converted = convert(text);
  return converted instanceof Error ? text : converted;
}
