// Single values: what stands on the wire for a text, a number, a time, a quantity.
import type { Json } from '../json.ts';
import { timestamp } from '../ports.ts';
import type { Leaf } from '../schema/type-schema.ts';
import type { WireField } from './wire.ts';
import { messageOf, readFields, textOf } from './wire.ts';

/** The JSON value of a field of this type. */
export function leafValue(leaf: Leaf, field: WireField): Json {
  switch (leaf) {
    case 'string':
      return textOf(field);
    case 'int':
    case 'int32':
    case 'int64':
    case 'byte':
      return integer(field.value);
    case 'bool':
      return field.value === 1n;
    case 'float':
      return double(messageOf(field));
    case 'bytes':
      return Buffer.from(messageOf(field)).toString('base64');
    case 'time':
      return time(field, false);
    case 'microTime':
      return time(field, true);
    case 'quantity':
      return inner(field, 1) === undefined ? '0' : textOf(inner(field, 1) ?? field);
    case 'intOrString':
      return intOrString(field);
    case 'raw':
    case 'fields':
      return embedded(field);
  }
}

/** True for the value that a field of a type without a pointer has when nobody set it. */
export function isZero(value: Json): boolean {
  return value === '' || value === 0 || value === false || value === null;
}

function inner(field: WireField, number: number): WireField | undefined {
  return readFields(messageOf(field)).findLast((part) => part.number === number);
}

function integer(value: WireField['value'] | undefined): number {
  return typeof value === 'bigint' ? Number(BigInt.asIntN(64, value)) : 0;
}

function double(bytes: Uint8Array): number {
  return bytes.length === 8 ? new DataView(bytes.buffer, bytes.byteOffset, 8).getFloat64(0, true) : 0;
}

/** Seconds and nanoseconds; an empty message is the time that nobody set. */
function time(field: WireField, micro: boolean): string | null {
  if (messageOf(field).length === 0) return null;
  const seconds = timestamp(integer(inner(field, 1)?.value) * 1000);
  if (!micro) return seconds;
  const micros = Math.floor(integer(inner(field, 2)?.value) / 1000);
  return seconds.replace('Z', `.${String(micros).padStart(6, '0')}Z`);
}

function intOrString(field: WireField): number | string {
  const isText = inner(field, 1)?.value === 1n;
  const text = inner(field, 3);
  if (isText) return text === undefined ? '' : textOf(text);
  return integer(inner(field, 2)?.value);
}

/** JSON within the message. */
function embedded(field: WireField): Json {
  const raw = inner(field, 1);
  return raw === undefined ? null : (JSON.parse(textOf(raw)) as Json);
}
