// The managedFields of a plain create, update or patch.
import type { JsonObject, KubeObject } from '../json.ts';
import { equalJson } from '../json.ts';
import { emptyObject } from '../schema/empty-object.ts';
import type { TypeSchema } from '../schema/type-schema.ts';
import { compare, exclude, written } from './compare.ts';
import { EMPTY, isEmptySet, union } from './field-set.ts';
import type { FieldSet } from './field-set.ts';
import { withManagedFields } from './apply-patch.ts';
import { capUpdaters } from './cap.ts';
import { decodeManagers, isReset, managerId } from './managers.ts';
import type { Manager, Managers } from './managers.ts';
import { settleOwners, withoutMeta } from './ownership.ts';
import { reconcileWithType } from './schema-change.ts';

/** A write that is not an apply. */
export interface UpdateInput {
  /** The stored object; undefined on create. */
  readonly before: KubeObject | undefined;
  /** The object to be stored, with the managedFields that the client sent, if any. */
  readonly after: KubeObject;
  readonly schema: TypeSchema;
  /** The field manager: the option of that name, or the User-Agent up to the first "/". */
  readonly manager: string;
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
 * `after` with up-to-date managedFields: the manager comes to own what changed, others lose it. Entries keep their time if
 * nothing of theirs changed. Through a subresource, or without managedFields from the client, those of the stored object are
 * the base; an empty list or one empty entry forgets them all.
 */
export function recordUpdate(input: UpdateInput): KubeObject {
  const { before, after, schema, apiVersion } = input;
  const managers = startingOwners(input);
  if (managers.size === 0 && before !== undefined) return withManagedFields(after, managers);
  const reset = input.resetFields ?? EMPTY;
  const author: Manager = {
    manager: input.manager === '' ? 'unknown' : input.manager,
    operation: 'Update',
    apiVersion,
    subresource: input.subresource,
    time: input.now,
    set: EMPTY,
    entry: undefined,
  };
  const comparison = compare(before ?? emptyObject(schema), after, schema);
  settleOwners(managers, { comparison, resetFields: reset, apiVersion, author: '' }, true);
  const gained = withoutMeta(written(exclude(comparison, reset)));
  if (!isEmptySet(gained)) {
    const id = managerId(author);
    const previous = managers.get(id);
    managers.set(id, { ...author, set: previous === undefined ? gained : union(gained, previous.set) });
  }
  capUpdaters(managers);
  return withManagedFields(withEntriesOf(after, before), managers);
}

function startingOwners({ before, after, subresource, schema, isServed }: UpdateInput): Managers {
  const stored = before?.metadata.managedFields;
  const sent = after.metadata.managedFields;
  let managers: Managers | undefined;
  if (subresource === undefined && sent !== stored && !equalJson(sent, stored)) {
    if (isReset(sent)) return new Map();
    managers = decodeManagers(sent);
  }
  if (managers === undefined || managers.size === 0) managers = decodeManagers(stored) ?? new Map<string, Manager>();
  if (isServed !== undefined) {
    for (const [id, manager] of managers) if (!isServed(manager.apiVersion)) managers.delete(id);
  }
  return reconcileWithType(managers, schema);
}

/** `after` with the stored list of entries if it carries an equal one, so that unchanged entries stay the same objects. */
function withEntriesOf(after: KubeObject, before: KubeObject | undefined): KubeObject {
  const stored = before?.metadata.managedFields;
  const sent = after.metadata.managedFields;
  if (stored === undefined || sent === stored || !equalJson(sent, stored)) return after;
  return { ...after, metadata: { ...after.metadata, managedFields: stored } };
}

/**
 * `after`, but with the managedFields of `before` if nothing else than their times tells the two apart. The server calls this
 * last, when defaults are set, so that a write that changes nothing is no write.
 */
export function keepTimesIfUnchanged(before: KubeObject, after: KubeObject): KubeObject {
  const stored = before.metadata.managedFields;
  const written = after.metadata.managedFields;
  if (stored === undefined || written === undefined || stored === written) return after;
  if (stored.length !== written.length || !written.every((entry) => stored.some((other) => equalButTime(entry, other))))
    return after;
  const restored = { ...after, metadata: { ...after.metadata, managedFields: stored } };
  return equalJson(restored, before) ? restored : after;
}

function equalButTime(a: JsonObject, b: JsonObject): boolean {
  if (a === b) return true;
  const { time: _, ...mine } = a;
  const { time: __, ...other } = b;
  return equalJson(mine, other);
}
