// What differs between two states, leaving out what differs between any two runs: uids, resourceVersions, times.
import { equalJson, isList, isObject, without, type Json, type JsonObject, type KubeObject } from '../json.ts';

/** The objects of a cluster at some moment. */
export interface State {
  readonly objects: readonly KubeObject[];
}

/** One thing that differs. */
export interface Difference {
  /** `Deployment default/web`, or `Namespace x`. */
  readonly object: string;
  readonly change: 'added' | 'removed' | 'changed';
  /** Where a changed object differs: `spec.replicas`, `spec.containers[0].image`; '' for the other two. */
  readonly path: string;
  /** The values on both sides; undefined: not there. */
  readonly before: Json | undefined;
  readonly after: Json | undefined;
}

export interface DiffOptions {
  /** Further members to leave out, as paths from the root of an object: `metadata.generation`, `status.conditions`. */
  readonly ignore?: readonly string[];
  /** Objects to leave out. Default: none. */
  readonly except?: (object: KubeObject) => boolean;
}

/**
 * Compares two states. Left out are `metadata.uid`, `resourceVersion` and `managedFields` and all times; a uid anywhere
 * else stands for the object that has it.
 */
export function diff(a: State, b: State, options: DiffOptions = {}): readonly Difference[] {
  const [before, after] = [comparable(a, options), comparable(b, options)];
  const names = [...new Set([...before.keys(), ...after.keys()])].sort();
  return names.flatMap((object): readonly Difference[] => {
    const [old, next] = [before.get(object), after.get(object)];
    if (old === undefined) return [{ object, change: 'added', path: '', before: undefined, after: next }];
    if (next === undefined) return [{ object, change: 'removed', path: '', before: old, after: undefined }];
    return changes(old, next, '').map((change) => ({ object, change: 'changed', ...change }));
  });
}

type Change = Pick<Difference, 'path' | 'before' | 'after'>;

function changes(before: Json | undefined, after: Json | undefined, path: string): readonly Change[] {
  if (equalJson(before, after)) return [];
  if (isObject(before) && isObject(after)) {
    const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
    return keys.flatMap((key) => changes(before[key], after[key], path + step(key, path)));
  }
  if (isList(before) && isList(after) && before.length === after.length) {
    return before.flatMap((item, index) => changes(item, after[index], `${path}[${index}]`));
  }
  return [{ path, before, after }];
}

function step(key: string, path: string): string {
  if (!/^[\w-]+$/.test(key)) return `[${JSON.stringify(key)}]`;
  return path === '' ? key : `.${key}`;
}

function comparable({ objects }: State, { ignore = [], except }: DiffOptions): ReadonlyMap<string, Json> {
  const owners = new Map(objects.map((object) => [object.metadata.uid ?? '', nameOf(object)] as const));
  const paths = ignore.map((path) => path.split('.'));
  const found = new Map<string, Json>();
  for (const object of objects) {
    if (except?.(object) === true) continue;
    const { uid: _, resourceVersion: _revision, managedFields: _managers, ...metadata } = object.metadata;
    const bare = paths.reduce<JsonObject>(removed, { ...object, metadata });
    found.set(nameOf(object), masked(bare, owners));
  }
  return found;
}

function removed(object: JsonObject, [key = '', ...rest]: readonly string[]): JsonObject {
  if (rest.length === 0) return without(object, key);
  const member = object[key];
  return isObject(member) ? { ...object, [key]: removed(member, rest) } : object;
}

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;

function masked(value: Json, owners: ReadonlyMap<string, string>): Json {
  if (typeof value === 'string') {
    if (TIME.test(value)) return '<time>';
    const owner = value === '' ? undefined : owners.get(value);
    return owner === undefined ? value : `<uid of ${owner}>`;
  }
  if (isList(value)) return value.map((item) => masked(item, owners));
  if (!isObject(value)) return value;
  const copy: Record<string, Json> = {};
  for (const [key, member] of Object.entries(value)) if (member !== undefined) copy[key] = masked(member, owners);
  return copy;
}

function nameOf({ kind, metadata: { namespace, name = '' } }: KubeObject): string {
  return `${kind} ${namespace === undefined ? name : `${namespace}/${name}`}`;
}
