// metadata.managedFields, decoded: who owns which fields, and since when.
import type { JsonObject } from '../json.ts';
import { equalJson, isObject } from '../json.ts';
import { EMPTY, canonical, isEmptySet } from './field-set.ts';
import type { FieldSet } from './field-set.ts';

/** One entry of `metadata.managedFields`. `time` is absent for an owner whose apply changed nothing. */
export interface ManagedFieldsEntry extends JsonObject {
  readonly manager: string;
  readonly operation: 'Apply' | 'Update';
  readonly apiVersion: string;
  readonly time?: string;
  readonly fieldsType: 'FieldsV1';
  readonly fieldsV1: JsonObject;
  readonly subresource?: string;
}

/** An owner of fields. */
export interface Manager {
  readonly manager: string;
  readonly operation: 'Apply' | 'Update';
  readonly apiVersion: string;
  readonly subresource: string | undefined;
  readonly time: string | undefined;
  readonly set: FieldSet;
  /** The entry that this was read from, if it still says the same. */
  readonly entry: JsonObject | undefined;
}

/** Owners by identity, in no particular order. */
export type Managers = Map<string, Manager>;

/** What tells owners apart: an applier is one owner in all versions, an updater one per version. */
export function managerId(manager: Pick<Manager, 'manager' | 'operation' | 'apiVersion' | 'subresource'>): string {
  const version = manager.operation === 'Apply' ? '' : manager.apiVersion;
  return `${manager.manager}\n${manager.operation}\n${version}\n${manager.subresource ?? ''}`;
}

/** Reads the entries; undefined if one of them is not well-formed. */
export function decodeManagers(entries: readonly JsonObject[] | undefined): Managers | undefined {
  const managers: Managers = new Map();
  for (const entry of entries ?? []) {
    const { manager, operation, apiVersion, subresource, time, fieldsType, fieldsV1 } = entry;
    if ((operation !== 'Apply' && operation !== 'Update') || fieldsType !== 'FieldsV1') return undefined;
    if (typeof apiVersion !== 'string' || apiVersion === '') return undefined;
    const decoded: Manager = {
      manager: typeof manager === 'string' ? manager : '',
      operation,
      apiVersion,
      subresource: typeof subresource === 'string' && subresource !== '' ? subresource : undefined,
      time: typeof time === 'string' ? time : undefined,
      set: isObject(fieldsV1) ? (fieldsV1 as FieldSet) : EMPTY,
      entry,
    };
    managers.set(managerId(decoded), decoded);
  }
  return managers;
}

/** The owner with other fields; the owner itself if they are the same set object. */
export function withSet(manager: Manager, set: FieldSet): Manager {
  return set === manager.set ? manager : { ...manager, set, entry: undefined };
}

/** Writes the entries: appliers first, then by time, manager, version and subresource. Undefined if there are none. */
export function encodeManagers(managers: Managers): readonly JsonObject[] | undefined {
  if (managers.size === 0) return undefined;
  return [...managers.values()].sort(compareManagers).map(encode);
}

function compareManagers(a: Manager, b: Manager): number {
  return (
    compareText(a.operation, b.operation) ||
    compareText(a.time ?? '', b.time ?? '') ||
    compareText(a.manager, b.manager) ||
    compareText(a.apiVersion, b.apiVersion) ||
    compareText(a.subresource ?? '', b.subresource ?? '')
  );
}

/** Byte order. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function encode(manager: Manager): JsonObject {
  if (manager.entry !== undefined) return manager.entry;
  return {
    ...(manager.manager === '' ? {} : { manager: manager.manager }),
    operation: manager.operation,
    apiVersion: manager.apiVersion,
    ...(manager.time === undefined ? {} : { time: manager.time }),
    fieldsType: 'FieldsV1',
    fieldsV1: canonical(manager.set),
    ...(manager.subresource === undefined ? {} : { subresource: manager.subresource }),
  };
}

/** True if a client asks to forget all owners: an empty list, or one empty entry. */
export function isReset(entries: readonly JsonObject[] | undefined): boolean {
  if (entries === undefined) return false;
  if (entries.length === 0) return true;
  return entries.length === 1 && equalJson(entries[0], {});
}

/** Forgets owners that own nothing. */
export function dropEmpty(managers: Managers): void {
  for (const [id, manager] of managers) if (isEmptySet(manager.set)) managers.delete(id);
}
