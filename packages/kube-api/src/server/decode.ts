// From a request body to an object: JSON only, frozen, with well-typed metadata.
import { invalidValue } from '../causes.ts';
import { badRequest, invalid, requestTooLarge } from '../errors.ts';
import { at, isList, isObject, type Json, type JsonObject, type KubeObject, type ObjectMeta } from '../json.ts';

const MAX_DEPTH = 1_000;

/** The longest body, as the real server accepts it. */
export const MAX_BODY_BYTES = 3 * 1024 * 1024;

/**
 * A frozen copy of a body: the caller may go on using his value. Undefined members are left out, as in JSON text.
 *
 * @throws StatusError 400 for what JSON cannot say, 413 for what would be too long as text.
 */
export function importJson(value: unknown): Json {
  const size = { least: 0 };
  const json = copied(value, 0, size);
  // A character takes at most six bytes of text, so most bodies need not be written to be measured.
  if (size.least * 6 > MAX_BODY_BYTES) {
    const bytes = Buffer.byteLength(JSON.stringify(json));
    if (bytes > MAX_BODY_BYTES) throw requestTooLarge(`limit is ${MAX_BODY_BYTES}`);
  }
  return json;
}

/** `size.least` becomes a number that the length of the text is at most six times of. */
function copied(value: unknown, depth: number, size: { least: number }): Json {
  size.least += 6;
  if (typeof value === 'string') {
    size.least += value.length;
    return value;
  }
  if (value === null || typeof value === 'boolean') return value;
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (typeof value !== 'object')
    throw badRequest(`the object provided is unrecognized: a ${typeof value} is not a JSON value`);
  if (depth > MAX_DEPTH) throw badRequest('the object provided is nested too deeply');
  if (Array.isArray(value)) {
    const list: Json[] = [];
    for (const item of value) list.push(item === undefined ? null : copied(item, depth + 1, size));
    return Object.freeze(list);
  }
  if ('toJSON' in value && typeof value.toJSON === 'function') return copied(value.toJSON(), depth + 1, size);
  const copy: Record<string, Json> = {};
  for (const key of Object.keys(value)) {
    const member = (value as Record<string, unknown>)[key];
    if (member === undefined) continue;
    size.least += key.length;
    const json = copied(member, depth + 1, size);
    if (key === '__proto__') Object.defineProperty(copy, key, { value: json, enumerable: true });
    else copy[key] = json;
  }
  return Object.freeze(copy);
}

/** A body that must be a JSON object. */
export function importObject(value: unknown): JsonObject {
  const json = importJson(value ?? null);
  if (!isObject(json)) {
    throw badRequest(`the object provided is unrecognized (must be of type JSON object): found ${describe(json)}`);
  }
  return json;
}

function describe(value: Json): string {
  if (value === null) return 'nothing';
  return isList(value) ? 'a list' : `a ${typeof value}`;
}

const TEXTS = [
  'name',
  'generateName',
  'namespace',
  'uid',
  'resourceVersion',
  'creationTimestamp',
  'deletionTimestamp',
  'selfLink',
];
const NUMBERS = ['generation', 'deletionGracePeriodSeconds'];
const TEXT_MAPS = ['labels', 'annotations'];

/**
 * The object with metadata as the server keeps it: fields of the right types, without nulls and empty parts.
 *
 * @throws StatusError 400 if a field has another type.
 */
export function withCleanMetadata(object: JsonObject): KubeObject {
  const given = object['metadata'] ?? {};
  if (!isObject(given)) throw wrongType('metadata', given, 'v1.ObjectMeta');
  const meta: Record<string, Json> = {};
  let changed = object['metadata'] === undefined;
  for (const key in given) {
    const value = given[key];
    if (value === undefined || value === null || value === '' || isEmpty(key, value)) changed = true;
    else {
      const clean = cleanField(key, value);
      if (clean !== value) changed = true;
      meta[key] = clean;
    }
  }
  return (changed ? { ...object, metadata: meta as ObjectMeta } : object) as KubeObject;
}

