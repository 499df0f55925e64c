// Request bodies: read up to the limit, and parsed as JSON; protobuf of built-in kinds too.
import type { IncomingMessage } from 'node:http';
import { badRequest, requestTooLarge, unsupportedMediaType } from '../errors.ts';
import { MAX_BODY_BYTES } from '../server/decode.ts';
import { noteRepeated } from '../server/repeated-members.ts';
import { duplicateFields } from './duplicate-fields.ts';
import { decodeProtobuf, PROTOBUF } from '../protobuf/decode.ts';

const JSON_TYPES = ['application/json', 'application/yaml', 'application/apply-patch+yaml'];

/**
 * The body of a request as a JSON value; undefined if there is none.
 *
 * @throws StatusError 413 above the limit, 415 for other formats than JSON, 400 for text that is not JSON.
 */
export async function readBody(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    // What is too much is read to its end, so that the client gets to see the answer, but not kept.
    if (size <= MAX_BODY_BYTES) chunks.push(chunk);
  }
  if (size > MAX_BODY_BYTES) throw requestTooLarge(`limit is ${MAX_BODY_BYTES}`);
  if (size === 0) return undefined;
  const type = (request.headers['content-type'] ?? 'application/json').split(';')[0]?.trim().toLowerCase() ?? '';
  if (type === PROTOBUF) return decodeProtobuf(Buffer.concat(chunks, size));
  const yaml = type.endsWith('yaml');
  if (request.method !== 'PATCH' && !JSON_TYPES.includes(type)) throw unsupportedMediaType(type, ['application/json']);
  const text = Buffer.concat(chunks, size).toString('utf8');
  try {
    const value: unknown = JSON.parse(text);
    const strict = request.url?.includes('fieldValidation=Strict') === true;
    if (strict && typeof value === 'object' && value !== null) noteRepeated(value, duplicateFields(text));
    return value;
  } catch (error) {
    // JSON is a part of YAML and all of YAML that is understood here.
    if (yaml) throw unsupportedMediaType(`${type} that is not JSON`, ['application/json']);
    throw badRequest(`error decoding the body: ${error instanceof Error ? error.message : String(error)}`);
  }
}
