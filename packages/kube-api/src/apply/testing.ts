// Shorthands for the tests of this folder: a custom type with every kind of field, and writes by name.
import type { Json, JsonObject, KubeObject } from '../json.ts';
import { schemaOfCrd } from '../schema/crd-types.ts';
import { applyPatch } from './apply-patch.ts';
import type { ManagedFieldsEntry } from './managers.ts';
import { recordUpdate } from './record-update.ts';
import { resetFields } from './reset-fields.ts';

const string: JsonObject = { type: 'string' };
const strings: JsonObject = { type: 'object', additionalProperties: string };

/** The schema of a `Thing`. */
export const thingSchema: JsonObject = {
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      properties: {
        replicas: { type: 'integer' },
        image: string,
        atomic: { type: 'array', items: string },
        set: { type: 'array', 'x-kubernetes-list-type': 'set', items: string },
        ports: {
          type: 'array',
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['name', 'protocol'],
          items: {
            type: 'object',
            required: ['name'],
            properties: {
              name: string,
              protocol: { type: 'string', default: 'TCP' },
              port: { type: 'integer' },
              note: string,
            },
          },
        },
        labels: strings,
        whole: { ...strings, 'x-kubernetes-map-type': 'atomic' },
        free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
      },
    },
    status: { type: 'object', properties: { ready: { type: 'integer' } } },
  },
};

export const thingType = schemaOfCrd(thingSchema);
const apiVersion = 'example.dev/v1';

/** A thing with this spec. */
export function thing(spec: Json | undefined, metadata: JsonObject = {}): KubeObject {
  return { apiVersion, kind: 'Thing', metadata: { name: 't', ...metadata }, ...(spec === undefined ? {} : { spec }) };
}

/** Applies a spec as `manager`; `second` is the time of the write. */
export function apply(
  live: KubeObject | undefined,
  manager: string,
  spec: Json | undefined,
  second = 1,
  force = false,
): KubeObject {
  return applyObject(live, manager, thing(spec), second, force);
}

export function applyObject(
  live: KubeObject | undefined,
  manager: string,
  patch: KubeObject,
  second = 1,
  force = false,
): KubeObject {
  const common = {
    schema: thingType,
    now: time(second),
    apiVersion,
    resetFields: resetFields(apiVersion, 'Thing', true),
  };
  return applyPatch({ live, patch, manager, force, ...common }).object;
}

/** Replaces what a plain update by `manager` replaces. */
export function update(
  before: KubeObject | undefined,
  manager: string,
  after: KubeObject,
  second = 1,
  subresource?: string,
): KubeObject {
  const reset = resetFields(apiVersion, 'Thing', true, subresource);
  return recordUpdate({
    before,
    after,
    schema: thingType,
    manager,
    now: time(second),
    apiVersion,
    subresource,
    resetFields: reset,
  });
}

export function time(second: number): string {
  return `2024-01-01T00:00:${String(second).padStart(2, '0')}Z`;
}

/** The fields of a manager, or undefined if he has no entry. */
export function fieldsOf(object: KubeObject, manager: string): JsonObject | undefined {
  return entryOf(object, manager)?.fieldsV1;
}

export function entryOf(object: KubeObject, manager: string): ManagedFieldsEntry | undefined {
  return object.metadata.managedFields?.find((entry) => entry['manager'] === manager) as ManagedFieldsEntry | undefined;
}
