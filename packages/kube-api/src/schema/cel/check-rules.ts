// Evaluates the rules of `x-kubernetes-validations` on an object.
import type { CelInput } from '@bufbuild/cel';
import type { Cause } from '../../errors.ts';
import { forbiddenField, required, shown } from '../../causes.ts';
import { equalJson, isList, isObject } from '../../json.ts';
import type { Json, JsonObject, KubeObject } from '../../json.ts';
import { correlatedItems } from '../validate.ts';
import { compileRule } from './compile.ts';
import type { CompiledRule } from './compile.ts';
import { OPTIONAL } from './library.ts';
import { celValue } from './values.ts';

const METADATA: JsonObject = {
  type: 'object',
  properties: { name: { type: 'string' }, generateName: { type: 'string' } },
};
const HEADER: JsonObject = { apiVersion: { type: 'string' }, kind: { type: 'string' }, metadata: METADATA };

/**
 * The causes of all rules that are not true. Rules that compare with the stored value are skipped where there is none, on create and
 * where a part cannot be followed through the update; a broken rule does not count on a part that did not change.
 */
export function checkRules(schema: JsonObject, after: KubeObject, before: KubeObject | undefined): Cause[] {
  const causes: Cause[] = [];
  const properties = isObject(schema['properties']) ? schema['properties'] : {};
  checkNode({ ...schema, properties: { ...properties, ...HEADER } }, after, before, '', causes);
  return causes;
}

function checkNode(schema: JsonObject, value: Json, before: Json | undefined, path: string, causes: Cause[]): void {
  if (value === null) return;
  const unchanged = before !== undefined && equalJson(value, before);
  checkOwnRules(schema, value, before ?? undefined, unchanged, path, causes);
  const allOf = schema['allOf'];
  for (const nested of isList(allOf) ? allOf : []) {
    if (isObject(nested)) checkNode({ type: schema['type'], ...nested }, value, before, path, causes);
  }
  if (isList(value)) {
    const items = schema['items'];
    if (!isObject(items)) return;
    const partner = correlatedItems(schema, before);
    for (const [index, item] of value.entries()) checkNode(items, item, partner(item), `${path}[${index}]`, causes);
  } else if (isObject(value)) checkMembers(schema, value, before, path, causes);
}

function checkMembers(
  schema: JsonObject,
  value: JsonObject,
  before: Json | undefined,
  path: string,
  causes: Cause[],
): void {
  const { properties, additionalProperties } = schema;
  const stored = isObject(before) && schema['x-kubernetes-map-type'] !== 'atomic' ? before : undefined;
  for (const key in value) {
    const member = value[key];
    if (member === undefined) continue;
    const property = isObject(properties) && Object.hasOwn(properties, key) ? properties[key] : undefined;
    if (isObject(property)) checkNode(property, member, stored?.[key], path === '' ? key : `${path}.${key}`, causes);
    else if (isObject(additionalProperties))
      checkNode(additionalProperties, member, stored?.[key], `${path}[${key}]`, causes);
  }
}

function checkOwnRules(
  schema: JsonObject,
  value: Json,
  before: Json | undefined,
  unchanged: boolean,
  path: string,
  causes: Cause[],
): void {
  const rules = schema['x-kubernetes-validations'];
  if (!isList(rules) || rules.length === 0) return;
  const hasOld = before !== undefined && before !== null;
  const variables: { self: CelInput; oldSelf?: CelInput } = { self: celValue(schema, value) };
  if (hasOld) variables.oldSelf = celValue(schema, before);
  for (const rule of rules) {
    if (!isObject(rule)) continue;
    const compiled = compileRule(rule);
    const optional = rule['optionalOldSelf'] === true;
    if (compiled.usesOldSelf && !hasOld && !optional) continue;
    const known = optional
      ? { ...variables, oldSelf: new Map([[OPTIONAL, hasOld ? [variables.oldSelf ?? null] : []]]) }
      : variables;
    const cause = evaluate(rule, compiled, { variables: known, schema, value, path });
    if (cause !== undefined && (compiled.usesOldSelf || !unchanged)) causes.push(cause);
  }
}

interface Place {
  readonly variables: Readonly<Record<string, CelInput>>;
  readonly schema: JsonObject;
  readonly value: Json;
  readonly path: string;
}

function evaluate(rule: JsonObject, compiled: CompiledRule, place: Place): Cause | undefined {
  if (typeof compiled.rule !== 'function') return fault(place, `rule compile error: ${compiled.rule.fault}`);
  const outcome = compiled.rule(place.variables);
  if ('fault' in outcome) {
    const text = ruleText(rule);
    if (!outcome.fault.startsWith('no such overload')) return fault(place, `${outcome.fault} evaluating rule: ${text}`);
    return fault(
      place,
      `'${outcome.fault}': call arguments did not match a supported operator, function or macro signature for rule: ${text}`,
    );
  }
  if (outcome.value === true) return undefined;
  return broken(rule, place, messageOf(rule, compiled, place));
}

/** A rule that could not be evaluated. */
function fault({ schema, path }: Place, detail: string): Cause {
  const type = typeof schema['type'] === 'string' ? schema['type'] : '';
  return {
    reason: 'FieldValueInvalid',
    message: `Invalid value: ${JSON.stringify(type)}: ${detail}`,
    field: path === '' ? '<nil>' : path,
  };
}

function broken(rule: JsonObject, { schema, value, path }: Place, detail: string): Cause {
  const fieldPath = typeof rule['fieldPath'] === 'string' ? rule['fieldPath'].replace(/^\./, '') : '';
  const own = [path, fieldPath.replaceAll(/\['([^']*)'\]/g, '[$1]')].filter((part) => part !== '').join('.');
  const field = (own === '' ? '<nil>' : own).replaceAll('.[', '[');
  const reason = typeof rule['reason'] === 'string' ? rule['reason'] : '';
  switch (reason) {
    case 'FieldValueForbidden':
      return forbiddenField(field, detail);
    case 'FieldValueRequired':
      return required(field, detail);
    case 'FieldValueDuplicate':
      return { reason: 'FieldValueDuplicate', message: `Duplicate value${valueText(schema, value)}`, field };
    default:
      return { reason: 'FieldValueInvalid', message: `Invalid value${valueText(schema, value)}: ${detail}`, field };
  }
}

/** Objects and lists are not shown. */
function valueText(schema: JsonObject, value: Json): string {
  return schema['type'] === 'object' || schema['type'] === 'array' ? '' : `: ${shown(value)}`;
}

function messageOf(rule: JsonObject, compiled: CompiledRule, { variables }: Place): string {
  const outcome = compiled.messageExpression?.(variables);
  if (outcome !== undefined && 'value' in outcome && typeof outcome.value === 'string') {
    const text = outcome.value.trim();
    if (text !== '' && text.length <= 5120 && !/[\r\n]/.test(text)) return text;
  }
  const message = typeof rule['message'] === 'string' ? rule['message'].trim() : '';
  return message === '' ? `failed rule: ${ruleText(rule)}` : message;
}

function ruleText(rule: JsonObject): string {
  const message = typeof rule['message'] === 'string' ? rule['message'].trim() : '';
  if (message !== '') return message;
  return typeof rule['rule'] === 'string' ? rule['rule'].trim() : '';
}
