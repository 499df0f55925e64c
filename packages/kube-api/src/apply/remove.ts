// Takes fields out of a value.
import type { Json } from '../json.ts';
import { isList } from '../json.ts';
import { deducedSchema, fieldType } from '../schema/type-schema.ts';
import type { TypeSchema } from '../schema/type-schema.ts';
import { asMember, childSet, isEmptySet, isMember } from './field-set.ts';
import type { FieldSet } from './field-set.ts';
import { asMap, formOf } from './form.ts';
import { SELF, fieldElement, fieldOf, itemElement } from './path-element.ts';

/**
 * `value` without the fields of `fields` and what lies below them; undefined if nothing is left, and the value itself if
 * nothing was in the set.
 */
export function removeFields(value: Json, fields: FieldSet, type: TypeSchema): Json | undefined {
  if (isEmptySet(fields)) return value;
  const form = formOf(type, value);
  if (form === 'scalar') return value;
  if (form === 'list') {
    const list = type.list;
    if (list === undefined || !isList(value) || value.length === 0 || list.relation === 'atomic') return undefined;
    const out: Json[] = [];
    let changed = false;
    for (const item of value) {
      const node = childSet(fields, itemElement(list, item));
      const kept = node === undefined ? item : isMember(node) ? undefined : removeFields(item, node, list.element);
      if (kept !== item) changed = true;
      if (node !== undefined && isMember(node)) continue;
      out.push(kept ?? null);
    }
    return changed ? (out.length === 0 ? undefined : out) : value;
  }
  const object = asMap(value);
  if (type.map === undefined || type.map.atomic || object === undefined) return undefined;
  const out: Record<string, Json | undefined> = {};
  let changed = false;
  let left = false;
  for (const key in object) {
    const member = object[key];
    if (member === undefined) continue;
    const node = childSet(fields, fieldElement(key));
    if (node !== undefined && isMember(node)) {
      changed = true;
      continue;
    }
    const kept = node === undefined ? member : removeFields(member, node, fieldType(type.map, key) ?? deducedSchema);
    if (kept !== member) changed = true;
    // A member that lost everything below it stays as null, as on the real server.
    out[key] = kept ?? null;
    left = true;
  }
  return changed ? (left ? out : undefined) : value;
}

/** The set with the declared fields on the way to its members added: `spec` for a set that holds `spec.replicas`. */
export function withNamedFields(set: FieldSet, type: TypeSchema | undefined): FieldSet {
  let out: Record<string, FieldSet> | undefined;
  for (const element in set) {
    if (element === SELF) continue;
    const node = set[element] as FieldSet;
    if (isEmptySet(node)) continue;
    const name = fieldOf(element);
    const declared = name === undefined ? undefined : type?.map?.fields.get(name);
    const below = declared?.type ?? (name === undefined ? type?.list?.element : type?.map?.element);
    const completed = withNamedFields(node, below);
    const next = declared === undefined ? completed : asMember(completed);
    if (next === node) continue;
    out ??= { ...set } as Record<string, FieldSet>;
    out[element] = next;
  }
  return out ?? set;
}
