// Lists in a strategic merge patch: special items, scalars, and the order of what comes out.
import { isList, isObject } from '../json.ts';
import type { Json, JsonObject } from '../json.ts';
import { internal } from '../errors.ts';
import { DIRECTIVE, badDirective, noMergeKey } from './directives.ts';

/** A patch of a list of objects, with its special items carried out. */
export interface SplitList {
  /** The items of the original that no `$patch: delete` names. */
  readonly kept: readonly Json[];
  /** The items of the patch that are no directives. */
  readonly items: readonly JsonObject[];
  /** A `$patch: replace` among the items: only they remain. */
  readonly replaced: boolean;
}

/** Carries out `$patch: delete` and `$patch: replace` among the items of a patch. */
export function splitSpecial(original: readonly Json[], patch: readonly Json[], key: string): SplitList {
  let kept = original;
  let replaced = false;
  const items: JsonObject[] = [];
  for (const item of patch) {
    if (!isObject(item)) throw internal(`unable to find merge key ${key}: an item of the patch is not an object`);
    const directive = item[DIRECTIVE];
    if (directive === undefined) {
      if (item[key] === undefined) throw noMergeKey(item, key);
      items.push(item);
    } else if (directive === 'replace') replaced = true;
    else if (directive === 'delete') {
      if (item[key] === undefined) throw noMergeKey(item, key);
      kept = kept.filter((other) => !isObject(other) || other[key] !== item[key]);
    } else if (directive === 'merge') throw internal('merging lists cannot yet be specified in the patch');
    else throw badDirective(directive, item);
  }
  return { kept, items, replaced };
}

/** Both lists of scalars, each value once: those of the patch in its order, the others where they were. */
export function mergeScalars(original: readonly Json[], patch: readonly Json[]): readonly Json[] {
  const all = [...new Set([...original, ...patch])];
  return orderItems(all, patch, original, undefined);
}

/** The list without the scalars of `deleted`; undefined stays undefined. */
export function deleteScalars(list: Json | undefined, deleted: Json): Json | undefined {
  if (!isList(list) || !isList(deleted)) return list;
  const gone = new Set(deleted);
  return list.filter((item) => !gone.has(item));
}

/**
 * `items` in a new order: those in `order` as they come there, the others as in `live`, each of these before the first
 * item that follows it in `live`.
 */
export function orderItems(
  items: readonly Json[],
  order: readonly Json[],
  live: readonly Json[],
  key: string | undefined,
): readonly Json[] {
  const identity = (item: Json): Json | undefined => (key !== undefined && isObject(item) ? item[key] : item);
  const positions = (list: readonly Json[]): Map<Json | undefined, number> => {
    const out = new Map<Json | undefined, number>();
    for (const [index, item] of list.entries()) if (!out.has(identity(item))) out.set(identity(item), index);
    return out;
  };
  const ordered = positions(order);
  const known = positions(live);
  const by = (places: Map<Json | undefined, number>) => (a: Json, b: Json) =>
    (places.get(identity(a)) ?? -1) - (places.get(identity(b)) ?? -1);
  const named = items.filter((item) => ordered.has(identity(item))).sort(by(ordered));
  const others = items.filter((item) => !ordered.has(identity(item))).sort(by(known));
  const out: Json[] = [];
  let i = 0;
  for (const item of named) {
    const place = known.get(identity(item));
    while (i < others.length) {
      const other = others[i] as Json;
      const otherPlace = known.get(identity(other));
      if (place === undefined || otherPlace === undefined || otherPlace > place) break;
      out.push(other);
      i++;
    }
    out.push(item);
  }
  return [...out, ...others.slice(i)];
}
