// What is wrong with an applied configuration for its type, in the words of the real server's typed parser.
import type { Json, JsonObject } from '../json.ts';
import { isList, isObject } from '../json.ts';
import type { ListType, Scalar, TypeSchema } from '../schema/type-schema.ts';
import { fieldType } from '../schema/type-schema.ts';
import { formOf } from './form.ts';
import { fieldElement, itemElement, pathText } from './path-element.ts';

/** Undefined if `value` fits `type`; else all faults in one text. */
export function typeFaults(value: Json, type: TypeSchema): string | undefined {
  if (fits(value, type)) return undefined;
  const faults: string[] = [];
  checkNode(value, type, [], faults);
  if (faults.length === 0) return undefined;
  return faults.length === 1 ? faults[0] : ['errors:', ...faults.map((fault) => `  ${fault}`)].join('\n');
}

/** The same question without its answer in words, which most requests do not need. */
function fits(value: Json, type: TypeSchema): boolean {
  if (value === null) return true;
  if (typeof value !== 'object') return type.scalar !== undefined && scalarFault(type.scalar, value) === undefined;
  if (isList(value)) {
    const list = type.list;
    if (list === undefined) return false;
    if (list.relation !== 'atomic' && !areDistinct(value, list)) return false;
    return value.every((item) => fits(item, list.element));
  }
  const map = type.map;
  if (map === undefined) return false;
  for (const key in value) {
    const member = (value as JsonObject)[key];
    if (member === undefined) continue;
    const below = fieldType(map, key);
    if (below === undefined || !fits(member, below)) return false;
  }
  return true;
}

function areDistinct(items: readonly Json[], list: ListType): boolean {
  if (items.length === 1) return !itemElement(list, items[0] ?? null).startsWith('!');
  const elements = new Set(items.map((item) => itemElement(list, item)));
  if (elements.size < items.length) return false;
  for (const element of elements) if (element.startsWith('!')) return false;
  return true;
}

function checkNode(value: Json, type: TypeSchema, path: string[], faults: string[]): void {
  if (value === null) return;
  const fault = (text: string): void => {
    faults.push(path.length === 0 ? text : `${pathText(path)}: ${text}`);
  };
  const form = formOf(type, value);
  if (form === 'scalar') {
    const text = scalarFault(type.scalar ?? 'untyped', value);
    if (text !== undefined) fault(text);
  } else if (form === 'list') {
    if (isList(value)) checkItems(value, type, path, faults);
    else fault(`expected list, got &{${goText(value)}}`);
  } else if (!isObject(value)) fault(`expected map, got &{${goText(value)}}`);
  else {
    for (const key in value) {
      const member = value[key];
      if (member === undefined || type.map === undefined) continue;
      path.push(fieldElement(key));
      const below = fieldType(type.map, key);
      if (below === undefined) faults.push(`${pathText(path)}: field not declared in schema`);
      else checkNode(member, below, path, faults);
      path.pop();
    }
  }
}

function checkItems(items: readonly Json[], type: TypeSchema, path: string[], faults: string[]): void {
  const list = type.list;
  if (list === undefined) return;
  const seen = new Set<string>();
  const prefix = (): string => (path.length === 0 ? '' : `${pathText(path)}: `);
  for (const [index, item] of items.entries()) {
    const element = list.relation === 'atomic' ? `i:${index}` : itemElement(list, item);
    if (element.startsWith('!')) {
      faults.push(`${prefix()}element ${index}: ${element.slice(1)}`);
      return;
    }
    if (seen.has(element)) faults.push(`${prefix()}duplicate entries for key ${pathText([element])}`);
    seen.add(element);
    path.push(element);
    checkNode(item, list.element, path, faults);
    path.pop();
  }
}

function scalarFault(scalar: Scalar, value: Json): string | undefined {
  if (scalar === 'untyped')
    return typeof value === 'object' ? `expected any scalar, got &{${goText(value)}}` : undefined;
  if (scalar === 'numeric') {
    return typeof value === 'number' ? undefined : `expected numeric (int or float), got ${goType(value)}`;
  }
  if (scalar === 'boolean') return typeof value === 'boolean' ? undefined : `expected boolean, got &{${goText(value)}}`;
  return typeof value === 'string'
    ? undefined
    : `expected string, got &value.valueUnstructured{Value:${goLiteral(value)}}`;
}

function goType(value: Json): string {
  if (typeof value === 'string') return 'string';
  if (typeof value === 'boolean') return 'bool';
  return isList(value) ? '[]interface {}' : 'map[string]interface {}';
}

/** As Go prints a value for people. */
function goText(value: Json | undefined): string {
  if (value === null || value === undefined) return '<nil>';
  if (isList(value)) return `[${value.map(goText).join(' ')}]`;
  if (!isObject(value)) return String(value);
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `map[${members.map(([key, member]) => `${key}:${goText(member)}`).join(' ')}]`;
}

/** As Go prints a value for programmers. */
function goLiteral(value: Json | undefined): string {
  if (value === null || value === undefined) return 'interface {}(nil)';
  if (isList(value)) return `[]interface {}{${value.map(goLiteral).join(', ')}}`;
  if (!isObject(value)) return JSON.stringify(value);
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `map[string]interface {}{${members.map(([key, member]) => `${JSON.stringify(key)}:${goLiteral(member)}`).join(', ')}}`;
}
