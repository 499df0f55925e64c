// The fields that an applied configuration claims, and all fields of a value that came or went as a whole.
import type { Json } from '../json.ts';
import { deducedSchema } from '../schema/type-schema.ts';
import type { ListType, TypeSchema } from '../schema/type-schema.ts';
import { EMPTY, asMember } from './field-set.ts';
import type { FieldSet } from './field-set.ts';
import { asMap, formOf, indexList, isEmptyValue } from './form.ts';
import { fieldElement } from './path-element.ts';

/**
 * The fields of an applied configuration: scalars, atomic values, list items, members of maps, and empty objects. The
 * objects on the way to them are not claimed.
 */
export function toFieldSet(value: Json, type: TypeSchema): FieldSet {
  return claimed(value, type) ?? EMPTY;
}

function claimed(value: Json, type: TypeSchema): FieldSet | undefined {
  const form = formOf(type, value);
  if (form === 'scalar') return EMPTY;
  if (form === 'list') {
    const list = type.list as ListType;
    return list.relation === 'atomic' ? EMPTY : claimedItems(value, list);
  }
  const map = type.map;
  const object = asMap(value);
  if (map === undefined || map.atomic) return EMPTY;
  if (object === undefined) return undefined;
  let node: Record<string, FieldSet> | undefined;
  for (const key in object) {
    const member = object[key];
    if (member === undefined) continue;
    const field = map.fields.get(key);
    const below = claimed(member, field?.type ?? map.element ?? deducedSchema);
    const emptyObject = member === null || (asMap(member) !== undefined && isEmptyValue(member));
    const child = emptyObject || field === undefined ? asMember(below) : below;
    if (child === undefined) continue;
    node ??= {};
    node[field?.element ?? fieldElement(key)] = child;
  }
  return node;
}

function claimedItems(value: Json, list: ListType): FieldSet | undefined {
  const { first, repeated } = indexList(list, value);
  if (first.size === 0) return undefined;
  const node: Record<string, FieldSet> = {};
  for (const [element, item] of first) {
    node[element] = repeated?.has(element) === true ? EMPTY : asMember(claimed(item, list.element));
  }
  return node;
}

/** All places of a value, its own included: what is added with it, or removed with it. */
export function wholeSet(value: Json, type: TypeSchema): FieldSet {
  if (isEmptyValue(value)) return EMPTY;
  const form = formOf(type, value);
  if (form === 'scalar') return EMPTY;
  const node: Record<string, FieldSet> = { '.': EMPTY };
  if (form === 'list') {
    const list = type.list as ListType;
    if (list.relation === 'atomic') return EMPTY;
    const { first, repeated } = indexList(list, value);
    for (const [element, item] of first) {
      node[element] = repeated?.has(element) === true ? EMPTY : wholeSet(item, list.element);
    }
    return node;
  }
  const map = type.map;
  const object = asMap(value);
  if (map === undefined || map.atomic || object === undefined) return EMPTY;
  for (const key in object) {
    const member = object[key];
    if (member === undefined) continue;
    const field = map.fields.get(key);
    const element = field?.element ?? fieldElement(key);
    node[element] = typeof member === 'object' ? wholeSet(member, field?.type ?? map.element ?? deducedSchema) : EMPTY;
  }
  return node;
}
