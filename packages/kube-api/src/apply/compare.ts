// What changed between two values, as sets of fields.
import type { Json } from '../json.ts';
import { equalJson, isList } from '../json.ts';
import { deducedSchema } from '../schema/type-schema.ts';
import type { ListType, MapType, TypeSchema } from '../schema/type-schema.ts';
import { differenceBelow, isEmptySet, union } from './field-set.ts';
import type { FieldSet } from './field-set.ts';
import { asMap, formOf, indexList, isEmptyValue } from './form.ts';
import type { Form } from './form.ts';
import { fieldElement } from './path-element.ts';
import { SetBuilder } from './set-builder.ts';
import { wholeSet } from './to-set.ts';

/** The fields that a change removed, gave another value, and added. */
export interface Comparison {
  readonly removed: FieldSet;
  readonly modified: FieldSet;
  readonly added: FieldSet;
}

/** Compares two values of one type. Parts that are the same object are not looked into. */
export function compare(before: Json, after: Json, type: TypeSchema): Comparison {
  const walk = new Walk();
  walk.node(before, after, type);
  return { removed: walk.removed.set, modified: walk.modified.set, added: walk.added.set };
}

/** True if nothing changed. */
export function isSame({ removed, modified, added }: Comparison): boolean {
  return isEmptySet(removed) && isEmptySet(modified) && isEmptySet(added);
}

/** The comparison without `fields` and what lies below them. */
export function exclude(comparison: Comparison, fields: FieldSet): Comparison {
  if (isEmptySet(fields) || isSame(comparison)) return comparison;
  return {
    removed: differenceBelow(comparison.removed, fields),
    modified: differenceBelow(comparison.modified, fields),
    added: differenceBelow(comparison.added, fields),
  };
}

/** Modified and added fields: what the author of the change owns by it. */
export function written(comparison: Comparison): FieldSet {
  return union(comparison.modified, comparison.added);
}

class Walk {
  readonly removed = new SetBuilder();
  readonly modified = new SetBuilder();
  readonly added = new SetBuilder();
  readonly #path: string[] = [];

  node(before: Json | undefined, after: Json | undefined, type: TypeSchema): void {
    if (before === after) return;
    if (after === undefined) {
      if (before !== undefined) this.removed.add(this.#path, wholeSet(before, type));
      return;
    }
    if (before === undefined) {
      this.added.add(this.#path, wholeSet(after, type));
      return;
    }
    const left = formOf(type, before);
    const right = formOf(type, after);
    if (left !== right) this.#both(left, before, after, type);
    this.#both(right, before, after, type);
  }

  #both(form: Form, before: Json, after: Json, type: TypeSchema): void {
    if (form === 'map' && type.map !== undefined) {
      const left = asMap(before);
      const right = asMap(after);
      if (type.map.atomic || (isEmptyValue(left) && isEmptyValue(right))) this.#leaf(before, after);
      else this.#members(left ?? {}, right ?? {}, type.map);
    } else if (form === 'list' && type.list !== undefined) {
      const left = isList(before) ? before : [];
      const right = isList(after) ? after : [];
      if (type.list.relation === 'atomic' || left.length + right.length === 0) this.#leaf(before, after);
      else this.#items(left, right, type.list);
    } else this.#leaf(before, after);
  }

  #leaf(before: Json, after: Json): void {
    if (!equalJson(before, after)) this.modified.add(this.#path);
  }

  #members(before: { readonly [key: string]: Json | undefined }, after: typeof before, map: MapType): void {
    for (const key in after) if (before[key] !== after[key]) this.#member(key, before[key], after[key], map);
    for (const key in before) {
      if (after[key] === undefined) this.#member(key, before[key], undefined, map);
    }
  }

  #member(key: string, before: Json | undefined, after: Json | undefined, map: MapType): void {
    const field = map.fields.get(key);
    this.#child(field?.element ?? fieldElement(key), before, after, field?.type ?? map.element);
  }

  #child(element: string, before: Json | undefined, after: Json | undefined, type: TypeSchema | undefined): void {
    if (before === after) return;
    this.#path.push(element);
    this.node(before, after, type ?? deducedSchema);
    this.#path.pop();
  }

  #items(before: readonly Json[], after: readonly Json[], list: ListType): void {
    if (equalJson(before, after)) return;
    const left = indexList(list, before);
    const right = indexList(list, after);
    for (const element of new Set([...left.elements, ...right.elements])) {
      const [mine, other] = [left.repeated?.get(element), right.repeated?.get(element)];
      const [first, second] = [left.first.get(element), right.first.get(element)];
      if (mine === undefined && other === undefined) this.#child(element, first, second, list.element);
      else if (mine !== undefined && other !== undefined) this.#repeated(element, mine, other);
      else if (mine !== undefined) {
        // No longer repeated: the mark goes, the item that stays comes with its fields.
        this.#child(element, undefined, second, list.element);
        this.removed.add([...this.#path, element]);
      } else {
        this.#child(element, first, undefined, list.element);
        this.added.add([...this.#path, element]);
      }
    }
  }

  /** Items that occur several times are one value. */
  #repeated(element: string, before: readonly Json[], after: readonly Json[]): void {
    if (!equalJson(before, after)) this.modified.add([...this.#path, element]);
  }
}
