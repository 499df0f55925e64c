import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../json.ts';
import { customSchema } from './custom-schema.ts';
import { validate } from './validate.ts';

const schema: JsonObject = {
  type: 'object',
  required: ['image'],
  properties: {
    image: { type: 'string', minLength: 2, maxLength: 4, pattern: '^[a-z]+$' },
    replicas: { type: 'integer', minimum: 1, maximum: 5 },
    share: { type: 'number', exclusiveMinimum: true, minimum: 0 },
    mode: { type: 'string', enum: ['a', 'b'] },
    when: { type: 'string', format: 'date-time' },
    port: { 'x-kubernetes-int-or-string': true },
    note: { type: 'string', nullable: true },
    list: { type: 'array', minItems: 1, maxItems: 2, items: { type: 'string' } },
    map: { type: 'object', maxProperties: 1, additionalProperties: { type: 'integer' } },
    one: {
      type: 'object',
      oneOf: [{ required: ['x'] }, { required: ['y'] }],
      properties: { x: { type: 'string' }, y: { type: 'string' } },
    },
    any: { type: 'integer', anyOf: [{ minimum: 3 }, { maximum: 1 }] },
    not: { type: 'string', not: { enum: ['bad'] } },
  },
};

const faults = (value: JsonObject, before?: Json): string[] =>
  validate(schema, { image: 'abc', ...value }, 'spec', before).map(({ field, message }) => `${field}: ${message}`);

describe('validation', () => {
  it.each<[JsonObject, string[]]>([
    [{}, []],
    [{ replicas: 'x' }, ['spec.replicas: Invalid value: "string": replicas in body must be of type integer: "string"']],
    [{ replicas: 1.5 }, ['spec.replicas: Invalid value: "number": replicas in body must be of type integer: "number"']],
    [{ replicas: 0 }, ['spec.replicas: Invalid value: 0: replicas in body should be greater than or equal to 1']],
    [{ replicas: 6 }, ['spec.replicas: Invalid value: 6: replicas in body should be less than or equal to 5']],
    [{ share: 0 }, ['spec.share: Invalid value: 0: share in body should be greater than 0']],
    [{ mode: 'c' }, ['spec.mode: Unsupported value: "c": supported values: "a", "b"']],
    [{ image: 'a' }, ['spec.image: Invalid value: "a": image in body should be at least 2 chars long']],
    [{ image: 'abcde' }, ['spec.image: Too long: may not be more than 4 bytes']],
    [{ image: 'AB' }, ['spec.image: Invalid value: "AB": image in body should match \'^[a-z]+$\'']],
    [{ when: 'now' }, ['spec.when: Invalid value: "now": when in body must be of type date-time: "now"']],
    [{ port: 80 }, []],
    [{ port: 'http' }, []],
    [{ port: true }, ['spec.port: Invalid value: "boolean": port in body must be of type integer,string: "boolean"']],
    [{ note: null }, []],
    [
      { mode: null },
      [
        'spec.mode: Invalid value: "null": mode in body must be of type string: "null"',
        'spec.mode: Unsupported value: null: supported values: "a", "b"',
      ],
    ],
    [{ list: [] }, ['spec.list: Invalid value: 0: list in body should have at least 1 items']],
    [{ list: ['a', 'b', 'c'] }, ['spec.list: Too many: 3: must have at most 2 items']],
    [{ list: [1] }, ['spec.list[0]: Invalid value: "integer": list[0] in body must be of type string: "integer"']],
    [{ map: { a: 1, b: 2 } }, ['spec.map: Too many: 2: must have at most 1 item']],
    [{ map: { a: 'x' } }, ['spec.map.a: Invalid value: "string": map.a in body must be of type integer: "string"']],
    [
      { one: {} },
      [
        'spec: Invalid value: "": "one" must validate one and only one schema (oneOf). Found none valid',
        'spec.one.x: Required value',
      ],
    ],
    [
      { one: { x: '', y: '' } },
      ['spec: Invalid value: "": "one" must validate one and only one schema (oneOf). Found 2 valid alternatives'],
    ],
    [
      { any: 2 },
      [
        'spec: Invalid value: "": "any" must validate at least one schema (anyOf)',
        'spec.any: Invalid value: 2: any in body should be greater than or equal to 3',
      ],
    ],
    [{ not: 'bad' }, ['spec: Invalid value: "": "not" must not validate the schema (not)']],
  ])('of %j finds %j', (value, expected) => {
    expect(faults(value)).toEqual(expected);
  });

  it('asks for required fields', () => {
    expect(validate(schema, {}, '')).toEqual([
      { reason: 'FieldValueRequired', message: 'Required value', field: 'image' },
    ]);
  });

  it('does not look again at what did not change', () => {
    const before = { image: 'abc', replicas: 99, mode: 'a' };
    expect(faults({ replicas: 99, mode: 'b' }, before)).toEqual([]);
    expect(faults({ replicas: 98 }, before)).toHaveLength(1);
  });
});

describe('a custom resource', () => {
  const keyed: JsonObject = {
    type: 'array',
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['k'],
    items: { type: 'object', properties: { k: { type: 'string' } } },
  };
  const set: JsonObject = { type: 'array', 'x-kubernetes-list-type': 'set', items: { type: 'string' } };
  const inner: JsonObject = {
    type: 'object',
    'x-kubernetes-embedded-resource': true,
    'x-kubernetes-preserve-unknown-fields': true,
  };
  const custom = customSchema({
    type: 'object',
    properties: {
      spec: { type: 'object', properties: { keyed, set, inner } },
      status: { type: 'object', properties: { n: { type: 'integer' } } },
    },
  });
  const object = (spec: JsonObject) => ({ apiVersion: 'a/v1', kind: 'K', metadata: {}, spec });

  it('has no item twice in sets and lists with keys, unless it had before', () => {
    const bad = object({ set: ['a', 'a', 'a'], keyed: [{ k: 'x' }, { k: 'x' }] });
    expect(custom.validate(bad, undefined).map(({ field, message }) => `${field}: ${message}`)).toEqual([
      'spec.set[1]: Duplicate value: "a"',
      'spec.keyed[1]: Duplicate value: {"k":"x"}',
    ]);
    expect(custom.validate(bad, object({ set: ['b', 'b'] }))).toEqual([]);
  });

  it('names what an embedded object lacks', () => {
    const causes = custom.validate(object({ inner: { kind: 'X' } }), undefined);
    expect(causes).toEqual([
      { reason: 'FieldValueRequired', message: 'Required value', field: 'spec.inner.apiVersion' },
    ]);
  });

  it('has its status validated on its own', () => {
    const live = object({});
    const causes = custom.validateStatus({ ...live, status: { n: 'x' } } as never, live);
    expect(causes.map(({ field, message }) => `${field}: ${message}`)).toEqual([
      'status.n: Invalid value: "string": n in body must be of type integer: "string"',
    ]);
  });

  it('does not ask rules about an object that is invalid otherwise', () => {
    const rules: JsonObject = { type: 'object', required: ['spec'], 'x-kubernetes-validations': [{ rule: 'false' }] };
    const ruled = customSchema(rules, () => [{ reason: 'FieldValueInvalid', message: 'rule', field: 'spec' }]);
    expect(
      ruled.validate({ apiVersion: 'a/v1', kind: 'K', metadata: {} }, undefined).map(({ message }) => message),
    ).toEqual([
      'Required value',
      'Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation',
    ]);
    expect(ruled.validate(object({}), undefined).map(({ message }) => message)).toEqual(['rule']);
  });
});
