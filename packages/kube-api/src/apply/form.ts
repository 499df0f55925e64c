// Which of a type's forms a value takes, and the items of lists by path element.
import type { Json } from '../json.ts';
import { isList, isObject } from '../json.ts';
import type { ListType, TypeSchema } from '../schema/type-schema.ts';
import { itemElement } from './path-element.ts';

export type Form = 'map' | 'list' | 'scalar';

/** The form in which `type` reads `value`. Null and values that do not fit take the first form that the type has. */
export function formOf(type: TypeSchema, value: Json): Form {
  if (typeof value !== 'object') {
    if (type.scalar !== undefined) return 'scalar';
  } else if (isList(value)) {
    if (type.list !== undefined) return 'list';
  } else if (value !== null && type.map !== undefined) return 'map';
  if (type.map !== undefined) return 'map';
  return type.scalar === undefined ? 'list' : 'scalar';
}

/** True for an object or list without content, for null and for anything that is neither. */
export function isEmptyValue(value: Json | undefined): boolean {
  if (typeof value !== 'object' || value === null) return true;
  if (isList(value)) return value.length === 0;
  for (const key in value) if (value[key] !== undefined) return false;
  return true;
}

/** Items by path element, in their order. Items that have no path element are left out. */
export interface IndexedList {
  readonly elements: readonly string[];
  readonly items: readonly Json[];
  /** The first item of each element. */
  readonly first: ReadonlyMap<string, Json>;
  /** All items of the elements that occur more than once; undefined if there are none. */
  readonly repeated: ReadonlyMap<string, readonly Json[]> | undefined;
}

/** Finds the path element of each item of a set or a list of maps. */
export function indexList(list: ListType, value: Json | undefined): IndexedList {
  const elements: string[] = [];
  const items: Json[] = [];
  const first = new Map<string, Json>();
  let repeated: Map<string, Json[]> | undefined;
  if (isList(value)) {
    for (const item of value) {
      const element = itemElement(list, item);
      if (element.startsWith('!')) continue;
      elements.push(element);
      items.push(item);
      const earlier = first.get(element);
      if (earlier === undefined) {
        first.set(element, item);
        continue;
      }
      repeated ??= new Map();
      const all = repeated.get(element);
      if (all === undefined) repeated.set(element, [earlier, item]);
      else all.push(item);
    }
  }
  return { elements, items, first, repeated };
}

/** The value as an object; undefined if it is none. */
export function asMap(value: Json | undefined): { readonly [key: string]: Json | undefined } | undefined {
  return isObject(value) ? value : undefined;
}
