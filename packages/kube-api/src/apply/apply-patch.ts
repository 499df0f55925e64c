// Server-side apply: lays a configuration over the live object and keeps the books on who owns which field.
import { StatusError, badRequest, internal } from '../errors.ts';
import { equalJson } from '../json.ts';
import type { JsonObject, KubeObject } from '../json.ts';
import type { TypeSchema } from '../schema/type-schema.ts';
import { typeFaults } from './check.ts';
import { compare } from './compare.ts';
import { EMPTY, differenceBelow } from './field-set.ts';
import type { FieldSet } from './field-set.ts';
import { fieldsAllowedByLastApplied, syncLastApplied } from './last-applied.ts';
import { decodeManagers, dropEmpty, encodeManagers, managerId } from './managers.ts';
import type { Manager, Managers } from './managers.ts';
import { merge } from './merge.ts';
import { settleOwners, withoutMeta } from './ownership.ts';
import { pruneLeftOut } from './prune.ts';
import { reconcileWithType } from './schema-change.ts';
import { toFieldSet, wholeSet } from './to-set.ts';

/** An apply request and the object that it meets. */
export interface ApplyInput {
  /** The stored object in the version of the request; undefined if there is none. */
  readonly live: KubeObject | undefined;
  /** The configuration as it was sent. */
  readonly patch: KubeObject;
  readonly schema: TypeSchema;
  /** The field manager. */
  readonly manager: string;
  /** Takes fields from other owners instead of failing. */
  readonly force: boolean;
  /** RFC 3339 with whole seconds. */
  readonly now: string;
  /** Of the endpoint. */
  readonly apiVersion: string;
  readonly subresource?: string | undefined;
  /** Fields that this endpoint sets back: nobody comes to own them through it. See `resetFields`. */
  readonly resetFields?: FieldSet | undefined;
  /** Whether a version is served; entries of versions that are not are dropped. Absent: all are. */
  readonly isServed?: ((apiVersion: string) => boolean) | undefined;
}

/**
 * Applies a configuration. The answer is `live` itself if neither the object nor an entry of its managedFields changes.
 * Throws 409 with causes on conflicts, 400 for a configuration with managedFields or of another version, and 500, as the
 * real server does, for one that does not fit the type.
 */
export function applyPatch(input: ApplyInput): { readonly object: KubeObject } {
  checkPatch(input);
  const author: Manager = { ...authorOf(input), set: EMPTY, time: undefined, entry: undefined };
  const managers = ownersBefore(input);
  try {
    return { object: applied(input, author, new Map(managers), input.force) };
  } catch (error) {
    if (input.manager !== 'kubectl' || input.force || !(error instanceof StatusError) || error.code !== 409)
      throw error;
    const allowed = fieldsAllowedByLastApplied(input.live, input.apiVersion, input.schema);
    if (allowed === undefined || !error.details?.causes?.every((cause) => 'field' in cause && allowed.has(cause.field)))
      throw error;
    return { object: applied(input, author, new Map(managers), true) };
  }
}

function authorOf(input: ApplyInput): Pick<Manager, 'manager' | 'operation' | 'apiVersion' | 'subresource'> {
  const { apiVersion, subresource } = input;
  return { manager: input.manager === '' ? 'unknown' : input.manager, operation: 'Apply', apiVersion, subresource };
}

function checkPatch({ patch, apiVersion, schema }: ApplyInput): void {
  if (patch.apiVersion !== apiVersion) throw badRequest(`invalid object type: ${gvkText(patch)}`);
  if ((patch.metadata.managedFields ?? null) !== null) {
    throw badRequest('metadata.managedFields must be nil');
  }
  const faults = typeFaults(patch, schema);
  if (faults === undefined) return;
  const { namespace = '', name = '' } = patch.metadata;
  throw internal(`failed to create typed patch object (${namespace}/${name}; ${gvkText(patch)}): ${faults}`);
}

/** `apps/v1, Kind=Deployment`; the core group shows as an empty one. */
function gvkText({ apiVersion = '', kind = '' }: Partial<Pick<KubeObject, 'apiVersion' | 'kind'>>): string {
  return `${apiVersion.includes('/') ? apiVersion : `/${apiVersion}`}, Kind=${kind}`;
}

/** The owners of the live object. An object that nobody ever tracked gets one owner for all that it holds. */
function ownersBefore(input: ApplyInput): Managers {
  const { live, schema, apiVersion, subresource, isServed } = input;
  const managers = decodeManagers(live?.metadata.managedFields) ?? new Map<string, Manager>();
  if (isServed !== undefined) {
    for (const [id, manager] of managers) if (!isServed(manager.apiVersion)) managers.delete(id);
  }
  if (live === undefined) return managers;
  if (managers.size > 0) return reconcileWithType(managers, schema);
  const set = withoutMeta(differenceBelow(withoutSelf(wholeSet(live, schema)), input.resetFields ?? EMPTY));
  const first: Manager = {
    manager: 'before-first-apply',
    operation: 'Update',
    apiVersion,
    subresource,
    time: input.now,
    set,
    entry: undefined,
  };
  managers.set(managerId(first), first);
  dropEmpty(managers);
  return managers;
}

function withoutSelf(set: FieldSet): FieldSet {
  const { '.': _, ...rest } = set;
  return rest as FieldSet;
}

function applied(input: ApplyInput, author: Manager, managers: Managers, force: boolean): KubeObject {
  const { live, patch, schema, apiVersion } = input;
  const id = managerId(author);
  const previous = managers.get(id);
  const reset = input.resetFields ?? EMPTY;
  const claimed = differenceBelow(toFieldSet(patch, schema), reset);
  managers.set(id, { ...author, set: claimed, time: previous?.time });

  const merged = (merge(live, patch, schema) ?? patch) as KubeObject;
  const object = pruneLeftOut(merged, previous?.set ?? EMPTY, claimed, managers, schema) as KubeObject;
  const unchanged = live !== undefined && (object === live || equalJson(object, live));
  if (live !== undefined) {
    settleOwners(
      managers,
      { comparison: compare(live, object, schema), resetFields: reset, apiVersion, author: id },
      force,
    );
  }
  setAuthor(managers, { ...author, set: withoutMeta(claimed), time: unchanged ? previous?.time : input.now }, previous);

  const result = withManagedFields(unchanged ? live : object, managers);
  return input.manager === 'kubectl' ? syncLastApplied(result, patch) : result;
}

/** The author's entry after the apply: the entry from before if it says the same. */
function setAuthor(managers: Managers, author: Manager, previous: Manager | undefined): void {
  const same =
    previous !== undefined &&
    previous.time === author.time &&
    previous.apiVersion === author.apiVersion &&
    equalJson(previous.set, author.set);
  managers.set(managerId(author), same ? previous : author);
  dropEmpty(managers);
}

/** `object` with these owners; the object itself if its entries are the same already. */
export function withManagedFields(object: KubeObject, managers: Managers): KubeObject {
  const entries = encodeManagers(managers);
  const known = object.metadata.managedFields;
  if (entries === known || sameEntries(entries, known)) return object;
  const { managedFields: _, ...metadata } = object.metadata;
  return {
    ...object,
    metadata: entries === undefined ? metadata : { ...metadata, managedFields: entries },
  } as KubeObject;
}

function sameEntries(a: readonly JsonObject[] | undefined, b: readonly JsonObject[] | undefined): boolean {
  if (a === undefined || b === undefined) return false;
  return a.length === b.length && a.every((entry, index) => entry === b[index]);
}
