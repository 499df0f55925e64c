// Takes out of a merged object what its applier owned before, no longer applies, and nobody else owns.
import type { Json } from '../json.ts';
import type { TypeSchema } from '../schema/type-schema.ts';
import { EMPTY, covers, difference, intersection, isEmptySet, union } from './field-set.ts';
import type { FieldSet } from './field-set.ts';
import type { Managers } from './managers.ts';
import { removeFields, withNamedFields } from './remove.ts';
import { toFieldSet } from './to-set.ts';

/**
 * The merged object without the fields that only `last` (what the applier owned before this apply) held. `managers` are the
 * owners after the apply, the applier's new fields included.
 */
export function pruneLeftOut(
  merged: Json,
  last: FieldSet,
  applied: FieldSet,
  managers: Managers,
  type: TypeSchema,
): Json {
  if (isEmptySet(last) || covers(applied, last)) return merged;
  let owned: FieldSet = EMPTY;
  for (const manager of managers.values()) owned = union(owned, manager.set);
  if (covers(owned, last)) return merged;

  const lastNamed = withNamedFields(last, type);
  const all = withNamedFields(toFieldSet(merged, type), type);
  // First everything that was applied before goes, then what has an owner comes back, ...
  const bare = removeFields(merged, lastNamed, type);
  const kept = union(fieldsOf(bare, type), withNamedFields(owned, type));
  const owning = removeFields(merged, difference(all, kept), type);
  // ... then what the applier never owned.
  const gone = intersection(difference(all, fieldsOf(owning, type)), lastNamed);
  return removeFields(merged, gone, type) ?? {};
}

function fieldsOf(value: Json | undefined, type: TypeSchema): FieldSet {
  return value === undefined ? EMPTY : withNamedFields(toFieldSet(value, type), type);
}
