// What the typed decoder, the defaults and the encoder of the real server make of an object of a built-in kind.
import { isList, isObject } from '../json.ts';
import type { Json, JsonObject, KubeObject } from '../json.ts';
import { structDefaults } from './builtin-defaults.ts';
import { rootDefaults } from './root-defaults.ts';
import { decodeLeaf, unmarshalFault } from './leaf-codec.ts';
import type { Field, TypeSchema } from './type-schema.ts';
import { zeroOf } from './type-table.ts';

/** A completed object and the paths of the fields that its type does not have. */
export interface Completed {
  readonly object: KubeObject;
  readonly unknown: readonly string[];
}

const completeParts = new WeakMap<object, TypeSchema>();
const completeEmpties = new WeakMap<TypeSchema, Json>();

/**
 * Drops unknown fields and empty values, writes times and quantities in their canonical form, fills in defaults and the fields
 * that an object of this type always has. Idempotent; parts that are complete are shared. `metadata.managedFields` is left as
 * it is. Throws 400 for a value of the wrong type.
 */
export function completeBuiltin(object: KubeObject, type: TypeSchema): Completed {
  const unknown: string[] = [];
  const walk = new Codec(unknown);
  const completed = walk.root(object, type) as KubeObject;
  return { object: rootDefaults(completed), unknown };
}

class Codec {
  readonly #unknown: string[];

  constructor(unknown: string[]) {
    this.#unknown = unknown;
  }

  root(object: JsonObject, type: TypeSchema): JsonObject {
    return this.#struct(object, type, '', type.name ?? '');
  }

  /** The value in its canonical form; undefined for null where there is no zero value. */
  #value(value: Json, type: TypeSchema, path: string, owner: string): Json | undefined {
    if (type.leaf !== undefined) return value === null ? null : decodeLeaf(value, type.leaf, path, owner);
    if (type.list !== undefined) return this.#list(value, type.list.element, path, owner);
    if (type.map === undefined || type.open) return value;
    if (type.map.element !== undefined) return this.#map(value, type.map.element, path, owner);
    if (value === null) return null;
    if (!isObject(value)) throw unmarshalFault(value, path, owner, `v1.${type.name ?? ''}`);
    return this.#struct(value, type, path, owner);
  }

  #list(value: Json, element: TypeSchema, path: string, owner: string): Json {
    if (value === null) return null;
    if (!isList(value)) throw unmarshalFault(value, path, owner, `[]${goElement(element)}`);
    let out: Json[] | undefined;
    for (const [index, item] of value.entries()) {
      const known = this.#value(item, element, `${path}[${index}]`, owner) ?? this.#zero(element);
      const kept = known === null ? this.#zero(element) : known;
      if (kept === item) continue;
      out ??= [...value];
      out[index] = kept;
    }
    return out ?? value;
  }

  #map(value: Json, element: TypeSchema, path: string, owner: string): Json {
    if (value === null) return null;
    if (!isObject(value)) throw unmarshalFault(value, path, owner, `map[string]${goElement(element)}`);
    let out: Record<string, Json | undefined> | undefined;
    for (const key in value) {
      const member = value[key];
      if (member === undefined) continue;
      const kept = this.#value(member, element, `${path}.${key}`, owner) ?? this.#zero(element);
      if (kept === member) continue;
      out ??= { ...value };
      out[key] = kept;
    }
    return out ?? value;
  }

  #struct(value: JsonObject, type: TypeSchema, path: string, owner: string): JsonObject {
    const map = type.map;
    if (map === undefined) return value;
    const name = type.name ?? owner;
    const isRoot = path === '';
    let out: Record<string, Json | undefined> | undefined;
    const set = (key: string, member: Json | undefined): void => {
      out ??= { ...value };
      if (member === undefined) delete out[key];
      else out[key] = member;
    };
    for (const key in value) {
      const member = value[key];
      if (member === undefined) continue;
      const field = map.fields.get(key);
      if (field === undefined) {
        this.#unknown.push(isRoot ? key : `${path}.${key}`);
        set(key, undefined);
        continue;
      }
      if (isRoot && typeof member === 'object' && member !== null && completeParts.get(member) === field.type) continue;
      if (key === 'managedFields' && name === 'ObjectMeta') continue;
      const kept = this.#member(member, field, isRoot ? key : `${path}.${key}`, name);
      if (isRoot && typeof kept === 'object' && kept !== null) completeParts.set(kept, field.type);
      if (kept !== member) set(key, kept);
    }
    for (const [key, field] of map.fields) {
      if (field.emission !== 'always' && field.emission !== 'nullable') continue;
      if ((out ?? value)[key] === undefined) set(key, field.emission === 'nullable' ? null : this.#zero(field.type));
    }
    const filled = structDefaults(name, (out ?? value) as JsonObject);
    for (const key in filled) if ((out ?? value)[key] !== filled[key]) set(key, filled[key]);
    return (out ?? value) as JsonObject;
  }

  #member(member: Json, field: Field, path: string, owner: string): Json | undefined {
    const kept = this.#value(member, field.type, path, owner);
    if (field.emission === 'present') return kept === null ? undefined : kept;
    if (field.emission === 'nullable') return kept;
    if (field.emission === 'always') return kept === null || kept === undefined ? this.#zero(field.type) : kept;
    return isZero(kept) ? undefined : kept;
  }

  /** The zero value of a type with its defaults; null for lists and maps. */
  #zero(type: TypeSchema): Json {
    if (type.leaf !== undefined) return zeroOf(type) ?? null;
    if (type.map === undefined || type.map.element !== undefined) return null;
    let empty = completeEmpties.get(type);
    if (empty === undefined) {
      empty = this.#struct({}, type, '-', type.name ?? '');
      completeEmpties.set(type, empty);
    }
    return empty;
  }
}

function isZero(value: Json | undefined): boolean {
  if (value === undefined || value === null || value === '' || value === 0 || value === false) return true;
  if (typeof value !== 'object') return false;
  if (isList(value)) return value.length === 0;
  for (const _ in value) return false;
  return true;
}

function goElement(type: TypeSchema): string {
  return type.leaf ?? `v1.${type.name ?? 'object'}`;
}
