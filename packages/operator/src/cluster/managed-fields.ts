// Whether a manager still owns every leaf of what it wants applied: read from the fields that the server recorded for it.

type Fields = Readonly<Record<string, unknown>>;

/** One entry of `metadata.managedFields`, as far as it matters here. */
export interface ManagedFieldsEntry {
  readonly manager?: string;
  readonly operation?: string;
  readonly subresource?: string;
  readonly fieldsV1?: Fields;
}

/** Identity is not a field that an apply owns. */
const NOT_OWNED = new Set(['apiVersion', 'kind']);
const NOT_OWNED_METADATA = new Set(['name', 'namespace', 'uid', 'resourceVersion']);

/**
 * The fields that `manager` holds by server-side apply on the main resource; undefined if it holds none.
 */
export function appliedFieldsOf(entries: readonly ManagedFieldsEntry[] | undefined, manager: string): Fields | undefined {
  return entries?.find(
    (entry) => entry.manager === manager && entry.operation === 'Apply' && (entry.subresource ?? '') === '',
  )?.fieldsV1;
}

/**
 * True when every leaf of `desired` is in `owned`. A value that somebody else changed is not: the server takes the
 * field away from whoever set the old value. Values are not compared, for the server may spell them differently.
 *
 * @param owned the `fieldsV1` of the manager's entry
 * @param desired the object as it is sent, with `apiVersion`, `kind` and `metadata.name`
 */
export function ownsAllOf(owned: Fields, desired: Fields): boolean {
  return Object.entries(desired).every(([name, value]) => {
    if (value === undefined || NOT_OWNED.has(name)) return true;
    const node = childOf(owned, `f:${name}`);
    if (name !== 'metadata') return node !== undefined && covers(node, value);
    return Object.entries(value as Fields).every(([field, inner]) => {
      if (inner === undefined || NOT_OWNED_METADATA.has(field)) return true;
      const part = node === undefined ? undefined : childOf(node, `f:${field}`);
      return part !== undefined && covers(part, inner);
    });
  });
}

/** True when `owned` holds no leaf outside of `desired`: nothing that was claimed before has been left out. */
export function holdsNothingElse(owned: Fields, desired: Fields): boolean {
  return Object.entries(owned).every(([key, child]) => {
    if (!key.startsWith('f:') || !isFields(child)) return true;
    const value = desired[key.slice(2)];
    if (value === undefined) return false;
    return !isFields(value) || holdsNothingElse(child, value);
  });
}

/** A node without children owns all below it: a leaf, or a map or list that is replaced as a whole. */
function covers(node: Fields, value: unknown): boolean {
  if (Object.keys(node).every((key) => key === '.')) return true;
  if (Array.isArray(value)) return value.every((item) => coversItem(node, item));
  if (!isFields(value)) return true;
  return Object.entries(value).every(([name, inner]) => {
    if (inner === undefined) return true;
    const child = childOf(node, `f:${name}`);
    return child !== undefined && covers(child, inner);
  });
}

function coversItem(list: Fields, item: unknown): boolean {
  return Object.entries(list).some(([key, node]) => {
    if (key.startsWith('v:')) return same(parsed(key), item);
    if (!key.startsWith('k:') || !isFields(item) || !isFields(node)) return false;
    const keys = parsed(key);
    if (!isFields(keys)) return false;
    // The server adds defaults to the keys of an item: a key that the item leaves out may have any value.
    const matches = Object.entries(keys).every(([name, value]) => item[name] === undefined || same(item[name], value));
    const anyNamed = Object.keys(keys).some((name) => item[name] !== undefined);
    return matches && anyNamed && covers(node, item);
  });
}

function parsed(key: string): unknown {
  try {
    return JSON.parse(key.slice(2)) as unknown;
  } catch {
    return undefined;
  }
}

const same = (a: unknown, b: unknown): boolean => a === b || JSON.stringify(a) === JSON.stringify(b);
const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function childOf(node: Fields, key: string): Fields | undefined {
  const child = node[key];
  return isFields(child) ? child : undefined;
}
