// The type of a custom resource, compiled from a version's structural schema.
import { isList, isObject } from '../json.ts';
import type { Json, JsonObject } from '../json.ts';
import { builtinPart } from './builtin-types.ts';
import { deducedSchema, typeSchema, untypedAtomic } from './type-schema.ts';
import type { Field, ListType, MapType, Scalar, TypeSchema } from './type-schema.ts';

const string = typeSchema({ scalar: 'string' });

/**
 * Compiles `openAPIV3Schema` of one version. `metadata`, `apiVersion` and `kind` have their usual types whatever the schema
 * says of them. Without a schema everything is deduced from the values.
 */
export function schemaOfCrd(openAPIV3Schema: JsonObject | undefined): TypeSchema {
  const metadata = builtinPart('ObjectMeta');
  if (openAPIV3Schema === undefined) return withHeader(deducedSchema, metadata);
  return withHeader(compile(openAPIV3Schema, false), metadata);
}

function withHeader(type: TypeSchema, metadata: TypeSchema): TypeSchema {
  const map = type.map as MapType;
  const fields = new Map(map.fields);
  fields.set('apiVersion', declared('apiVersion', string));
  fields.set('kind', declared('kind', string));
  fields.set('metadata', declared('metadata', metadata));
  return typeSchema({ map: { ...map, atomic: false, fields }, open: type.open });
}

function declared(name: string, type: TypeSchema, keyDefault?: Json): Field {
  return { type, element: `f:${name}`, emission: 'present', keyDefault };
}

/** `open`: an ancestor preserves unknown fields, and its descendants with it. */
function compile(schema: JsonObject, open: boolean): TypeSchema {
  const preserving = open || schema['x-kubernetes-preserve-unknown-fields'] === true;
  if (schema['x-kubernetes-int-or-string'] === true) return typeSchema({ scalar: 'untyped' });
  const type = typeof schema['type'] === 'string' ? schema['type'] : '';
  switch (type) {
    case 'object':
      return typeSchema({ map: objectType(schema, preserving), open: preserving });
    case 'array':
      return typeSchema({ list: listType(schema, preserving) });
    case 'integer':
    case 'number':
      return typeSchema({ scalar: 'numeric' });
    case 'boolean':
      return typeSchema({ scalar: 'boolean' });
    case 'string':
      return typeSchema({ scalar: scalarOfFormat(schema['format']) });
    default:
      return typeSchema({
        scalar: 'untyped',
        list: listType(schema, preserving),
        map: objectType(schema, preserving),
        open: preserving,
      });
  }
}

function scalarOfFormat(format: Json | undefined): Scalar {
  return format === undefined || format === '' || format === 'byte' ? 'string' : 'untyped';
}

function objectType(schema: JsonObject, open: boolean): MapType {
  const fields = new Map<string, Field>();
  const properties = isObject(schema['properties']) ? schema['properties'] : {};
  for (const [name, member] of Object.entries(properties)) {
    if (isObject(member)) fields.set(name, declared(name, compile(member, open), member['default']));
  }
  if (schema['x-kubernetes-embedded-resource'] === true) embed(fields);
  const additional = schema['additionalProperties'];
  const free = additional === true || (additional === undefined && (open || fields.size === 0));
  const element = isObject(additional) ? compile(additional, open) : free ? deducedSchema : undefined;
  return { atomic: schema['x-kubernetes-map-type'] === 'atomic', fields, element };
}

/** An embedded object has the fields of every Kubernetes object. */
function embed(fields: Map<string, Field>): void {
  if (!fields.has('apiVersion')) fields.set('apiVersion', declared('apiVersion', string));
  if (!fields.has('kind')) fields.set('kind', declared('kind', string));
  fields.set('metadata', declared('metadata', builtinPart('ObjectMeta')));
}

function listType(schema: JsonObject, open: boolean): ListType {
  const items = schema['items'];
  const element = isObject(items) ? compile(items, open) : untypedAtomic;
  const keys = schema['x-kubernetes-list-map-keys'];
  const type = schema['x-kubernetes-list-type'];
  if (type === 'set') return { relation: 'set', element, keys: [] };
  if (type !== 'map' || !isList(keys)) return { relation: 'atomic', element, keys: [] };
  return { relation: 'map', element, keys: keys.filter((key) => typeof key === 'string').sort() };
}
