import { describe, expect, it } from 'vitest';
import { freezeJson } from '../json.ts';
import type { JsonObject } from '../json.ts';
import { applyDefaults } from './defaults.ts';
import { prune } from './prune.ts';
import { structuralFaults } from './structural-faults.ts';

const schema: JsonObject = {
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      properties: {
        replicas: { type: 'integer', default: 1 },
        name: { type: 'string' },
        note: { type: 'string', nullable: true },
        nested: { type: 'object', default: {}, properties: { mode: { type: 'string', default: 'auto' } } },
        items: { type: 'array', items: { type: 'object', properties: { on: { type: 'boolean', default: true } } } },
        free: {
          type: 'object',
          'x-kubernetes-preserve-unknown-fields': true,
          properties: { known: { type: 'object', properties: {} } },
        },
      },
    },
  },
};

describe('defaults', () => {
  it('fill absent fields, also those inside of defaults and lists', () => {
    expect(applyDefaults(schema, { spec: { items: [{}] } })).toEqual({
      spec: { replicas: 1, nested: { mode: 'auto' }, items: [{ on: true }] },
    });
  });

  it('replace null where it is not allowed, and drop it where there is no default', () => {
    expect(applyDefaults(schema, { spec: { replicas: null, name: null, note: null, nested: { mode: null } } })).toEqual(
      {
        spec: { replicas: 1, note: null, nested: { mode: 'auto' } },
      },
    );
  });

  it('leave null to validation after an apply', () => {
    expect(applyDefaults(schema, { spec: { replicas: null, name: null, nested: {} } }, true)).toEqual({
      spec: { replicas: 1, name: null, nested: { mode: 'auto' } },
    });
  });

  it('give a complete value back', () => {
    const value = freezeJson({ spec: { replicas: 2, nested: { mode: 'x' }, items: [{ on: false }] } });
    expect(applyDefaults(schema, value)).toBe(value);
  });
});

describe('pruning', () => {
  it('drops what is not declared and names it', () => {
    const value = {
      apiVersion: 'a/v1',
      kind: 'K',
      metadata: { any: 1 },
      spec: { nope: 1, items: [{ on: true, off: 1 }] },
      extra: {},
    };
    expect(prune(schema, value)).toEqual({
      value: { apiVersion: 'a/v1', kind: 'K', metadata: { any: 1 }, spec: { items: [{ on: true }] } },
      pruned: ['extra', 'spec.items[0].off', 'spec.nope'],
    });
  });

  it('keeps free parts, but not below what they declare', () => {
    const value = { spec: { free: { a: { b: 1 }, known: { c: 1 } } } };
    expect(prune(schema, value)).toEqual({
      value: { spec: { free: { a: { b: 1 }, known: {} } } },
      pruned: ['spec.free.known.c'],
    });
  });

  it('gives a clean value back', () => {
    const value = freezeJson({ spec: { name: 'x' } });
    expect(prune(schema, value).value).toBe(value);
  });
});

describe('structural faults', () => {
  const faults = (property: JsonObject): string[] =>
    structuralFaults({ type: 'object', properties: { x: property } }, 's').map(
      ({ field, message }) => `${field}: ${message}`,
    );

  it.each<[JsonObject, string[]]>([
    [{ type: 'string' }, []],
    [{ 'x-kubernetes-int-or-string': true, anyOf: [{ type: 'integer' }, { type: 'string' }] }, []],
    [{}, ['s.properties[x].type: Required value: must not be empty for specified object fields']],
    [{ type: 'array' }, ['s.properties[x].items: Required value: must be specified']],
    [{ type: 'string', $ref: 'y' }, ['s.properties[x].$ref: Forbidden: $ref is not supported']],
    [
      { type: 'integer', anyOf: [{ type: 'integer' }] },
      ['s.properties[x].anyOf[0].type: Forbidden: must be empty to be structural'],
    ],
    [
      { type: 'string', pattern: '(' },
      ['s.properties[x].pattern: Invalid value: "(": must be a valid regular expression, but isn\'t'],
    ],
    [
      { type: 'integer', default: 'x' },
      ['s.properties[x].default: Invalid value: "string":  in body must be of type integer: "string"'],
    ],
    [
      { type: 'array', items: { type: 'object' }, 'x-kubernetes-list-type': 'map' },
      [
        's.properties[x].x-kubernetes-list-map-keys: Required value: must not be empty if x-kubernetes-list-type is map',
      ],
    ],
  ])('of %j are %j', (property, expected) => {
    expect(faults(property)).toEqual(expected);
  });
});
