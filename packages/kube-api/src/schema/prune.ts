// Drops the fields that a version's schema does not declare.
import { isList, isObject } from '../json.ts';
import type { Json, JsonObject } from '../json.ts';
import { OBJECT_META_FIELDS } from './object-meta.ts';

const META_FIELDS = new Set(['apiVersion', 'kind', 'metadata']);

/** A pruned value and the paths of what went, sorted: `spec.nope`, `spec.list[0].nope`. */
export interface Pruned {
  readonly value: Json;
  readonly pruned: readonly string[];
}

/**
 * Prunes a whole object; `apiVersion`, `kind` and `metadata` stay. Below `x-kubernetes-preserve-unknown-fields` everything
 * stays, but declared fields there are pruned in their turn. The value itself comes back if nothing goes.
 */
export function prune(schema: JsonObject, value: Json): Pruned {
  const pruned: string[] = [];
  const result = pruneValue({ ...schema, 'x-kubernetes-embedded-resource': true }, value, '', pruned);
  return { value: result, pruned: pruned.sort() };
}

function pruneValue(schema: JsonObject | undefined, value: Json, path: string, pruned: string[]): Json {
  if (isList(value)) return pruneItems(schema, value, path, pruned);
  if (!isObject(value)) return value;
  const keepUnknown = schema?.['x-kubernetes-preserve-unknown-fields'] === true;
  const embedded = schema?.['x-kubernetes-embedded-resource'] === true;
  const properties = isObject(schema?.['properties']) ? schema['properties'] : undefined;
  const additional = schema?.['additionalProperties'];
  let out: Record<string, Json | undefined> | undefined;
  for (const key in value) {
    const member = value[key];
    if (member === undefined) continue;
    const name = path === '' ? key : `${path}.${key}`;
    if (embedded && META_FIELDS.has(key)) {
      // The metadata of the object itself is looked at before, together with its types.
      const meta = key === 'metadata' && path !== '' ? pruneMetadata(member, name, pruned) : member;
      if (meta !== member) (out ??= { ...value })[key] = meta;
      continue;
    }
    const property = properties !== undefined && Object.hasOwn(properties, key) ? properties[key] : undefined;
    let kept: Json | undefined = member;
    if (isObject(property)) kept = pruneValue(property, member, name, pruned);
    else if (isObject(additional)) kept = pruneValue(additional, member, name, pruned);
    else if (additional === true) kept = keepUnknown ? member : pruneValue(undefined, member, name, pruned);
    else if (!keepUnknown) {
      pruned.push(name);
      kept = undefined;
    }
    if (kept === member) continue;
    out ??= { ...value };
    if (kept === undefined) delete out[key];
    else out[key] = kept;
  }
  return out ?? value;
}

function pruneMetadata(metadata: Json, path: string, pruned: string[]): Json {
  if (!isObject(metadata)) return metadata;
  const strange = Object.keys(metadata).filter((key) => !OBJECT_META_FIELDS.has(key));
  if (strange.length === 0) return metadata;
  pruned.push(...strange.map((key) => `${path}.${key}`));
  return Object.fromEntries(Object.entries(metadata).filter(([key]) => OBJECT_META_FIELDS.has(key)));
}

function pruneItems(schema: JsonObject | undefined, items: readonly Json[], path: string, pruned: string[]): Json {
  const itemSchema = schema?.['items'];
  const keep = schema?.['x-kubernetes-preserve-unknown-fields'] === true;
  if (keep && !isObject(itemSchema)) return items;
  let out: Json[] | undefined;
  for (const [index, item] of items.entries()) {
    const kept = pruneValue(isObject(itemSchema) ? itemSchema : undefined, item, `${path}[${index}]`, pruned);
    if (kept === item) continue;
    out ??= [...items];
    out[index] = kept;
  }
  return out ?? items;
}
