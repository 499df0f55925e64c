// OpenAPI schemas of the built-in kinds, made from their types.
import type { JsonObject } from '../json.ts';
import type { ResourceType } from '../kinds/resource-type.ts';
import type { Leaf, TypeSchema } from '../schema/type-schema.ts';

const LEAVES: Readonly<Partial<Record<Leaf, JsonObject>>> = {
  string: { type: 'string' },
  int64: { type: 'integer', format: 'int64' },
  bool: { type: 'boolean' },
  float: { type: 'number', format: 'double' },
  bytes: { type: 'string', format: 'byte' },
  time: { type: 'string', format: 'date-time' },
  microTime: { type: 'string', format: 'date-time' },
  quantity: { oneOf: [{ type: 'string' }, { type: 'number' }] },
  intOrString: { 'x-kubernetes-int-or-string': true, oneOf: [{ type: 'integer' }, { type: 'string' }] },
  raw: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
  fields: { type: 'object' },
};

const INTEGER: JsonObject = { type: 'integer', format: 'int32' };

/** Collects the schemas that a document needs; named types are written once and referred to. */
export class SchemaCollector {
  readonly #schemas = new Map<string, JsonObject>();

  /** The schema of a type: a reference if it has a name. */
  of(type: TypeSchema): JsonObject {
    if (type.leaf !== undefined) return LEAVES[type.leaf] ?? INTEGER;
    if (type.list !== undefined && type.map === undefined) {
      return { type: 'array', items: this.of(type.list.element), ...listExtensions(type) };
    }
    if (type.map === undefined) return scalar(type);
    if (type.name !== undefined) return this.#reference(type, type.name);
    if (type.list !== undefined) return { 'x-kubernetes-preserve-unknown-fields': true };
    return this.#object(type);
  }

  /** The schema of a kind, under its own name, with the mark by which clients find it. */
  addKind(resource: ResourceType): string {
    const key = componentName(resource.schema.name ?? resource.kind);
    this.#reference(resource.schema, resource.schema.name ?? resource.kind);
    const { group, version, kind } = resource;
    this.#schemas.set(key, {
      ...this.#schemas.get(key),
      'x-kubernetes-group-version-kind': [{ group, version, kind }],
    });
    return key;
  }

  /** Adds a schema that was written elsewhere. */
  add(name: string, schema: JsonObject): void {
    this.#schemas.set(name, schema);
  }

  /** All schemas by name. */
  schemas(): JsonObject {
    return Object.fromEntries([...this.#schemas].sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  #reference(type: TypeSchema, name: string): JsonObject {
    const key = componentName(name);
    if (!this.#schemas.has(key)) {
      this.#schemas.set(key, {}); // before its members, which may refer to it
      this.#schemas.set(key, this.#object(type));
    }
    return { $ref: `#/components/schemas/${key}` };
  }

  #object({ map, open }: TypeSchema): JsonObject {
    const properties = Object.fromEntries([...(map?.fields ?? [])].map(([name, field]) => [name, this.of(field.type)]));
    return {
      type: 'object',
      ...(Object.keys(properties).length === 0 ? {} : { properties }),
      ...(map?.element === undefined || open ? {} : { additionalProperties: this.of(map.element) }),
      ...(open ? { 'x-kubernetes-preserve-unknown-fields': true } : {}),
      ...(map?.atomic === true ? { 'x-kubernetes-map-type': 'atomic' } : {}),
    };
  }
}

function componentName(name: string): string {
  return `io.k8s.${name}`;
}

function scalar(type: TypeSchema): JsonObject {
  switch (type.scalar) {
    case 'string':
    case 'boolean':
      return { type: type.scalar };
    case 'numeric':
      return { type: 'number' };
    case 'untyped':
    case undefined:
      return { 'x-kubernetes-preserve-unknown-fields': true };
  }
}

function listExtensions({ list, patch }: TypeSchema): JsonObject {
  const keys = list?.keys ?? [];
  return {
    'x-kubernetes-list-type': list?.relation ?? 'atomic',
    ...(keys.length === 0 ? {} : { 'x-kubernetes-list-map-keys': keys }),
    ...(patch?.merge === true ? { 'x-kubernetes-patch-strategy': 'merge' } : {}),
    ...(patch?.mergeKey === undefined ? {} : { 'x-kubernetes-patch-merge-key': patch.mergeKey }),
  };
}
