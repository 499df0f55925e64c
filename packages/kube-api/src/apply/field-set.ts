// Sets of fields in the form in which managedFields carries them: a FieldsV1 tree. A node without members of its own is a
// leaf in the set; a node with members is in the set only if it has the member `.`. Nothing here mutates its arguments.
import type { JsonObject } from '../json.ts';
import { SELF, comparePathElements } from './path-element.ts';

/** A set of fields, as FieldsV1 JSON. The root itself is never a member. */
export type FieldSet = JsonObject;

/** The empty set, and the node of a leaf. */
export const EMPTY: FieldSet = Object.freeze({});

/** True if nothing is in the set. */
export function isEmptySet(set: FieldSet): boolean {
  for (const _ in set) return false;
  return true;
}

/** True if the place of this node is in the set. */
export function isMember(node: FieldSet): boolean {
  return SELF in node || isEmptySet(node);
}

/** The node at `element`; undefined if nothing at or below it is in the set. */
export function childSet(set: FieldSet, element: string): FieldSet | undefined {
  return set[element] as FieldSet | undefined;
}

/** `node` with its own place in the set; undefined stands for a place without fields. */
export function asMember(node: FieldSet | undefined): FieldSet {
  if (node === undefined) return EMPTY;
  return isMember(node) ? node : { [SELF]: EMPTY, ...node };
}

/** All fields of both. */
export function union(a: FieldSet, b: FieldSet): FieldSet {
  if (a === b || isEmptySet(b)) return a;
  if (isEmptySet(a)) return b;
  return unionNodes(a, b);
}

function unionNodes(a: FieldSet, b: FieldSet): FieldSet {
  if (a === b) return a;
  if (isEmptySet(a)) return asMember(b);
  if (isEmptySet(b)) return asMember(a);
  let out: Record<string, FieldSet> | undefined;
  for (const element in b) {
    const mine = childSet(a, element);
    const other = b[element] as FieldSet;
    const merged = mine === undefined ? other : unionNodes(mine, other);
    if (merged === mine) continue;
    out ??= { ...a } as Record<string, FieldSet>;
    out[element] = merged;
  }
  return out ?? a;
}

/** The fields of `a` that are not in `b`. A place in `b` does not take what lies below it. */
export function difference(a: FieldSet, b: FieldSet): FieldSet {
  return isEmptySet(b) ? a : (pick(a, b, false, subtract) ?? EMPTY);
}

/** The fields of `a` that are neither in `b` nor below a field of `b`. */
export function differenceBelow(a: FieldSet, b: FieldSet): FieldSet {
  return isEmptySet(b) ? a : (pick(a, b, false, subtractBelow) ?? EMPTY);
}

/** The fields in both. */
export function intersection(a: FieldSet, b: FieldSet): FieldSet {
  return pick(a, b, false, intersect) ?? EMPTY;
}

type Choose = (mine: FieldSet, other: FieldSet | undefined) => FieldSet | undefined;

const subtract: Choose = (mine, other) =>
  other === undefined ? mine : pick(mine, other, isMember(mine) && !isMember(other), subtract);

const subtractBelow: Choose = (mine, other) =>
  other === undefined ? mine : isMember(other) ? undefined : pick(mine, other, isMember(mine), subtractBelow);

const intersect: Choose = (mine, other) =>
  other === undefined ? undefined : pick(mine, other, isMember(mine) && isMember(other), intersect);

/** The part of node `a` that `choose` keeps; undefined if nothing is left. `member`: whether its own place stays. */
function pick(a: FieldSet, b: FieldSet, member: boolean, choose: Choose): FieldSet | undefined {
  if (isEmptySet(a)) return member ? a : undefined;
  let kept: Record<string, FieldSet> | undefined;
  let same = true;
  for (const element in a) {
    if (element === SELF) {
      same &&= member;
      continue;
    }
    const mine = a[element] as FieldSet;
    const chosen = choose(mine, childSet(b, element));
    if (chosen !== mine) same = false;
    if (chosen === undefined) continue;
    kept ??= {};
    kept[element] = chosen;
  }
  if (same && member === SELF in a) return a;
  if (kept === undefined) return member ? EMPTY : undefined;
  return member ? { [SELF]: EMPTY, ...kept } : kept;
}

/** True if every field of `inner` is in `outer`. */
export function covers(outer: FieldSet, inner: FieldSet): boolean {
  if (outer === inner) return true;
  for (const element in inner) {
    if (element === SELF) continue;
    const node = inner[element] as FieldSet;
    const other = childSet(outer, element);
    if (other === undefined || (isMember(node) && !isMember(other)) || !covers(other, node)) return false;
  }
  return true;
}

/** True if the field at `path` is in the set. */
export function has(set: FieldSet, path: readonly string[]): boolean {
  let node: FieldSet | undefined = set;
  for (const element of path) {
    node = childSet(node, element);
    if (node === undefined) return false;
  }
  return path.length > 0 && isMember(node);
}

/** Calls back for each field of the set, a place before what lies below it; the path is reused between calls. */
export function forEachPath(set: FieldSet, visit: (path: readonly string[]) => void, path: string[] = []): void {
  const elements = Object.keys(set).filter((element) => element !== SELF);
  for (const element of elements) {
    if (!isMember(set[element] as FieldSet)) continue;
    path.push(element);
    visit(path);
    path.pop();
  }
  for (const element of elements) {
    path.push(element);
    forEachPath(set[element] as FieldSet, visit, path);
    path.pop();
  }
}

/** The set with its members in canonical order; the set itself if they are. */
export function canonical(set: FieldSet): FieldSet {
  let previous = '';
  let sorted = true;
  let children: Map<string, FieldSet> | undefined;
  for (const element in set) {
    if (previous !== '' && comparePathElements(previous, element) > 0) sorted = false;
    previous = element;
    const node = set[element] as FieldSet;
    const ordered = canonical(node);
    if (ordered !== node) (children ??= new Map()).set(element, ordered);
  }
  if (sorted && children === undefined) return set;
  const elements = Object.keys(set);
  if (!sorted) elements.sort(comparePathElements);
  const out: Record<string, FieldSet> = {};
  for (const element of elements) out[element] = children?.get(element) ?? (set[element] as FieldSet);
  return out;
}
