// A served kind: how its objects are addressed, and what may be done to them.
import type { ObjectMeta } from '../../json.ts';

/** One kind in one served version, as discovery tells it. */
export interface Kind {
  /** Empty for the core group. */
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
  /** Names such as `status`, `binding`. */
  readonly subresources: readonly string[];
}

/** `deployments.apps`, `pods`: the name of a kind without its version. */
export function resourceName(kind: { readonly group: string; readonly plural: string }): string {
  return kind.group === '' ? kind.plural : `${kind.plural}.${kind.group}`;
}

/** The group of an `apiVersion`: `apps` of `apps/v1`, empty of `v1`. */
export function groupOf(apiVersion: string): string {
  const slash = apiVersion.indexOf('/');
  return slash < 0 ? '' : apiVersion.slice(0, slash);
}

/** The `apiVersion` of a kind's objects. */
export function apiVersionOf(kind: { readonly group: string; readonly version: string }): string {
  return kind.group === '' ? kind.version : `${kind.group}/${kind.version}`;
}

/** The path of all objects of a kind, or of those in one namespace. */
export function collectionPath(kind: Kind, namespace?: string): string {
  const root = kind.group === '' ? `/api/${kind.version}` : `/apis/${kind.group}/${kind.version}`;
  const within = kind.namespaced && namespace !== undefined ? `/namespaces/${namespace}` : '';
  return `${root}${within}/${kind.plural}`;
}

/** The path of one object, or of one of its subresources. */
export function objectPath(kind: Kind, meta: Pick<ObjectMeta, 'name' | 'namespace'>, subresource?: string): string {
  const name = encodeURIComponent(meta.name ?? '');
  const path = `${collectionPath(kind, meta.namespace)}/${name}`;
  return subresource === undefined ? path : `${path}/${subresource}`;
}

/** The key of an object within its kind: `namespace/name`, or `/name` without a namespace. */
export function keyOf(meta: Pick<ObjectMeta, 'name' | 'namespace'>): string {
  return `${meta.namespace ?? ''}/${meta.name ?? ''}`;
}

/** The two parts of a key; the namespace is undefined for cluster-scoped objects. */
export function splitKey(key: string): { readonly namespace: string | undefined; readonly name: string } {
  const slash = key.indexOf('/');
  return { namespace: slash === 0 ? undefined : key.slice(0, slash), name: key.slice(slash + 1) };
}
