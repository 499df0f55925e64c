// How a change moves fields between owners, and which fields nobody may own.
import { StatusError } from '../errors.ts';
import type { Cause } from '../errors.ts';
import { exclude, isSame, written } from './compare.ts';
import type { Comparison } from './compare.ts';
import { difference, forEachPath, intersection, isEmptySet } from './field-set.ts';
import type { FieldSet } from './field-set.ts';
import { compareText, dropEmpty, withSet } from './managers.ts';
import type { Manager, Managers } from './managers.ts';
import { pathText } from './path-element.ts';

const leaf = {};
const NEVER_OWNED: FieldSet = {
  'f:apiVersion': leaf,
  'f:kind': leaf,
  'f:metadata': {
    '.': leaf,
    'f:name': leaf,
    'f:namespace': leaf,
    'f:creationTimestamp': leaf,
    'f:selfLink': leaf,
    'f:uid': leaf,
    'f:clusterName': leaf,
    'f:generation': leaf,
    'f:managedFields': leaf,
    'f:resourceVersion': leaf,
  },
};

/** The set without what identifies the object or belongs to the server. */
export function withoutMeta(set: FieldSet): FieldSet {
  return difference(set, NEVER_OWNED);
}

/** A change, seen by the owners of an object. */
export interface Change {
  readonly comparison: Comparison;
  /** Fields that this endpoint sets back after the change; they count as unchanged in entries of its own version. */
  readonly resetFields: FieldSet;
  readonly apiVersion: string;
  /** Identity of the owner who makes the change; he loses nothing by it. */
  readonly author: string;
}

/**
 * Takes written and removed fields from all owners but the author.
 * Throws 409 with a cause per field if owners would lose a field to another value and `force` is false.
 */
export function settleOwners(managers: Managers, change: Change, force: boolean): void {
  const { comparison } = change;
  if (isSame(comparison)) return dropEmpty(managers);
  const filtered = exclude(comparison, change.resetFields);
  const changed = written(comparison);
  const changedHere = filtered === comparison ? changed : written(filtered);
  const lost: { readonly id: string; readonly owner: Manager; readonly fields: FieldSet }[] = [];
  for (const [id, owner] of managers) {
    if (id === change.author) continue;
    const fields = intersection(owner.set, owner.apiVersion === change.apiVersion ? changedHere : changed);
    if (!isEmptySet(fields)) lost.push({ id, owner, fields });
  }
  if (!force && lost.length > 0) throw applyConflict(lost);
  for (const { id, owner, fields } of lost) managers.set(id, withSet(owner, difference(owner.set, fields)));
  for (const [id, owner] of managers) {
    if (id === change.author) continue;
    const removed = owner.apiVersion === change.apiVersion ? filtered.removed : comparison.removed;
    managers.set(id, withSet(owner, difference(owner.set, removed)));
  }
  dropEmpty(managers);
}

function applyConflict(lost: readonly { readonly owner: Manager; readonly fields: FieldSet }[]): StatusError {
  const causes: Cause[] = [];
  const byOwner = new Map<string, string[]>();
  for (const { owner, fields } of lost) {
    const text = ownerText(owner);
    const paths: string[] = byOwner.get(text) ?? [];
    byOwner.set(text, paths);
    forEachPath(fields, (path) => {
      const field = pathText(path);
      paths.push(field);
      causes.push({ reason: 'FieldManagerConflict', message: `conflict with ${text}`, field });
    });
  }
  return new StatusError(409, 'Conflict', conflictText(byOwner, causes.length), { causes });
}

function conflictText(byOwner: ReadonlyMap<string, readonly string[]>, count: number): string {
  const owners = [...byOwner].sort(([a], [b]) => compareText(a, b));
  if (count === 1) {
    const [text, paths] = owners[0] ?? ['', []];
    return `Apply failed with 1 conflict: conflict with ${text}: ${paths[0] ?? ''}`;
  }
  const lines = owners.flatMap(([text, paths]) => [`conflicts with ${text}:`, ...paths.map((path) => `- ${path}`)]);
  return `Apply failed with ${count} conflicts: ${lines.join('\n')}`;
}

/** `"kubectl" with subresource "scale" using apps/v1`. */
function ownerText(owner: Manager): string {
  const subresource = owner.subresource === undefined ? '' : ` with subresource ${JSON.stringify(owner.subresource)}`;
  const version = owner.operation === 'Update' ? ` using ${owner.apiVersion}` : '';
  return `${JSON.stringify(owner.manager)}${subresource}${version}`;
}
