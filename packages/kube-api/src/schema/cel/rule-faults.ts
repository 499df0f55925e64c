// Rules of a schema that cannot be compiled.
import type { Cause } from '../../errors.ts';
import { invalidValue } from '../../causes.ts';
import { isList, isObject } from '../../json.ts';
import type { Json, JsonObject } from '../../json.ts';
import { syntaxFault } from './compile.ts';

/**
 * The rules and message expressions of `openAPIV3Schema` that this evaluator does not understand; `path` is where the schema
 * stands. The library knows neither types nor optional fields (`self.?field`), so that it finds less than the real server in
 * some rules, and refuses some that the real server takes.
 */
export function ruleFaults(schema: JsonObject, path = ''): Cause[] {
  const causes: Cause[] = [];
  collect(schema, path, causes);
  return causes;
}

function collect(schema: JsonObject, path: string, causes: Cause[]): void {
  const at = (name: string): string => (path === '' ? name : `${path}.${name}`);
  const { properties, items, additionalProperties } = schema;
  const rules = schema['x-kubernetes-validations'];
  for (const [index, rule] of (isList(rules) ? rules : []).entries()) {
    if (isObject(rule)) checkRule(rule, at(`x-kubernetes-validations[${index}]`), causes);
  }
  for (const [name, property] of Object.entries(isObject(properties) ? properties : {})) {
    if (isObject(property)) collect(property, at(`properties[${name}]`), causes);
  }
  if (isObject(items)) collect(items, at('items'), causes);
  if (isObject(additionalProperties)) collect(additionalProperties, at('additionalProperties'), causes);
}

function checkRule(rule: JsonObject, path: string, causes: Cause[]): void {
  for (const key of ['rule', 'messageExpression']) {
    const text = rule[key];
    const fault = typeof text === 'string' && text.trim() !== '' ? syntaxFault(text) : undefined;
    if (fault !== undefined)
      causes.push(invalidValue(`${path}.${key}`, shownRule(rule), `compilation failed: ERROR: ${fault}`));
  }
}

/** A rule as the server prints it. */
function shownRule(rule: JsonObject): Json {
  const {
    rule: text = '',
    message = '',
    messageExpression = '',
    reason = null,
    fieldPath = '',
    optionalOldSelf = null,
  } = rule;
  return {
    Rule: text,
    Message: message,
    MessageExpression: messageExpression,
    Reason: reason,
    FieldPath: fieldPath,
    OptionalOldSelf: optionalOldSelf,
  };
}
