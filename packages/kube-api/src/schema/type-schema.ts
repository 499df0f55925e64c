// What server-side apply, strategic merge and the typed codec need to know of a type; nothing here validates.
import type { Json } from '../json.ts';

/** What may stand where a type expects a single value. `untyped` takes any of them. */
export type Scalar = 'string' | 'numeric' | 'boolean' | 'untyped';

/** The Go type behind a scalar of a built-in kind; it decides what is decoded, what is "empty" and how it is written. */
export type Leaf =
  | 'string'
  | 'int'
  | 'int32'
  | 'int64'
  | 'byte'
  | 'bool'
  | 'float'
  | 'bytes'
  | 'time'
  | 'microTime'
  | 'quantity'
  | 'intOrString'
  | 'raw'
  | 'fields';

/** How strategic merge patch treats a field. */
export interface PatchStrategy {
  /** Lists are merged item by item; without it they are replaced. */
  readonly merge: boolean;
  /** The field that tells the items of a merged list apart; undefined for a list of scalars. */
  readonly mergeKey: string | undefined;
  /** `$retainKeys` may clear the fields that the patch does not name. */
  readonly retainKeys: boolean;
}

/**
 * When a typed encoder writes a field: `nonEmpty` leaves out zero values, `present` writes what was set (pointers),
 * `always` writes the zero value of an absent field, `nullable` writes null for it.
 */
export type Emission = 'nonEmpty' | 'present' | 'always' | 'nullable';

/** One declared field of an object type. */
export interface Field {
  readonly type: TypeSchema;
  /** The field in a FieldsV1 tree: `f:name`, made once. */
  readonly element: string;
  readonly emission: Emission;
  /** Stands in for the field when it is a key of a list of maps and absent. */
  readonly keyDefault: Json | undefined;
}

/** An object: declared fields, and what other keys hold. */
export interface MapType {
  /** Owned and replaced as one value. */
  readonly atomic: boolean;
  readonly fields: ReadonlyMap<string, Field>;
  /** The type of undeclared keys; undefined: there may be none. */
  readonly element: TypeSchema | undefined;
}

/** A list: one value (`atomic`), a set of scalars, or objects told apart by `keys`. */
export interface ListType {
  readonly relation: 'atomic' | 'set' | 'map';
  readonly element: TypeSchema;
  /** Sorted by name. */
  readonly keys: readonly string[];
}

/**
 * A type, compiled once per kind. At most one of the three forms is set for declared types; all three for values whose
 * type shows only in the value itself.
 */
export interface TypeSchema {
  readonly scalar: Scalar | undefined;
  readonly list: ListType | undefined;
  readonly map: MapType | undefined;
  /** Of declared object types of built-in kinds, such as `PodSpec`. */
  readonly name: string | undefined;
  /** Only for built-in kinds. */
  readonly leaf: Leaf | undefined;
  readonly patch: PatchStrategy | undefined;
  /** True where fields that nobody declared are kept: kinds without a field table, and free-form objects. */
  readonly open: boolean;
}

const NO_FIELDS: ReadonlyMap<string, Field> = new Map();

/** A type with everything absent but what `parts` sets. */
export function typeSchema(parts: Partial<TypeSchema>): TypeSchema {
  return {
    scalar: parts.scalar,
    list: parts.list,
    map: parts.map,
    name: parts.name,
    leaf: parts.leaf,
    patch: parts.patch,
    open: parts.open ?? false,
  };
}

/** Any value, owned and replaced whole. */
export const untypedAtomic: TypeSchema = recursive((self) => ({
  scalar: 'untyped',
  list: { relation: 'atomic', element: self, keys: [] },
  map: { atomic: true, fields: NO_FIELDS, element: self },
  open: true,
}));

/** Any value: objects field by field, lists whole. The type of kinds that nobody describes. */
export const deducedSchema: TypeSchema = recursive((self) => ({
  scalar: 'untyped',
  list: { relation: 'atomic', element: untypedAtomic, keys: [] },
  map: { atomic: false, fields: NO_FIELDS, element: self },
  open: true,
}));

function recursive(build: (self: TypeSchema) => Partial<TypeSchema>): TypeSchema {
  const self: TypeSchema = typeSchema({});
  return Object.assign(self, build(self));
}

/** The type of `key` in an object type: its declaration, else that of undeclared keys. */
export function fieldType(map: MapType, key: string): TypeSchema | undefined {
  return map.fields.get(key)?.type ?? map.element;
}
