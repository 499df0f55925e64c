// What a CustomResourceDefinition's schema may not contain: it must be structural.
import { forbiddenField, invalidValue, notSupported, required } from '../causes.ts';
import type { Cause } from '../errors.ts';
import { isList, isObject } from '../json.ts';
import type { Json, JsonObject } from '../json.ts';
import { listTypeFaults } from './list-type-faults.ts';
import { patternOf } from './patterns.ts';
import { prune } from './prune.ts';
import { validate } from './validate.ts';

type Level = 'root' | 'item' | 'field';

const UNSUPPORTED = ['id', 'additionalItems', 'patternProperties', 'definitions', 'dependencies', '$ref'];
const TYPES = ['array', 'boolean', 'integer', 'number', 'object', 'string'];
const INT_OR_STRING = JSON.stringify([{ type: 'integer' }, { type: 'string' }]);

/** The faults of a version's `openAPIV3Schema`; `path` is where it stands, such as `spec.versions[0].schema.openAPIV3Schema`. */
export function structuralFaults(schema: JsonObject, path = ''): Cause[] {
  const causes: Cause[] = [];
  checkSchema(schema, 'root', path, causes);
  if (schema['nullable'] === true)
    causes.push(forbiddenField(join(path, 'nullable'), 'nullable cannot be true at the root'));
  return causes;
}

function join(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}

function checkSchema(schema: JsonObject, level: Level, path: string, causes: Cause[]): void {
  const { properties, additionalProperties, items } = schema;
  checkSelf(schema, level, path, causes);
  if (isObject(items)) checkSchema(items, 'item', join(path, 'items'), causes);
  else if (isList(items))
    causes.push(forbiddenField(join(path, 'items'), 'items must be a schema object and not an array'));
  else if (schema['type'] === 'array') causes.push(required(join(path, 'items'), 'must be specified'));
  for (const [name, property] of Object.entries(isObject(properties) ? properties : {})) {
    if (isObject(property)) checkSchema(property, 'field', `${join(path, 'properties')}[${name}]`, causes);
  }
  if (additionalProperties !== undefined) {
    const place = join(path, 'additionalProperties');
    if (level === 'root') causes.push(forbiddenField(place, 'must not be used at the root'));
    if (isObject(properties) && Object.keys(properties).length > 0) {
      causes.push(forbiddenField(place, 'additionalProperties and properties are mutual exclusive'));
    }
    if (isObject(additionalProperties)) checkSchema(additionalProperties, 'field', place, causes);
  }
  checkJunctors(schema, path, causes);
  causes.push(...listTypeFaults(schema, path));
}

function checkSelf(schema: JsonObject, level: Level, path: string, causes: Cause[]): void {
  const type = schema['type'];
  const intOrString = schema['x-kubernetes-int-or-string'] === true;
  const preserve = schema['x-kubernetes-preserve-unknown-fields'];
  const embedded = schema['x-kubernetes-embedded-resource'] === true;
  const hasType = typeof type === 'string' && type !== '';
  for (const key of UNSUPPORTED) {
    if (schema[key] !== undefined) causes.push(forbiddenField(join(path, key), `${key} is not supported`));
  }
  if (type === 'null')
    causes.push(forbiddenField(join(path, 'type'), 'type cannot be set to null, use nullable as an alternative'));
  else if (hasType && !TYPES.includes(type)) causes.push(notSupported(join(path, 'type'), type, TYPES));
  if (schema['uniqueItems'] === true) {
    const why = 'uniqueItems cannot be set to true since the runtime complexity becomes quadratic';
    causes.push(forbiddenField(join(path, 'uniqueItems'), why));
  }
  if (preserve === false) {
    causes.push(
      invalidValue(join(path, 'x-kubernetes-preserve-unknown-fields'), preserve, 'must be true or undefined'),
    );
  }
  if (intOrString && preserve === true) {
    const place = join(path, 'x-kubernetes-preserve-unknown-fields');
    causes.push(invalidValue(place, true, 'must be false if x-kubernetes-int-or-string is true'));
  }
  const place = join(path, 'type');
  if (embedded && type !== 'object') {
    const why = 'must be object if x-kubernetes-embedded-resource is true';
    causes.push(hasType ? invalidValue(place, type, why) : required(place, why));
  } else if (!hasType && !intOrString && preserve !== true) {
    const where = { root: 'at the root', item: 'for specified array items', field: 'for specified object fields' }[
      level
    ];
    causes.push(required(place, `must not be empty ${where}`));
  }
  if (embedded && preserve !== true && !isObject(schema['properties'])) {
    const why =
      'must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields';
    causes.push(required(join(path, 'properties'), why));
  }
  if (level === 'root' && hasType && type !== 'object')
    causes.push(invalidValue(place, type, 'must be object at the root'));
  if (level === 'root') checkRootMetadata(schema, path, causes);
  checkPattern(schema, path, causes);
  checkDefault(schema, path, causes);
}

