// Strategic merge patch: a merge patch that knows which lists are merged, and by which key.
import { isList, isObject } from '../json.ts';
import type { Json, JsonObject } from '../json.ts';
import { badRequest } from '../errors.ts';
import { deducedSchema, fieldType } from '../schema/type-schema.ts';
import type { TypeSchema } from '../schema/type-schema.ts';
import { DELETE_FROM, DIRECTIVE, ORDER, RETAIN, badDirective, formatError, keyAfter } from './directives.ts';
import { deleteScalars, mergeScalars, orderItems, splitSpecial } from './strategic-lists.ts';

/**
 * Applies a strategic merge patch with the directives `$patch`, `$retainKeys`, `$setElementOrder/x` and
 * `$deleteFromPrimitiveList/x`. Throws 400 for malformed directives and 500 for list items without their merge key.
 */
export function applyStrategicMergePatch(object: Json, patch: Json, schema: TypeSchema): Json {
  if (!isObject(patch) || !isObject(object)) throw badRequest('Invalid JSON Patch');
  return mergeObjects(object, patch, schema);
}

function mergeObjects(original: JsonObject, patch: JsonObject, type: TypeSchema): JsonObject {
  const directive = patch[DIRECTIVE];
  if (directive === 'replace') return withoutDirective(patch);
  if (directive === 'delete') return {};
  if (directive !== undefined) throw badDirective(directive, patch);

  const out: Record<string, Json | undefined> = { ...original };
  const merged = new Set<string>();
  retainKeys(out, patch);
  for (const key in patch) if (key.startsWith(ORDER)) mergeOrdered(out, patch, key, type, merged);
  for (const key in patch) {
    const value = patch[key];
    if (value === undefined || key === RETAIN || key.startsWith(ORDER) || merged.has(key)) continue;
    if (key.startsWith(DELETE_FROM)) {
      const name = keyAfter(key, DELETE_FROM);
      out[name] = deleteScalars(out[name], value);
      if (out[name] === undefined) delete out[name];
      continue;
    }
    const result = mergeField(out[key], value, memberType(type, key));
    if (result === undefined) delete out[key];
    else out[key] = result;
  }
  return sameMembers(out, original) ? original : (out as JsonObject);
}

function memberType(type: TypeSchema, key: string): TypeSchema {
  return (type.map === undefined ? undefined : fieldType(type.map, key)) ?? deducedSchema;
}

/** The merged field; undefined if the patch removes it. */
function mergeField(original: Json | undefined, patch: Json, type: TypeSchema): Json | undefined {
  if (patch === null) return undefined;
  if (isObject(patch) && isObject(original)) return mergeObjects(original, patch, type);
  if (isList(patch) && isList(original)) return mergeLists(original, patch, type);
  return plain(patch);
}

function mergeLists(original: readonly Json[], patch: readonly Json[], type: TypeSchema): readonly Json[] {
  if (type.patch?.merge !== true) return patch;
  if (original.length === 0 && patch.length === 0) return original;
  const key = type.patch.mergeKey;
  if (key === undefined) return mergeScalars(original, patch);
  const { kept, items, replaced } = splitSpecial(original, patch, key);
  const list = replaced ? [...items] : mergeItems(kept, items, key, type.list?.element ?? deducedSchema);
  return orderItems(list, replaced ? [] : items, replaced ? items : kept, key);
}

function mergeItems(original: readonly Json[], patch: readonly JsonObject[], key: string, type: TypeSchema): Json[] {
  const out = [...original];
  for (const item of patch) {
    const index = out.findIndex((other) => isObject(other) && other[key] === item[key]);
    if (index < 0) out.push(item);
    else out[index] = mergeObjects(out[index] as JsonObject, item, type);
  }
  return out;
}

/** Merges the list that a `$setElementOrder/x` is about and puts it in that order. */
function mergeOrdered(
  out: Record<string, Json | undefined>,
  patch: JsonObject,
  key: string,
  type: TypeSchema,
  done: Set<string>,
): void {
  const name = keyAfter(key, ORDER);
  const order = patch[key];
  const [original, change] = [out[name], patch[name]];
  if (!isList(order)) throw formatError('setElementOrder list');
  if ((original !== undefined && !isList(original)) || (change !== undefined && !isList(change))) {
    throw formatError('setElementOrder list');
  }
  const fieldSchema = memberType(type, name);
  const mergeKey = fieldSchema.patch?.mergeKey;
  checkOrder(change ?? [], order, mergeKey);
  if (original === undefined && change === undefined) return;
  const list =
    original === undefined
      ? (plain(change ?? []) as readonly Json[])
      : change === undefined
        ? original
        : mergeLists(original, change, fieldSchema);
  done.add(name);
  out[name] = orderItems(list, order, original ?? [], mergeKey);
}

/** The items of a patch come in the order of the directive, each of them named there. */
function checkOrder(change: readonly Json[], order: readonly Json[], mergeKey: string | undefined): void {
  if (order.length === 0 || change.length === 0) return;
  const identity = (item: Json): Json | undefined =>
    mergeKey === undefined || !isObject(item) ? item : item[mergeKey];
  const items = change.filter((item) => !isObject(item) || item[DIRECTIVE] === undefined);
  let next = 0;
  for (const place of order) {
    const item = items[next];
    if (item !== undefined && identity(item) === identity(place)) next++;
  }
  if (next < items.length) throw formatError('setElementOrder list');
}

function retainKeys(out: Record<string, Json | undefined>, patch: JsonObject): void {
  const retained = patch[RETAIN];
  if (retained === undefined) return;
  if (!isList(retained)) throw formatError('retainKeys');
  const keys = new Set(retained);
  for (const key in patch) {
    const directive = key === RETAIN || key.startsWith(ORDER) || key.startsWith(DELETE_FROM);
    if (!directive && patch[key] !== null && !keys.has(key)) throw formatError('retainKeys');
  }
  for (const key of Object.keys(out)) if (!keys.has(key)) delete out[key];
}

/** A patch value that meets nothing: without nulls and without the parts that only carry directives. */
function plain(value: Json): Json | undefined {
  if (isList(value)) return value.map(plain).filter((item) => item !== undefined);
  if (!isObject(value)) return value;
  if (value[DIRECTIVE] !== undefined) return undefined;
  const out: Record<string, Json> = {};
  for (const key in value) {
    const member = value[key];
    const kept = member === undefined || member === null ? undefined : plain(member);
    if (kept !== undefined) out[key] = kept;
  }
  return out;
}

function withoutDirective(patch: JsonObject): JsonObject {
  const { [DIRECTIVE]: _, ...rest } = patch;
  return rest;
}

function sameMembers(a: Record<string, Json | undefined>, b: JsonObject): boolean {
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => a[key] === b[key]);
}
