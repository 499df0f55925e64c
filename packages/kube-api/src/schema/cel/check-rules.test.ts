import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../json.ts';
import { checkRules } from './check-rules.ts';

const rules = (...list: JsonObject[]): JsonObject => ({ 'x-kubernetes-validations': list });
const schema: JsonObject = {
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      properties: {
        min: { type: 'integer', ...rules({ rule: 'self >= oldSelf', message: 'may not shrink' }) },
        max: { type: 'integer' },
        size: {
          type: 'string',
          ...rules({ rule: "quantity(self).isLessThan(quantity('1Gi'))", messageExpression: "self + ' is too much'" }),
        },
        'a-b': { type: 'string' },
        list: {
          type: 'array',
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['k'],
          items: {
            type: 'object',
            properties: {
              k: { type: 'string' },
              v: { type: 'integer', ...rules({ rule: 'self == oldSelf', reason: 'FieldValueForbidden' }) },
            },
          },
        },
      },
      ...rules(
        { rule: '!has(self.max) || self.min <= self.max', message: 'min over max', fieldPath: '.min' },
        { rule: "!has(self.a__dash__b) || self.a__dash__b.startsWith('x')" },
      ),
    },
  },
  ...rules({ rule: 'self.metadata.name.size() < 5', message: 'name too long' }),
};

const object = (spec: JsonObject, name = 'o') => ({ apiVersion: 'a/v1', kind: 'K', metadata: { name }, spec });
const faults = (spec: JsonObject, before?: JsonObject): string[] =>
  checkRules(schema, object(spec), before === undefined ? undefined : object(before)).map(
    ({ field, message }) => `${field}: ${message}`,
  );

describe('rules', () => {
  it('say nothing where they are true', () => {
    expect(faults({ min: 1, max: 2, size: '1Mi', 'a-b': 'xy' })).toEqual([]);
  });

  it('say what they were given to say, at their field', () => {
    expect(faults({ min: 3, max: 2 })).toEqual(['spec.min: Invalid value: min over max']);
    expect(faults({ size: '2Gi' })).toEqual(['spec.size: Invalid value: "2Gi": 2Gi is too much']);
    expect(faults({ 'a-b': 'y' })).toEqual([
      "spec: Invalid value: failed rule: !has(self.a__dash__b) || self.a__dash__b.startsWith('x')",
    ]);
    expect(checkRules(schema, object({}, 'too-long'), undefined)).toEqual([
      { reason: 'FieldValueInvalid', message: 'Invalid value: name too long', field: '<nil>' },
    ]);
  });

  it('compare with the stored value only where there is one', () => {
    expect(faults({ min: 1 })).toEqual([]);
    expect(faults({ min: 1 }, { min: 2 })).toEqual(['spec.min: Invalid value: 1: may not shrink']);
    expect(
      faults(
        {
          list: [
            { k: 'b', v: 1 },
            { k: 'a', v: 2 },
          ],
        },
        { list: [{ k: 'a', v: 1 }] },
      ),
    ).toEqual(['spec.list[1].v: Forbidden: failed rule: self == oldSelf']);
  });

  it('may handle the absence of a stored value themselves', () => {
    const optional: JsonObject = {
      type: 'object',
      properties: {
        spec: {
          type: 'object',
          properties: {
            n: {
              type: 'integer',
              ...rules({ rule: 'oldSelf.hasValue() ? self > oldSelf.value() : self == 1', optionalOldSelf: true }),
            },
          },
        },
      },
    };
    const broken = (n: number, before?: number): number =>
      checkRules(optional, object({ n }), before === undefined ? undefined : object({ n: before })).length;
    expect([broken(1), broken(2), broken(2, 1), broken(2, 3)]).toEqual([0, 1, 0, 1]);
  });

  it('do not count on what did not change', () => {
    expect(faults({ min: 3, max: 2 }, { min: 3, max: 2 })).toEqual([]);
  });

  it('report what cannot be evaluated', () => {
    expect(faults({ max: 1 })).toEqual([
      'spec: Invalid value: "object": no such key: min evaluating rule: min over max',
    ]);
  });
});