function checkRootMetadata(schema: JsonObject, path: string, causes: Cause[]): void {
  const properties = isObject(schema['properties']) ? schema['properties'] : {};
  for (const key of ['kind', 'apiVersion']) {
    const property = properties[key];
    if (isObject(property) && property['type'] !== 'string') {
      causes.push(invalidValue(`${join(path, 'properties')}[${key}].type`, property['type'], 'must be string'));
    }
  }
  const metadata = properties['metadata'];
  if (!isObject(metadata)) return;
  const place = `${join(path, 'properties')}[metadata]`;
  if (metadata['type'] !== 'object') causes.push(invalidValue(`${place}.type`, metadata['type'], 'must be object'));
  const names = isObject(metadata['properties']) ? Object.keys(metadata['properties']) : [];
  const others = Object.keys(metadata).filter((key) => key !== 'type' && key !== 'properties' && key !== 'description');
  if (others.length > 0 || names.some((name) => name !== 'name' && name !== 'generateName')) {
    const why = 'must not specify anything other than name and generateName, but metadata is implicitly specified';
    causes.push(forbiddenField(place, why));
  }
}

function checkPattern(schema: JsonObject, path: string, causes: Cause[]): void {
  const pattern = schema['pattern'];
  if (typeof pattern !== 'string' || pattern === '' || patternOf(pattern) !== undefined) return;
  causes.push(invalidValue(join(path, 'pattern'), pattern, "must be a valid regular expression, but isn't"));
}

function checkDefault(schema: JsonObject, path: string, causes: Cause[]): void {
  const value = schema['default'];
  if (value === undefined) return;
  const place = join(path, 'default');
  causes.push(...validate(schema, value, place));
  if (prune({ properties: { default: schema } }, { default: value }).pruned.length > 0) {
    causes.push(invalidValue(place, value, 'must not have unknown fields'));
  }
}

/** Schemas under anyOf, allOf, oneOf and not may only narrow what is declared outside. */
function checkJunctors(schema: JsonObject, path: string, causes: Cause[]): void {
  for (const junctor of ['anyOf', 'allOf', 'oneOf'] as const) {
    const list = schema[junctor];
    if (!isList(list)) continue;
    if (junctor === 'anyOf' && JSON.stringify(list) === INT_OR_STRING) continue;
    for (const [index, nested] of list.entries()) {
      if (isObject(nested)) checkNested(nested, junctor, `${join(path, junctor)}[${index}]`, causes);
    }
  }
  if (isObject(schema['not'])) checkNested(schema['not'], 'not', join(path, 'not'), causes);
}

/** What must be empty under a junctor, and how the server says so. */
const FORBIDDEN: Readonly<Record<string, string>> = {
  type: 'must be empty to be structural',
  title: 'must be empty to be structural',
  description: 'must be empty to be structural',
  default: 'must be undefined to be structural',
  additionalProperties: 'must be undefined to be structural',
  nullable: 'must be false to be structural',
  'x-kubernetes-preserve-unknown-fields': 'must be false to be structural',
  'x-kubernetes-embedded-resource': 'must be false to be structural',
  'x-kubernetes-int-or-string': 'must be false to be structural',
  'x-kubernetes-list-map-keys': 'must be empty to be structural',
  'x-kubernetes-list-type': 'must be undefined to be structural',
  'x-kubernetes-map-type': 'must be undefined to be structural',
  'x-kubernetes-validations': 'must be empty to be structural',
};

function checkNested(schema: JsonObject, junctor: string, path: string, causes: Cause[]): void {
  for (const [key, why] of Object.entries(FORBIDDEN)) {
    const value = schema[key];
    if (isBlank(value)) continue;
    if (key === 'x-kubernetes-validations' && junctor === 'allOf') continue;
    causes.push(forbiddenField(join(path, key), why));
  }
  const { properties, items } = schema;
  for (const [name, property] of Object.entries(isObject(properties) ? properties : {})) {
    const place = `${join(path, 'properties')}[${name}]`;
    if (name === 'metadata') causes.push(forbiddenField(place, 'must not be specified in a nested context'));
    if (isObject(property)) checkNested(property, junctor, place, causes);
  }
  if (isObject(items)) checkNested(items, junctor, join(path, 'items'), causes);
  checkPattern(schema, path, causes);
  const allOf = schema['allOf'];
  const first = isList(allOf) ? allOf[0] : undefined;
  const exempt = isObject(first) && JSON.stringify(first['anyOf']) === INT_OR_STRING;
  checkJunctors(exempt ? { ...schema, allOf: (allOf as readonly Json[]).slice(1) } : schema, path, causes);
}

function isBlank(value: Json | undefined): boolean {
  return value === undefined || value === '' || value === false || (isList(value) && value.length === 0);
}
