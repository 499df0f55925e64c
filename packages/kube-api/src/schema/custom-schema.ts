// A version's schema as the server uses it: decode what arrives or was stored, validate what is to be stored.
import { invalidValue } from '../causes.ts';
import type { Cause } from '../errors.ts';
import { isObject } from '../json.ts';
import type { JsonObject, KubeObject } from '../json.ts';
import { schemaOfCrd } from './crd-types.ts';
import { applyDefaults } from './defaults.ts';
import { embeddedFaults } from './embedded.ts';
import { listDuplicates } from './list-duplicates.ts';
import { prune } from './prune.ts';
import type { TypeSchema } from './type-schema.ts';
import { validate } from './validate.ts';

/** Evaluates the CEL rules of a schema; `before` is undefined on create. See `checkRules` in `cel/`. */
export type RuleChecker = (schema: JsonObject, after: KubeObject, before: KubeObject | undefined) => readonly Cause[];

/** One version of a custom resource. All functions are pure. */
export interface CustomSchema {
  readonly type: TypeSchema;
  /** Pruned and with defaults, as the object is stored and as stored objects are read. `unknown` are the pruned paths. */
  readonly decode: (object: KubeObject) => { readonly object: KubeObject; readonly unknown: readonly string[] };
  /** Everything that is wrong with an object, metadata aside. `before`: the stored object on update. */
  readonly validate: (after: KubeObject, before: KubeObject | undefined) => readonly Cause[];
  /** The same for a write to `/status`. */
  readonly validateStatus: (after: KubeObject, before: KubeObject) => readonly Cause[];
}

const BLOCKING = new Set([
  'FieldValueNotSupported',
  'FieldValueRequired',
  'FieldValueTooLong',
  'FieldValueTooMany',
  'FieldValueTypeInvalid',
]);
const RULES_SKIPPED =
  'some validation rules were not checked because the object was invalid; correct the existing errors to complete validation';

/** Compiles `openAPIV3Schema` of one version; undefined: everything is allowed. Without `checkRules` CEL rules are ignored. */
export function customSchema(openAPIV3Schema: JsonObject | undefined, checkRules?: RuleChecker): CustomSchema {
  const schema = openAPIV3Schema ?? { 'x-kubernetes-preserve-unknown-fields': true };
  const statusSchema = statusOf(schema);
  const withRules = checkRules !== undefined && hasRules(schema) ? checkRules : undefined;

  function finish(causes: Cause[], after: KubeObject, before: KubeObject | undefined): readonly Cause[] {
    causes.push(...embeddedFaults(schema, after));
    if (before === undefined || listDuplicates(schema, before).length === 0)
      causes.push(...listDuplicates(schema, after));
    if (withRules === undefined) return causes;
    if (causes.some((cause) => BLOCKING.has(cause.reason)))
      return [...causes, invalidValue('<nil>', undefined, RULES_SKIPPED)];
    return [...causes, ...withRules(schema, after, before)];
  }

  return {
    type: schemaOfCrd(openAPIV3Schema),
    decode: (object) => {
      const { value, pruned } = prune(schema, object);
      return { object: applyDefaults(schema, value) as KubeObject, unknown: pruned };
    },
    validate: (after, before) => finish(validate(schema, after, '', before), after, before),
    validateStatus: (after, before) => {
      const status = after['status'];
      const causes =
        status === undefined || statusSchema === undefined
          ? []
          : validate(statusSchema, status, 'status', before['status']);
      return finish(causes, after, before);
    },
  };
}

function statusOf(schema: JsonObject): JsonObject | undefined {
  const properties = schema['properties'];
  const status = isObject(properties) ? properties['status'] : undefined;
  return isObject(status) ? status : undefined;
}

/** True if a schema has CEL rules anywhere. */
function hasRules(schema: JsonObject): boolean {
  if (schema['x-kubernetes-validations'] !== undefined) return true;
  return Object.values(schema).some((value) =>
    Array.isArray(value) ? value.some((item) => isObject(item) && hasRules(item)) : isObject(value) && hasRules(value),
  );
}
