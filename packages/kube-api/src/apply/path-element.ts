// The keys of a FieldsV1 tree: `f:name`, `k:{...}`, `v:value`, `i:index`, and `.` for the place itself.
import type { Json, JsonObject } from '../json.ts';
import { isObject } from '../json.ts';
import type { ListType } from '../schema/type-schema.ts';

/** The member of a tree node that says that the node itself is in the set. */
export const SELF = '.';

/** The path element of a field. */
export function fieldElement(name: string): string {
  return `f:${name}`;
}

/** The field that a path element names; undefined for list items. */
export function fieldOf(element: string): string | undefined {
  return element.startsWith('f:') ? element.slice(2) : undefined;
}

/** The path element of a list item; a string that starts with `!` says why the item has none. */
export function itemElement(list: ListType, item: Json): string {
  if (list.relation === 'map') return keyedElement(list, item);
  if (item === null) return "!associative list without keys has an element that's an explicit null";
  if (typeof item !== 'object') return `v:${escaped(item)}`;
  if (isObject(item)) return "!associative list without keys has an element that's a map type";
  return '!not supported: associative list with lists as elements';
}

function keyedElement(list: ListType, item: Json): string {
  if (item === null) return '!associative list with keys may not have a null element';
  if (!isObject(item)) return '!associative list with keys may not have non-map elements';
  let text = '';
  for (const key of list.keys) {
    const value = item[key] ?? list.element.map?.fields.get(key)?.keyDefault;
    if (value === undefined) continue;
    text += `${text === '' ? 'k:{' : ','}"${key}":${escaped(value)}`;
  }
  if (text !== '') return `${text}}`;
  const names = list.keys.map((key) => JSON.stringify(key)).join(' ');
  return `!associative list with keys has an element that omits all key fields [${names}] (and doesn't have default values for any key fields)`;
}

const PLAIN = /^[\w .:/@-]*$/;
const HTML = /[<>&\u2028\u2029]/g;

/** JSON text with the escapes of Go's encoder, so that keys equal those of other servers. */
function escaped(value: Json): string {
  if (typeof value === 'string' && PLAIN.test(value)) return `"${value}"`;
  if (typeof value === 'number') return String(value);
  const text = JSON.stringify(value);
  return text.replace(HTML, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

const F = 'f'.charCodeAt(0);
const KIND_ORDER: Readonly<Record<string, number>> = { '.': 0, f: 1, k: 2, v: 3, i: 4 };

/** Canonical order: the place itself, fields by name, keyed items, set values, indices. */
export function comparePathElements(a: string, b: string): number {
  const kind = a.charAt(0);
  if (kind === 'f' && b.charCodeAt(0) === F) return a < b ? -1 : a > b ? 1 : 0;
  const order = (KIND_ORDER[kind] ?? 5) - (KIND_ORDER[b.charAt(0)] ?? 5);
  if (order !== 0) return order;
  if (kind === 'k') return compareKeys(parsed(a), parsed(b));
  if (kind === 'v' || kind === 'i') return compareValues(parsed(a), parsed(b));
  return a < b ? -1 : a > b ? 1 : 0;
}

function parsed(element: string): Json {
  try {
    return JSON.parse(element.slice(2)) as Json;
  } catch {
    return element.slice(2);
  }
}

function compareKeys(a: Json, b: Json): number {
  if (!isObject(a) || !isObject(b)) return compareValues(a, b);
  const left = Object.keys(a);
  const right = Object.keys(b);
  for (let i = 0; i < left.length && i < right.length; i++) {
    const [x = '', y = ''] = [left[i], right[i]];
    if (x !== y) return x < y ? -1 : 1;
    const order = compareValues(a[x] ?? null, b[y] ?? null);
    if (order !== 0) return order;
  }
  return left.length - right.length;
}

/** Numbers before strings before booleans, then by value; other values by their text. */
function compareValues(a: Json, b: Json): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  if (typeof a === 'string' && typeof b === 'string') return a < b ? -1 : a > b ? 1 : 0;
  const order = rank(a) - rank(b);
  if (order !== 0) return order;
  const [x, y] = [JSON.stringify(a), JSON.stringify(b)];
  return x < y ? -1 : x > y ? 1 : 0;
}

function rank(value: Json): number {
  if (typeof value === 'number') return 0;
  if (typeof value === 'string') return 1;
  return typeof value === 'boolean' ? 2 : 3;
}

/** A path as messages show it: `.spec.containers[name="app"].image`. */
export function pathText(path: readonly string[]): string {
  return path.map(elementText).join('');
}

function elementText(element: string): string {
  if (element.startsWith('f:')) return `.${element.slice(2)}`;
  if (element.startsWith('i:')) return `[${element.slice(2)}]`;
  const value = parsed(element);
  if (!element.startsWith('k:') || !isObject(value)) return `[=${JSON.stringify(value)}]`;
  return `[${keysText(value)}]`;
}

function keysText(keys: JsonObject): string {
  return Object.entries(keys)
    .map(([name, value]) => `${name}=${JSON.stringify(value)}`)
    .join(',');
}
