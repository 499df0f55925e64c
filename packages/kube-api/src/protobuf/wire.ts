// Reading the fields of a protobuf message.
import { badRequest } from '../errors.ts';

/** One field as it stands on the wire: a number, or bytes that hold a text, a message or whatever its type says. */
export interface WireField {
  readonly number: number;
  readonly value: bigint | Uint8Array;
}

/**
 * The fields of a message in their order.
 *
 * @throws StatusError 400 if the message is cut short or not a message.
 */
export function readFields(message: Uint8Array): readonly WireField[] {
  const fields: WireField[] = [];
  let at = 0;
  const varint = (): bigint => {
    let value = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = message[at++];
      if (byte === undefined) throw badRequest('the protobuf body ends within a number');
      value |= BigInt(byte & 127) << shift;
      if (byte < 128) return BigInt.asUintN(64, value);
    }
    throw badRequest('the protobuf body has a number of more than 10 bytes');
  };
  const bytes = (length: number): Uint8Array => {
    if (at + length > message.length) throw badRequest('the protobuf body ends within a field');
    at += length;
    return message.subarray(at - length, at);
  };
  while (at < message.length) {
    const tag = varint();
    const number = Number(tag >> 3n);
    const form = Number(tag & 7n);
    if (number === 0) throw badRequest('the protobuf body has a field with the number 0');
    if (form === 0) fields.push({ number, value: varint() });
    else if (form === 1) fields.push({ number, value: bytes(8) });
    else if (form === 2) fields.push({ number, value: bytes(Number(varint())) });
    else if (form === 5) fields.push({ number, value: bytes(4) });
    else throw badRequest(`the protobuf body has field ${number} in the unknown form ${form}`);
  }
  return fields;
}

/** The numbers in a field that repeats them: one, or several packed together. */
export function readNumbers({ value }: WireField): readonly bigint[] {
  if (typeof value === 'bigint') return [value];
  const numbers: bigint[] = [];
  let number = 0n;
  let shift = 0n;
  for (const byte of value) {
    number |= BigInt(byte & 127) << shift;
    shift += 7n;
    if (byte >= 128) continue;
    numbers.push(BigInt.asUintN(64, number));
    number = 0n;
    shift = 0n;
  }
  return numbers;
}

/** A field's bytes as text. */
export function textOf({ value }: WireField): string {
  return typeof value === 'bigint' ? '' : new TextDecoder().decode(value);
}

/** A field's bytes as a message. */
export function messageOf({ value }: WireField): Uint8Array {
  return typeof value === 'bigint' ? new Uint8Array() : value;
}
