// Validates a value against a version's schema, with the causes and sentences of the API server.
import type { Cause } from '../errors.ts';
import { equalJson, isList, isObject } from '../json.ts';
import type { Json, JsonObject } from '../json.ts';
import { invalidValue, notSupported, required } from '../causes.ts';
import { checkCombinations } from './combinations.ts';
import { checkList, checkNumber, checkString } from './limits.ts';
import { Report } from './report.ts';
import { typeFault } from './value-type.ts';

/**
 * The faults of `value` under `path` (empty for a whole object; else such as `status`). With `before`, the stored value, parts
 * that did not change are not looked at again. Rules in CEL and duplicates in lists are checked by others.
 */
export function validate(schema: JsonObject, value: Json, path: string, before?: Json): Cause[] {
  const report = new Report(path);
  checkValue(schema, value, before, '', report);
  return report.causes;
}

function checkValue(schema: JsonObject, value: Json, before: Json | undefined, path: string, report: Report): void {
  if (before !== undefined && equalJson(value, before)) return;
  const fault = typeFault(schema, value);
  if (fault === undefined) report.passed();
  else report.add(path, typeInvalid(path, fault.found, fault.expected));
  if (value !== null) {
    checkCombinations(schema, value, path, report, checkValue);
    if (typeof value === 'string') checkString(schema, value, path, report);
    else if (typeof value === 'number') checkNumber(schema, value, path, report);
    else if (isList(value)) checkItems(schema, value, before, path, report);
  }
  checkEnum(schema, value, path, report);
  if (isObject(value)) checkMembers(schema, value, isObject(before) ? before : undefined, path, report);
}

function typeInvalid(path: string, found: string, expected: string): Cause {
  const text = `${path} in body must be of type ${expected}: ${JSON.stringify(found)}`;
  return { ...invalidValue(path, found, text), reason: 'FieldValueTypeInvalid' };
}

function checkEnum(schema: JsonObject, value: Json, path: string, report: Report): void {
  const allowed = schema['enum'];
  if (!isList(allowed) || allowed.length === 0) return;
  const cut = typeof value === 'number' ? Math.trunc(value) : value;
  // A whole number in the list also allows what is the same without its fraction.
  if (allowed.some((one) => equalJson(one, value) || (Number.isInteger(one) && one === cut))) return;
  const texts = allowed.map((one) => (typeof one === 'string' ? one : JSON.stringify(one)));
  report.add(path, notSupported(path, value, texts));
}

function checkItems(
  schema: JsonObject,
  items: readonly Json[],
  before: Json | undefined,
  path: string,
  report: Report,
): void {
  const itemSchema = schema['items'];
  if (isObject(itemSchema)) {
    const partner = correlatedItems(schema, before);
    for (const [index, item] of items.entries()) {
      checkValue(itemSchema, item, partner(item), `${path}[${index}]`, report);
    }
  }
  checkList(schema, items, path, report);
}

/** Finds the stored item that an item continues; only lists with keys have such items. */
export function correlatedItems(schema: JsonObject, before: Json | undefined): (item: Json) => Json | undefined {
  const keys = schema['x-kubernetes-list-map-keys'];
  if (!isList(before) || schema['x-kubernetes-list-type'] !== 'map' || !isList(keys)) return () => undefined;
  const names = keys.filter((key) => typeof key === 'string');
  const identity = (item: Json): string =>
    JSON.stringify(names.map((name) => (isObject(item) ? (item[name] ?? null) : null)));
  const byIdentity = new Map(before.map((item) => [identity(item), item]));
  return (item) => byIdentity.get(identity(item));
}

function checkMembers(
  schema: JsonObject,
  value: JsonObject,
  before: JsonObject | undefined,
  path: string,
  report: Report,
): void {
  const keys = Object.keys(value).filter((key) => value[key] !== undefined);
  const { minProperties, maxProperties } = schema;
  if (typeof minProperties === 'number' && keys.length < minProperties) {
    report.add(
      path,
      invalidValue(path, keys.length, `${path} in body should have at least ${minProperties} properties`),
    );
  }
  if (typeof maxProperties === 'number' && keys.length > maxProperties)
    report.add(path, tooMany(path, keys.length, maxProperties));
  const properties = isObject(schema['properties']) ? schema['properties'] : {};
  const additional = schema['additionalProperties'];
  for (const key of keys) {
    const declared = Object.hasOwn(properties, key) ? properties[key] : undefined;
    const memberSchema = isObject(declared) ? declared : additional;
    const name = path === '' ? key : `${path}.${key}`;
    if (isObject(memberSchema)) checkMember(memberSchema, value, before, key, name, report);
    else if (additional === false && declared === undefined) {
      report.add(path, invalidValue(path, key, `${path}.${key} in body is a forbidden property`));
    }
  }
  if (!isList(schema['required'])) return;
  for (const key of schema['required']) {
    if (typeof key !== 'string' || value[key] !== undefined) continue;
    const name = path === '' ? key : `${path}.${key}`;
    report.add(name, required(name));
  }
}

function checkMember(
  schema: JsonObject,
  value: JsonObject,
  before: JsonObject | undefined,
  key: string,
  path: string,
  report: Report,
): void {
  checkValue(schema, value[key] as Json, before?.[key], path, report);
}

/** More entries than allowed. */
export function tooMany(field: string, actual: number, limit: number): Cause {
  const items = limit === 1 ? 'item' : 'items';
  return { reason: 'FieldValueTooMany', message: `Too many: ${actual}: must have at most ${limit} ${items}`, field };
}