function isEmpty(key: string, value: Json): boolean {
  // An empty managedFields is an order to forget all owners, and therefore kept.
  if (isList(value)) return value.length === 0 && key !== 'managedFields';
  return isObject(value) && Object.keys(value).length === 0;
}

function cleanField(key: string, value: Json): Json {
  if (TEXTS.includes(key) && typeof value !== 'string') throw wrongType(`metadata.${key}`, value, 'string');
  if (NUMBERS.includes(key) && typeof value !== 'number') throw wrongType(`metadata.${key}`, value, 'int64');
  if (TEXT_MAPS.includes(key)) return cleanTexts(`metadata.${key}`, value);
  if (key === 'finalizers') {
    if (!isList(value)) throw wrongType('metadata.finalizers', value, '[]string');
    for (const item of value) if (typeof item !== 'string') throw wrongType('metadata.finalizers', item, 'string');
  }
  if (key === 'ownerReferences' || key === 'managedFields') {
    if (!isList(value)) throw wrongType(`metadata.${key}`, value, 'list');
    for (const item of value) if (!isObject(item)) throw wrongType(`metadata.${key}`, item, 'object');
  }
  return value;
}

function cleanTexts(field: string, value: Json): Json {
  if (!isObject(value)) throw wrongType(field, value, 'map[string]string');
  let nulls = false;
  for (const key in value) {
    if (value[key] === null) nulls = true;
    else if (typeof value[key] !== 'string') throw wrongType(field, value[key] ?? null, 'string');
  }
  if (!nulls) return value;
  return Object.fromEntries(Object.entries(value).filter(([, text]) => text !== null));
}

function wrongType(field: string, value: Json, expected: string): Error {
  const found = value === null ? 'null' : isList(value) ? 'array' : typeof value === 'boolean' ? 'bool' : typeof value;
  return badRequest(`json: cannot unmarshal ${found} into Go struct field ObjectMeta.${field} of type ${expected}`);
}

interface ServedKind {
  readonly group: string;
  readonly apiVersion: string;
  readonly kind: string;
  readonly custom: boolean;
}

/** Checks apiVersion and kind of a body against what the path serves, and fills them in for built-in kinds. */
export function withTypeMeta(
  object: JsonObject,
  type: ServedKind,
): JsonObject {
  const { apiVersion, kind } = object;
  if (type.custom && (typeof kind !== 'string' || kind === ''))
    throw badRequest(`Object 'Kind' is missing in '${snippet(object)}'`);
  if (type.custom && (typeof apiVersion !== 'string' || apiVersion === '')) {
    throw badRequest(`Object 'apiVersion' is missing in '${snippet(object)}'`);
  }
  if (apiVersion !== undefined && apiVersion !== '' && apiVersion !== type.apiVersion) {
    const found = typeof apiVersion === 'string' ? apiVersion : describe(apiVersion);
    throw badRequest(
      `the API version in the data (${found}) does not match the expected API version (${type.apiVersion})`,
    );
  }
  if (kind !== undefined && kind !== '' && kind !== type.kind) throw wrongKind(object, kind, type);
  if (apiVersion === type.apiVersion && kind === type.kind) return object;
  return { ...object, apiVersion: type.apiVersion, kind: type.kind };
}

function wrongKind(object: JsonObject, kind: Json, type: ServedKind): Error {
  const found = typeof kind === 'string' ? kind : describe(kind);
  if (!type.custom)
    return badRequest(`the kind in the data (${found}) does not match the expected kind (${type.kind})`);
  const name = at(object, 'metadata', 'name');
  const subject = { group: type.group, kind: found, name: typeof name === 'string' ? name : '' };
  return invalid(subject, [invalidValue('kind', found, `must be ${type.kind}`)]);
}

function snippet(object: JsonObject): string {
  return JSON.stringify(object).slice(0, 200);
}
