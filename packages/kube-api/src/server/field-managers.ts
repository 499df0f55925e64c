// Who wrote what: the managedFields of writes, in terms of a request.
import { applyPatch } from '../apply/apply-patch.ts';
import { recordUpdate } from '../apply/record-update.ts';
import { resetFields } from '../apply/reset-fields.ts';
import type { KubeObject } from '../json.ts';
import { now, type Call, type Core } from './core.ts';
import { updateManager, type WriteOptions } from './options.ts';

/** The object with the entry of a create, update or patch that is not an apply. `subresource` is '' for none. */
export function recordManager(
  core: Core,
  call: Call,
  before: KubeObject | undefined,
  after: KubeObject,
  options: WriteOptions,
  subresource: string,
): KubeObject {
  return recordUpdate({
    before,
    after,
    manager: updateManager(options.fieldManager, call.userAgent),
    ...common(core, call, subresource),
  });
}

/** The live object with a configuration applied; `undefined` for an object to be created. */
export function applyConfiguration(
  core: Core,
  call: Call,
  live: KubeObject | undefined,
  patch: KubeObject,
  options: WriteOptions,
  subresource: string,
): KubeObject {
  const input = { live, patch, manager: options.fieldManager, force: options.force === true };
  return applyPatch({ ...input, ...common(core, call, subresource) }).object;
}

function common(core: Core, { type }: Call, subresource: string) {
  const through = subresource === '' ? undefined : subresource;
  return {
    schema: type.schema,
    now: now(core),
    apiVersion: type.apiVersion,
    subresource: through,
    resetFields: resetFields(type.apiVersion, type.kind, type.status, through),
    isServed: (apiVersion: string) => isServed(core, type.plural, type.group, apiVersion),
  };
}

function isServed(core: Core, plural: string, group: string, apiVersion: string): boolean {
  const slash = apiVersion.indexOf('/');
  // Other groups can only come from entries that a client wrote himself.
  if ((slash === -1 ? '' : apiVersion.slice(0, slash)) !== group) return true;
  return core.registry.find(group, apiVersion.slice(slash + 1), plural) !== undefined;
}
