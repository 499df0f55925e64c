// The discovery documents: groups, versions, resources.
import type { JsonObject } from '../json.ts';
import type { ResourceType } from '../kinds/resource-type.ts';
import type { Registry } from '../server/registry.ts';

/** `/api`. */
export function apiVersions(): JsonObject {
  return { kind: 'APIVersions', versions: ['v1'], serverAddressByClientCIDRs: [] };
}

/** `/apis`. */
export function apiGroupList(registry: Registry): JsonObject {
  return { kind: 'APIGroupList', apiVersion: 'v1', groups: groupNames(registry).map((name) => group(registry, name)) };
}

/** `/apis/GROUP`; undefined if there is no such group. */
export function apiGroup(registry: Registry, name: string): JsonObject | undefined {
  if (!groupNames(registry).includes(name)) return undefined;
  return { kind: 'APIGroup', apiVersion: 'v1', ...group(registry, name) };
}

/** Named groups in the order of their registration. */
export function groupNames(registry: Registry): readonly string[] {
  return [...new Set(registry.types().map((type) => type.group))].filter((name) => name !== '');
}

/** Versions of a group, the preferred one first: stable before beta before alpha, newer before older. */
export function versionsOf(registry: Registry, group: string): readonly string[] {
  const versions = new Set(
    registry
      .types()
      .filter((type) => type.group === group)
      .map((type) => type.version),
  );
  return [...versions].sort(compareVersions);
}

function group(registry: Registry, name: string): JsonObject {
  const versions = versionsOf(registry, name).map((version) => ({ groupVersion: `${name}/${version}`, version }));
  return { name, versions, preferredVersion: versions[0] ?? { groupVersion: name, version: '' } };
}

const VERSION = /^v(\d+)(?:(alpha|beta)(\d+))?$/;

/** Sorts versions as Kubernetes prefers them; texts of another form come last, in alphabetical order. */
export function compareVersions(a: string, b: string): number {
  const left = VERSION.exec(a);
  const right = VERSION.exec(b);
  if (left === null || right === null) return left === right ? (a < b ? -1 : 1) : left === null ? 1 : -1;
  const stage = (match: RegExpExecArray): number => (match[2] === undefined ? 2 : match[2] === 'beta' ? 1 : 0);
  return (
    stage(right) - stage(left) || Number(right[1]) - Number(left[1]) || Number(right[3] ?? 0) - Number(left[3] ?? 0)
  );
}

/** `/api/v1` and `/apis/GROUP/VERSION`; undefined if the version is not served. */
export function apiResourceList(registry: Registry, group: string, version: string): JsonObject | undefined {
  const types = registry.types().filter((type) => type.group === group && type.version === version);
  const first = types[0];
  if (first === undefined) return undefined;
  return {
    kind: 'APIResourceList',
    apiVersion: 'v1',
    groupVersion: first.apiVersion,
    resources: types.flatMap((type) => [resourceOf(type), ...subresourcesOf(type)]),
  };
}

function resourceOf(type: ResourceType): JsonObject {
  return {
    name: type.plural,
    singularName: type.singular,
    namespaced: type.namespaced,
    kind: type.kind,
    verbs: type.verbs,
    ...(type.shortNames.length === 0 ? {} : { shortNames: type.shortNames }),
    ...(type.categories.length === 0 ? {} : { categories: type.categories }),
  };
}

/** A subresource as discovery shows it. */
export interface SubresourceEntry {
  readonly name: string;
  readonly kind: string;
  readonly group: string;
  readonly version: string;
  readonly verbs: readonly string[];
}

/** The subresources of a resource. `group` is that of their kind. */
export function subresourceEntries(type: ResourceType): readonly SubresourceEntry[] {
  const entries: SubresourceEntry[] = [];
  const own = { kind: type.kind, group: type.group, version: type.version };
  const readWrite = ['get', 'patch', 'update'];
  if (type.subresources.includes('eviction')) {
    entries.push({ name: 'eviction', kind: 'Eviction', group: 'policy', version: 'v1', verbs: ['create'] });
  }
  if (type.subresources.includes('finalize')) entries.push({ name: 'finalize', ...own, verbs: ['update'] });
  if (type.scale !== undefined) {
    entries.push({ name: 'scale', kind: 'Scale', group: 'autoscaling', version: 'v1', verbs: readWrite });
  }
  if (type.status) entries.push({ name: 'status', ...own, verbs: readWrite });
  return entries;
}

function subresourcesOf(type: ResourceType): readonly JsonObject[] {
  return subresourceEntries(type).map(({ name, kind, group, version, verbs }) => ({
    name: `${type.plural}/${name}`,
    singularName: '',
    namespaced: type.namespaced,
    ...(group === type.group ? {} : { group, version }),
    kind,
    verbs,
  }));
}
