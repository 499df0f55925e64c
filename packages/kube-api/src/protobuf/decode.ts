// Request bodies in Kubernetes' protobuf encoding, as typed Go clients send them, turned into JSON values.
import { badRequest, unsupportedMediaType } from '../errors.ts';
import type { StatusError } from '../errors.ts';
import type { Json, JsonObject } from '../json.ts';
import { isObject } from '../json.ts';
import { schemaOfBuiltin } from '../schema/builtin-types.ts';
import type { Field, MapType, TypeSchema } from '../schema/type-schema.ts';
import { isZero, leafValue } from './leaves.ts';
import { fieldNumbers } from './numbers.ts';
import { schemaOfRequest } from './request-types.ts';
import type { WireField } from './wire.ts';
import { messageOf, readFields, readNumbers, textOf } from './wire.ts';

/** The media type. */
export const PROTOBUF = 'application/vnd.kubernetes.protobuf';

/** `k8s` and a zero byte come before every message. */
const MAGIC = [0x6b, 0x38, 0x73, 0];

/** What stands behind a field number: a field, or the fields of a message that JSON does not name. */
type Numbered = { readonly name: string; readonly field: Field } | Layout;
type Layout = ReadonlyMap<number, Numbered>;

const layouts = new WeakMap<MapType, Layout>();

/**
 * The JSON value of a request body.
 *
 * @throws StatusError 400 if the body is not in this encoding, 415 if it is of a kind, or has a field, that is not known
 * in this encoding.
 */
export function decodeProtobuf(body: Uint8Array): JsonObject {
  if (!MAGIC.every((byte, index) => body[index] === byte)) throw badRequest('the protobuf body lacks its prefix');
  const envelope = readFields(body.subarray(MAGIC.length));
  const type = envelope.find(({ number }) => number === 1);
  const names = type === undefined ? [] : readFields(messageOf(type));
  const [apiVersion, kind] = [1, 2].map((number) =>
    names
      .filter((name) => name.number === number)
      .map(textOf)
      .join(''),
  );
  if (apiVersion === undefined || kind === undefined || kind === '')
    throw badRequest('the protobuf body does not name its kind');
  const schema = schemaOfRequest(kind) ?? schemaOfBuiltin(apiVersion, kind);
  if (schema?.map === undefined) throw refused(`${apiVersion} ${kind}`);
  const raw = envelope.find(({ number }) => number === 2);
  return { apiVersion, kind, ...message(schema, raw === undefined ? new Uint8Array() : messageOf(raw)) };
}

function refused(what: string): StatusError {
  return unsupportedMediaType(`${PROTOBUF} of ${what}`, ['application/json']);
}

function message(schema: TypeSchema, bytes: Uint8Array): JsonObject {
  const { map, name = '' } = schema;
  const object: Record<string, Json> = {};
  if (map !== undefined) fill(object, layoutOf(name, map), bytes, name);
  return object;
}

function fill(object: Record<string, Json>, layout: Layout, bytes: Uint8Array, type: string): void {
  for (const wire of readFields(bytes)) {
    const known = layout.get(wire.number);
    if (known === undefined) throw refused(`${type} with field ${wire.number}`);
    if (!('field' in known)) fill(object, known, messageOf(wire), type);
    else set(object, known.name, known.field, wire);
  }
}

/** Unset values of plain Go fields are on the wire too; they are left out where Go leaves them out of JSON. */
function set(object: Record<string, Json>, name: string, { type, emission }: Field, wire: WireField): void {
  const before = object[name];
  if (type.list !== undefined && type.leaf === undefined) {
    object[name] = [...(Array.isArray(before) ? (before as readonly Json[]) : []), ...items(type.list.element, wire)];
  } else if (isDictionary(type)) {
    object[name] = { ...(isObject(before) ? before : {}), ...entry(type.map?.element, wire) };
  } else {
    const value = single(type, wire);
    if (emission !== 'nonEmpty' || !(isZero(value) || isEmpty(value))) object[name] = value;
  }
}

function isDictionary({ map, leaf }: TypeSchema): boolean {
  return leaf === undefined && map?.element !== undefined && map.fields.size === 0;
}

function isEmpty(value: Json): boolean {
  return isObject(value) && Object.keys(value).length === 0;
}

function single(type: TypeSchema, wire: WireField): Json {
  return type.leaf === undefined ? message(type, messageOf(wire)) : leafValue(type.leaf, wire);
}

function items(element: TypeSchema, wire: WireField): readonly Json[] {
  const isInteger = element.leaf === 'int' || element.leaf === 'int32' || element.leaf === 'int64';
  if (!isInteger) return [single(element, wire)];
  return readNumbers(wire).map((value) => single(element, { ...wire, value }));
}

/** One entry of a map: a message of key and value. */
function entry(element: TypeSchema | undefined, wire: WireField): JsonObject {
  const parts = readFields(messageOf(wire));
  const key = parts
    .filter(({ number }) => number === 1)
    .map(textOf)
    .join('');
  const value = parts.findLast(({ number }) => number === 2) ?? { number: 2, value: new Uint8Array() };
  return element === undefined ? {} : { [key]: single(element, value) };
}

function layoutOf(name: string, map: MapType): Layout {
  const known = layouts.get(map);
  if (known !== undefined) return known;
  const layout = new Map<number, Numbered>();
  for (const [field, number] of fieldNumbers(name, map)) {
    const declared = map.fields.get(field);
    if (declared !== undefined) place(layout, number.split('.').map(Number), { name: field, field: declared });
  }
  layouts.set(map, layout);
  return layout;
}

function place(layout: Map<number, Numbered>, [head = 0, ...rest]: readonly number[], field: Numbered): void {
  if (rest.length === 0) {
    layout.set(head, field);
    return;
  }
  const nested = layout.get(head);
  const within = nested instanceof Map ? (nested as Map<number, Numbered>) : new Map<number, Numbered>();
  layout.set(head, within);
  place(within, rest, field);
}
