// JSON patch, by the rfc6902 library, with the API server's errors.
import { applyPatch } from 'rfc6902';
import { StatusError, badRequest, requestTooLarge } from '../errors.ts';
import { at, equalJson, isList, isObject, textOf } from '../json.ts';
import type { Json, JsonObject } from '../json.ts';

const MAX_OPERATIONS = 10_000;
const OPERATIONS = new Set(['add', 'remove', 'replace', 'move', 'copy', 'test']);

/** 422 as the server words every patch that cannot be carried out. */
function unprocessable(): StatusError {
  return new StatusError(422, 'Invalid', 'the server rejected our request due to an error in our request', {});
}

/**
 * Applies a JSON patch (RFC 6902) as a whole. Unchanged parts are shared with `object`. Throws 400 for a patch that is no list of
 * operations, 413 for more than 10,000 of them, 422 if a test fails or a path does not exist.
 */
export function applyJsonPatch(object: Json, operations: Json): Json {
  const patch = decode(operations);
  const copied = new WeakSet<object>();
  const root = { value: object } as Record<string, Json>;
  for (const operation of patch) {
    const path = pointer(operation['path']);
    const from = operation['op'] === 'move' || operation['op'] === 'copy' ? pointer(operation['from']) : [];
    if (operation['op'] !== 'test') {
      unshare(root, path, copied);
      if (operation['op'] === 'move') unshare(root, from, copied);
    }
    const located = {
      ...operation,
      op: addsMember(root, operation, path) ? 'add' : operation['op'],
      path: `/value${textOf(operation['path'])}`,
      ...fromOf(operation),
    };
    const [failure] = applyPatch(root, [located as never]);
    if (failure !== null && failure !== undefined) throw unprocessable();
  }
  const result = root['value'] as Json;
  return equalJson(result, object) ? object : result;
}

/** A replace of a member that an object lacks is an add for the real server; in lists it fails. */
function addsMember(root: JsonObject, operation: JsonObject, path: readonly string[]): boolean {
  if (operation['op'] !== 'replace' || path.length === 0) return false;
  const parent = at(root, 'value', ...path.slice(0, -1));
  return isObject(parent) && parent[path.at(-1) ?? ''] === undefined;
}

function fromOf(operation: JsonObject): JsonObject {
  return operation['from'] === undefined ? {} : { from: `/value${textOf(operation['from'])}` };
}

function decode(operations: Json): readonly JsonObject[] {
  if (!isList(operations)) {
    const found = isObject(operations) ? 'object' : operations === null ? 'null' : typeof operations;
    throw badRequest(`json: cannot unmarshal ${found} into Go value of type jsonpatch.Patch`);
  }
  if (operations.length > MAX_OPERATIONS) {
    const message = `The allowed maximum operations in a JSON patch is ${MAX_OPERATIONS}, got ${operations.length}`;
    throw requestTooLarge(message);
  }
  for (const operation of operations) {
    if (!isObject(operation)) {
      throw badRequest(`json: cannot unmarshal ${typeof operation} into Go value of type jsonpatch.Operation`);
    }
  }
  const list = operations as readonly JsonObject[];
  if (!list.every((operation) => OPERATIONS.has(textOf(operation['op'])) && typeof operation['path'] === 'string')) {
    throw unprocessable();
  }
  return list;
}

function pointer(path: Json | undefined): readonly string[] {
  if (typeof path !== 'string' || (path !== '' && !path.startsWith('/'))) throw unprocessable();
  return path
    .split('/')
    .slice(1)
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** Copies the containers on the way to `path`, so that the library may write to them. */
function unshare(root: Record<string, Json>, path: readonly string[], copied: WeakSet<object>): void {
  let parent: Record<string, Json> = root;
  for (const token of ['value', ...path]) {
    const child = parent[token];
    if (typeof child !== 'object' || child === null) return;
    if (!copied.has(child)) {
      const copy = isList(child) ? [...child] : { ...child };
      copied.add(copy);
      parent[token] = copy as Json;
    }
    parent = parent[token] as unknown as Record<string, Json>;
  }
}
