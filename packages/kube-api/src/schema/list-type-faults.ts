// What `x-kubernetes-list-type`, `-list-map-keys` and `-map-type` ask of the schema around them, and the form of CEL rules.
import { forbiddenField, invalidValue, notSupported, required } from '../causes.ts';
import type { Cause } from '../errors.ts';
import { isList, isObject } from '../json.ts';
import type { Json, JsonObject } from '../json.ts';

/** The faults of one schema node, not of those below it. */
export function listTypeFaults(schema: JsonObject, path: string): Cause[] {
  const causes: Cause[] = [];
  const at = (name: string): string => (path === '' ? name : `${path}.${name}`);
  checkMapType(schema, at, causes);
  checkListType(schema, at, causes);
  checkListKeys(schema, at, causes);
  checkRules(schema, at, causes);
  return causes;
}

type At = (name: string) => string;

function checkMapType(schema: JsonObject, at: At, causes: Cause[]): void {
  const mapType = schema['x-kubernetes-map-type'];
  if (mapType === undefined) return;
  checkType(schema, 'object', 'x-kubernetes-map-type', at, causes);
  if (mapType !== 'atomic' && mapType !== 'granular') {
    causes.push(notSupported(at('x-kubernetes-map-type'), mapType, ['atomic', 'granular']));
  }
}

function checkType(schema: JsonObject, expected: string, cause: string, at: At, causes: Cause[]): void {
  const type = schema['type'];
  if (type === expected) return;
  const why = `must be ${expected} if ${cause} is specified`;
  causes.push(type === undefined || type === '' ? required(at('type'), why) : invalidValue(at('type'), type, why));
}

function checkListType(schema: JsonObject, at: At, causes: Cause[]): void {
  const listType = schema['x-kubernetes-list-type'];
  if (listType === undefined) return;
  checkType(schema, 'array', 'x-kubernetes-list-type', at, causes);
  if (listType !== 'atomic' && listType !== 'set' && listType !== 'map') {
    causes.push(notSupported(at('x-kubernetes-list-type'), listType, ['atomic', 'set', 'map']));
  }
  const items = schema['items'];
  if (listType !== 'set' || !isObject(items)) return;
  const why = 'must be atomic as item of a list with x-kubernetes-list-type=set';
  if (items['type'] === 'array' && items['x-kubernetes-list-type'] !== 'atomic') {
    causes.push(invalidValue(at('items.x-kubernetes-list-type'), items['x-kubernetes-list-type'], why));
  }
  if (items['type'] === 'object' && items['x-kubernetes-map-type'] !== 'atomic') {
    causes.push(invalidValue(at('items.x-kubernetes-map-type'), items['x-kubernetes-map-type'], why));
  }
  if (items['nullable'] === true) {
    causes.push(forbiddenField(at('items.nullable'), `cannot be nullable when x-kubernetes-list-type is ${listType}`));
  }
}

