// The notation of the field tables in `types/`, and its compiler into TypeSchemas.
//
// A line that starts at the margin declares a type, indented lines continue it: `Name: field:type field?:type`.
// `Name!` is owned whole. After a field's name: `?` a pointer (written when set), `!` written even when empty, `?!` written
// as null when absent, nothing: written when not empty. Types: a leaf (`string`, `quantity`, ...), a declared name,
// `{T}` a map, `{T!}` a map owned whole, `[T]` a list owned whole, `[T|]` a set, `[T|a,b]` a list with keys. `^key` in a list:
// strategic merge by that key (`^` alone: a list of scalars). `T~`: `$retainKeys`. `T+`: field by field although T is
// declared whole. `T=x`: the value that an absent key has.
import type { Json } from '../json.ts';
import { deducedSchema, typeSchema, untypedAtomic } from './type-schema.ts';
import type { Emission, Field, Leaf, ListType, MapType, PatchStrategy, Scalar, TypeSchema } from './type-schema.ts';

const LEAVES: Readonly<Record<Leaf, Scalar>> = {
  string: 'string',
  int: 'numeric',
  int32: 'numeric',
  int64: 'numeric',
  byte: 'numeric',
  bool: 'boolean',
  float: 'numeric',
  bytes: 'string',
  time: 'untyped',
  microTime: 'untyped',
  quantity: 'untyped',
  intOrString: 'untyped',
  raw: 'untyped',
  fields: 'untyped',
};

const leafTypes = new Map<string, TypeSchema>(
  Object.entries(LEAVES).map(([leaf, scalar]) => [leaf, typeSchema({ scalar, leaf: leaf as Leaf })]),
);
leafTypes.set('raw', { ...untypedAtomic, leaf: 'raw' });
leafTypes.set('fields', { ...deducedSchema, leaf: 'fields' });

const FIELD = /^([\w-]+|\$\w+)(\?!|\?|!)?:(.+)$/;
const LIST = /^\[(.+?)(\|[\w,]*)?(\^\w*)?\](~)?$/;
const MAP = /^\{(.+?)(!)?\}$/;
const NAMED = /^(\w+)(~|\+)?(?:=(.*))?$/;
const EMISSIONS: Readonly<Record<string, Emission>> = {
  '': 'nonEmpty',
  '?': 'present',
  '!': 'always',
  '?!': 'nullable',
};

/** Compiles tables; the returned function gives a declared type, and throws on a name that no table declares. */
export function compileTables(tables: readonly string[]): (name: string) => TypeSchema {
  const declared = new Map<string, { readonly atomic: boolean; readonly fields: readonly string[] }>();
  for (const table of tables) for (const [name, entry] of parseTable(table)) declared.set(name, entry);
  const compiled = new Map<string, TypeSchema>(leafTypes);

  function named(name: string): TypeSchema {
    const known = compiled.get(name);
    if (known !== undefined) return known;
    const entry = declared.get(name);
    if (entry === undefined) throw new Error(`type table: no type ${name} is declared`);
    const fields = new Map<string, Field>();
    const type = typeSchema({ name, map: { atomic: entry.atomic, fields, element: undefined } });
    compiled.set(name, type); // before its fields, which may name it again
    for (const text of entry.fields) {
      const [, key = '', flag = '', spelled = ''] = FIELD.exec(text) ?? [];
      if (key === '') throw new Error(`type table: ${name} has no field in ${text}`);
      fields.set(key, field(key, spelled, flag));
    }
    return type;
  }

  function field(key: string, spelled: string, flag: string): Field {
    const { type, keyDefault } = parse(spelled);
    const emission = EMISSIONS[flag] ?? 'nonEmpty';
    return {
      type,
      element: `f:${key}`,
      emission,
      keyDefault: keyDefault ?? (emission === 'always' ? zeroKey(type) : undefined),
    };
  }

  function parse(spelled: string): { readonly type: TypeSchema; readonly keyDefault?: Json } {
    const list = LIST.exec(spelled);
    if (list !== null) return { type: listType(list) };
    const map = MAP.exec(spelled);
    if (map !== null) {
      const element = parse(map[1] ?? '').type;
      return { type: typeSchema({ map: { atomic: map[2] === '!', fields: new Map(), element } }) };
    }
    const [, name = '', suffix, keyDefault] = NAMED.exec(spelled) ?? [];
    const type = named(name);
    if (suffix === '~') return { type: { ...type, patch: { merge: false, mergeKey: undefined, retainKeys: true } } };
    if (suffix === '+') return { type: { ...type, map: { ...(type.map as MapType), atomic: false } } };
    return keyDefault === undefined ? { type } : { type, keyDefault };
  }

  function listType([, item = '', keyPart, patchPart, retain]: RegExpExecArray): TypeSchema {
    const keys = keyPart === undefined || keyPart === '|' ? [] : keyPart.slice(1).split(',').sort();
    const relation: ListType['relation'] = keyPart === undefined ? 'atomic' : keys.length === 0 ? 'set' : 'map';
    const patch: PatchStrategy | undefined =
      patchPart === undefined
        ? undefined
        : {
            merge: true,
            mergeKey: patchPart === '^' ? undefined : patchPart.slice(1),
            retainKeys: retain !== undefined,
          };
    return typeSchema({ list: { relation, element: parse(item).type, keys }, patch });
  }

  return named;
}

function parseTable(table: string): [string, { atomic: boolean; fields: readonly string[] }][] {
  const declarations = table.split(/\n(?=\S)/).map((lines) => lines.split(/\s+/).filter((word) => word !== ''));
  return declarations
    .filter((words) => words.length > 0)
    .map(([head = '', ...fields]) => [head.replace(/!?:$/, ''), { atomic: head.endsWith('!:'), fields }]);
}

const PLAIN: ReadonlySet<Leaf> = new Set(['string', 'int', 'int32', 'int64', 'bool']);

/** What an absent key field counts as when it is always written: the zero value of plain scalars. */
function zeroKey(type: TypeSchema): Json | undefined {
  return type.leaf !== undefined && PLAIN.has(type.leaf) ? zeroOf(type) : undefined;
}

/** What a typed encoder writes for an absent scalar; undefined where there is no such value. */
export function zeroOf(type: TypeSchema): Json | undefined {
  if (type.leaf === undefined) return undefined;
  if (type.leaf === 'intOrString') return 0;
  if (type.leaf === 'quantity') return '0';
  if (type.scalar === 'string') return '';
  if (type.scalar === 'numeric') return 0;
  return type.scalar === 'boolean' ? false : null;
}
