// Single values of built-in kinds: their types, and the form in which they are written.
import { badRequest } from '../errors.ts';
import type { StatusError } from '../errors.ts';
import { isList } from '../json.ts';
import type { Json } from '../json.ts';
import { QUANTITY_FAULT, canonicalQuantity } from './quantity.ts';
import type { Leaf } from './type-schema.ts';

const GO_TYPES: Readonly<Record<Leaf, string>> = {
  string: 'string',
  int: 'int',
  int32: 'int32',
  int64: 'int64',
  byte: 'uint8',
  bool: 'bool',
  float: 'float64',
  bytes: '[]uint8',
  time: 'string',
  microTime: 'string',
  quantity: 'string',
  intOrString: 'intstr.IntOrString',
  raw: 'runtime.RawExtension',
  fields: 'v1.FieldsV1',
};

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
const INT32 = 2 ** 31;

/** The value as it is stored. Throws 400 for another type; `owner` is the struct that has the field. */
export function decodeLeaf(value: Json, leaf: Leaf, path: string, owner: string): Json {
  switch (leaf) {
    case 'raw':
    case 'fields':
      return value;
    case 'bool':
      if (typeof value === 'boolean') return value;
      break;
    case 'string':
      if (typeof value === 'string') return value;
      break;
    case 'int':
    case 'int32':
    case 'int64':
    case 'byte':
      if (typeof value === 'number' && isWhole(value, leaf)) return value;
      break;
    case 'float':
      if (typeof value === 'number') return value;
      break;
    case 'intOrString':
      if (typeof value === 'string' || (typeof value === 'number' && isWhole(value, 'int32'))) return value;
      break;
    case 'bytes':
      if (typeof value === 'string') return decodeBytes(value);
      break;
    case 'time':
    case 'microTime':
      if (typeof value === 'string') return decodeTime(value, leaf);
      break;
    case 'quantity':
      return decodeQuantity(value);
  }
  throw unmarshalFault(value, path, owner, GO_TYPES[leaf]);
}

function isWhole(value: number, leaf: Leaf): boolean {
  if (!Number.isInteger(value)) return false;
  return leaf !== 'int32' || (value >= -INT32 && value < INT32);
}

function decodeQuantity(value: Json): string {
  const canonical =
    typeof value === 'string' || typeof value === 'number' ? canonicalQuantity(String(value)) : undefined;
  if (canonical === undefined) throw badRequest(QUANTITY_FAULT);
  return canonical;
}

function decodeBytes(value: string): string {
  const text = value.replaceAll(/[\r\n]/g, '');
  if (BASE64.test(text)) return text;
  const valid = /^[A-Za-z0-9+/]*/.exec(text)?.[0].length ?? 0;
  throw badRequest(`illegal base64 data at input byte ${valid - (valid % 4)}`);
}

const SECONDS = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$/;
const RFC3339 = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}([.,]\d+)?(Z|[+-]\d{2}:\d{2})$/;
const MICROS = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{6})(Z|[+-]\d{2}:\d{2})$/;

/** Whole seconds, or exactly six digits behind the point, in UTC. */
function decodeTime(value: string, leaf: 'time' | 'microTime'): string {
  if (leaf === 'time' && SECONDS.test(value)) return value;
  const match = (leaf === 'time' ? RFC3339 : MICROS).exec(value);
  const ms = match === null ? Number.NaN : Date.parse(value);
  if (match === null || Number.isNaN(ms)) throw badRequest(timeFault(value, leaf));
  const seconds = new Date(ms).toISOString().slice(0, 19);
  return leaf === 'time' ? `${seconds}Z` : `${seconds}${match[1] ?? ''}Z`;
}

function timeFault(value: string, leaf: 'time' | 'microTime'): string {
  const layout = leaf === 'time' ? '2006-01-02T15:04:05Z07:00' : '2006-01-02T15:04:05.000000Z07:00';
  const [rest, expected] = SECONDS.test(value) ? ['Z', '.000000'] : [value, '2006'];
  return `parsing time ${JSON.stringify(value)} as "${layout}": cannot parse ${JSON.stringify(rest)} as ${JSON.stringify(expected)}`;
}

/** 400: a value of the wrong type, in the words of the JSON decoder. */
export function unmarshalFault(value: Json, path: string, owner: string, expected: string): StatusError {
  const found = typeof value === 'number' ? numberText(value) : jsonType(value);
  const field = path.replaceAll(/\[\d+\]/g, '');
  return badRequest(`json: cannot unmarshal ${found} into Go struct field ${owner}.${field} of type ${expected}`);
}

function numberText(value: number): string {
  return Number.isInteger(value) ? 'number' : `number ${value}`;
}

function jsonType(value: Json): string {
  if (value === null) return 'null';
  if (isList(value)) return 'array';
  return typeof value === 'boolean' ? 'bool' : typeof value;
}