function checkListKeys(schema: JsonObject, at: At, causes: Cause[]): void {
  const listType = schema['x-kubernetes-list-type'];
  const declared = schema['x-kubernetes-list-map-keys'];
  const keys = isList(declared) ? declared : [];
  if (keys.length > 0 && listType !== 'map') {
    const why = 'must be map if x-kubernetes-list-map-keys is non-empty';
    const place = at('x-kubernetes-list-type');
    causes.push(listType === undefined ? required(place, why) : invalidValue(place, listType, why));
  }
  if (listType !== 'map') return;
  const place = at('x-kubernetes-list-map-keys');
  if (keys.length === 0) causes.push(required(place, 'must not be empty if x-kubernetes-list-type is map'));
  const items = schema['items'];
  if (!isObject(items)) {
    causes.push(required(at('items'), 'must have a schema if x-kubernetes-list-type is map'));
    return;
  }
  if (items['type'] !== 'object') {
    causes.push(
      invalidValue(at('items.type'), items['type'], "must be object if parent array's x-kubernetes-list-type is map"),
    );
  }
  const properties = isObject(items['properties']) ? items['properties'] : {};
  const mandatory: readonly Json[] = isList(items['required']) ? items['required'] : [];
  for (const key of keys) {
    const property = typeof key === 'string' ? properties[key] : undefined;
    if (typeof key !== 'string' || !isObject(property)) {
      causes.push(invalidValue(place, keys, 'entries must all be names of item properties'));
      continue;
    }
    const where = at(`items.properties[${key}]`);
    if (property['type'] === 'object' || property['type'] === 'array') {
      causes.push(
        invalidValue(
          `${where}.type`,
          items['type'],
          "must be a scalar type if parent array's x-kubernetes-list-type is map",
        ),
      );
    }
    if (property['default'] === undefined && !mandatory.includes(key)) {
      const why = 'this property is in x-kubernetes-list-map-keys, so it must have a default or be a required property';
      causes.push(required(`${where}.default`, why));
    }
    if (property['nullable'] === true) {
      causes.push(
        forbiddenField(`${where}.nullable`, 'this property is in x-kubernetes-list-map-keys, so it cannot be nullable'),
      );
    }
  }
  if (new Set(keys).size < keys.length) causes.push(invalidValue(place, keys, 'must not contain duplicate entries'));
}

const REASONS = ['FieldValueDuplicate', 'FieldValueForbidden', 'FieldValueInvalid', 'FieldValueRequired'];

function checkRules(schema: JsonObject, at: At, causes: Cause[]): void {
  const rules = schema['x-kubernetes-validations'];
  if (!isList(rules)) return;
  for (const [index, rule] of rules.entries()) {
    if (!isObject(rule)) continue;
    const place = (name: string): string => at(`x-kubernetes-validations[${index}].${name}`);
    const { rule: text, message, messageExpression, reason } = rule;
    if (typeof text !== 'string' || text.trim() === '') causes.push(required(place('rule'), 'rule is not specified'));
    else if (message === undefined && /[\r\n]/.test(text.trim())) {
      causes.push(required(place('message'), 'message must be specified if rule contains line breaks'));
    }
    if (typeof message === 'string' && message !== '' && message.trim() === '') {
      causes.push(invalidValue(place('message'), message, 'must be non-empty if specified'));
    } else if (typeof message === 'string' && /[\r\n]/.test(message.trim())) {
      causes.push(invalidValue(place('message'), message, 'must not contain line breaks'));
    }
    if (typeof messageExpression === 'string' && messageExpression !== '' && messageExpression.trim() === '') {
      causes.push(required(place('messageExpression'), 'messageExpression must be non-empty if specified'));
    }
    checkFieldPath(schema, rule['fieldPath'], place('fieldPath'), causes);
    if (reason !== undefined && (typeof reason !== 'string' || !REASONS.includes(reason))) {
      causes.push(notSupported(place('reason'), reason, REASONS));
    }
  }
}

/** The path of a rule leads to a field below the rule. */
function checkFieldPath(schema: JsonObject, path: Json | undefined, place: string, causes: Cause[]): void {
  if (typeof path !== 'string' || path === '') return;
  let node: JsonObject | undefined = schema;
  for (const [token, plain, quoted] of path.matchAll(/\.([^.[\]]+)|\['((?:[^'\\]|\\.)*)'\]|(.)/g)) {
    const name: string | undefined = plain ?? quoted;
    node = name === undefined || token === '' ? undefined : member(node, name);
    if (node === undefined) break;
  }
  if (node === undefined) causes.push(invalidValue(place, path, 'must be a valid path'));
}

function member(schema: JsonObject | undefined, name: string): JsonObject | undefined {
  const { properties, additionalProperties } = schema ?? {};
  const found = isObject(properties) ? properties[name] : additionalProperties;
  return isObject(found) ? found : undefined;
}
