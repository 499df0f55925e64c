// Where objects live on the server. Pure functions from a kind and a name to a path.
import type { ResourceType } from '@pawl/reconciler/kubernetes';

/** What a path needs to know of a kind. */
export interface ResourcePath {
  readonly apiVersion: string;
  readonly plural: string;
  readonly namespaced: boolean;
}

/** A name, and the namespace for a namespaced kind. */
export interface ObjectName {
  readonly name: string;
  readonly namespace?: string | undefined;
}

export type Query = Readonly<Record<string, string | number | boolean | undefined>>;

/** The group of an `apiVersion`; empty for the core group. */
export function groupOf(apiVersion: string): string {
  const slash = apiVersion.indexOf('/');
  return slash === -1 ? '' : apiVersion.slice(0, slash);
}

/** `/api/v1` or `/apis/group/version`. */
export function groupVersionPath(apiVersion: string): string {
  return `${apiVersion.includes('/') ? '/apis' : '/api'}/${apiVersion.split('/').map(encodeURIComponent).join('/')}`;
}

/** The collection of a kind: in one namespace, or everywhere if none is given. */
export function collectionPath({ apiVersion, plural, namespaced }: ResourcePath, namespace?: string): string {
  const scope =
    namespaced && namespace !== undefined && namespace !== '*' ? `/namespaces/${encodeURIComponent(namespace)}` : '';
  return `${groupVersionPath(apiVersion)}${scope}/${encodeURIComponent(plural)}`;
}

/**
 * One object, or a part of it. The name is kept to the letter.
 *
 * @throws if the name is empty, or a namespaced kind is addressed without a namespace
 */
export function objectPath(
  type: ResourceType,
  path: ResourcePath,
  { name, namespace }: ObjectName,
  subresource?: string,
): string {
  if (name === '') throw new Error(`a ${type.kind} was addressed with an empty name`);
  if (path.namespaced && (namespace === undefined || namespace === '' || namespace === '*'))
    throw new Error(
      `${type.kind} ${name} was addressed with namespace ${JSON.stringify(namespace) ?? 'undefined'}; ` +
        `the kind is namespaced, so the name of one is needed`,
    );
  const object = `${collectionPath(path, namespace)}/${encodeURIComponent(name)}`;
  return subresource === undefined ? object : `${object}/${subresource}`;
}

/** The path with those parameters that are defined. */
export function withQuery(path: string, query: Query): string {
  const params = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [`${encodeURIComponent(name)}=${encodeURIComponent(value)}`],
  );
  return params.length === 0 ? path : `${path}?${params.join('&')}`;
}
