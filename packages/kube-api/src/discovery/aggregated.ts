// Aggregated discovery: all groups with all their resources in one document.
import type { JsonObject } from '../json.ts';
import type { ResourceType } from '../kinds/resource-type.ts';
import type { Registry } from '../server/registry.ts';
import { groupNames, subresourceEntries, versionsOf } from './lists.ts';

/** The media type of the document, as asked for and as answered. */
export const AGGREGATED_TYPE = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';

/** Whether an Accept header asks for the document before anything else. */
export function wantsAggregated(accept: string | undefined): boolean {
  const first = (accept ?? '').split(',')[0]?.replaceAll(' ', '') ?? '';
  return (
    first.startsWith('application/json;') && first.includes('as=APIGroupDiscoveryList') && /;v=v2(;|$)/.test(first)
  );
}

/** The document of `/api` (the core group) or `/apis` (all named groups). */
export function aggregatedDiscovery(registry: Registry, core: boolean): JsonObject {
  const groups = core ? [''] : groupNames(registry);
  return {
    kind: 'APIGroupDiscoveryList',
    apiVersion: 'apidiscovery.k8s.io/v2',
    metadata: {},
    items: groups.map((name) => group(registry, name)),
  };
}

function group(registry: Registry, name: string): JsonObject {
  const versions = versionsOf(registry, name).map((version) => ({
    version,
    freshness: 'Current',
    resources: registry
      .types()
      .filter((type) => type.group === name && type.version === version)
      .map(resource),
  }));
  return { metadata: name === '' ? {} : { name }, versions };
}

function resource(type: ResourceType): JsonObject {
  const subresources = subresourceEntries(type).map(({ name, kind, group: kindGroup, version, verbs }) => ({
    subresource: name,
    responseKind: { group: kindGroup, version, kind },
    verbs,
  }));
  return {
    resource: type.plural,
    responseKind: { group: type.group, version: type.version, kind: type.kind },
    scope: type.namespaced ? 'Namespaced' : 'Cluster',
    singularResource: type.singular,
    verbs: type.verbs,
    ...(type.shortNames.length === 0 ? {} : { shortNames: type.shortNames }),
    ...(type.categories.length === 0 ? {} : { categories: type.categories }),
    ...(subresources.length === 0 ? {} : { subresources }),
  };
}
