// Which kinds a server serves: by aggregated discovery (two requests), or group by group where that is missing.
import { type JsonObject, objectsOf, textOf, textsOf } from '../../json.ts';
import { at, isObject } from '../../json.ts';
import type { Client } from './client.ts';
import type { Kind } from './kind.ts';
import type { CustomKind } from './model.ts';

const AGGREGATED = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json';

/** The preferred version of every kind that can be listed or created, in the order of the server's answer. */
export async function discover(client: Client): Promise<readonly Kind[]> {
  const kinds = new Map<string, Kind>();
  for (const root of ['/api', '/apis']) {
    const answer = await client.fetch(root, AGGREGATED);
    const found =
      isObject(answer) && answer['kind'] === 'APIGroupDiscoveryList'
        ? fromAggregated(answer)
        : await oneByOne(client, root, answer);
    for (const kind of found) {
      const id = `${kind.group}/${kind.plural}`;
      if (!kinds.has(id)) kinds.set(id, kind);
    }
  }
  return [...kinds.values()];
}

/** The kinds of an APIGroupDiscoveryList, preferred versions first. */
export function fromAggregated(list: JsonObject): readonly Kind[] {
  return objectsOf(list['items']).flatMap((group) =>
    objectsOf(group['versions']).flatMap((version) =>
      objectsOf(version['resources']).map((resource) => ({
        group: textOf(at(group, 'metadata', 'name')),
        version: textOf(version['version']),
        kind: textOf(at(resource, 'responseKind', 'kind')),
        plural: textOf(resource['resource']),
        namespaced: resource['scope'] === 'Namespaced',
        verbs: textsOf(resource['verbs']),
        subresources: objectsOf(resource['subresources']).map((subresource) => textOf(subresource['subresource'])),
      })),
    ),
  );
}

/** The kinds of an APIResourceList. */
export function fromResourceList(group: string, version: string, list: unknown): readonly Kind[] {
  const resources = isObject(list) ? objectsOf(list['resources']) : [];
  const names = resources.map((resource) => textOf(resource['name']));
  return resources
    .filter((resource) => !textOf(resource['name']).includes('/'))
    .map((resource) => ({
      group,
      version,
      kind: textOf(resource['kind']),
      plural: textOf(resource['name']),
      namespaced: resource['namespaced'] === true,
      verbs: textsOf(resource['verbs']),
      subresources: names
        .filter((name) => name.startsWith(`${textOf(resource['name'])}/`))
        .map((name) => name.slice(name.indexOf('/') + 1)),
    }));
}

/** The kind that an established definition serves: its storage version, or the first served one. */
export function kindOfDefinition(definition: CustomKind): Kind | undefined {
  const { group, names, scope, versions } = definition.spec;
  const established = definition.status?.conditions?.some(
    ({ type, status }) => type === 'Established' && status === 'True',
  );
  const served = versions.filter((version) => version.served);
  const version = served.find(({ storage }) => storage) ?? served[0];
  if (established !== true || version === undefined) return undefined;
  return {
    group,
    version: version.name,
    kind: names.kind,
    plural: names.plural,
    namespaced: scope === 'Namespaced',
    verbs: ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete', 'deletecollection'],
    subresources: Object.keys(version.subresources ?? {}),
  };
}

async function oneByOne(client: Client, root: string, answer: unknown): Promise<readonly Kind[]> {
  const found: Kind[] = [];
  for (const { group, version, path } of groupVersions(root, answer)) {
    found.push(...fromResourceList(group, version, await client.send('GET', path)));
  }
  return found;
}

function groupVersions(root: string, answer: unknown): { group: string; version: string; path: string }[] {
  if (!isObject(answer)) return [];
  const core = textsOf(answer['versions']).map((version) => ({ group: '', version, path: `${root}/${version}` }));
  const named = objectsOf(answer['groups']).flatMap((entry) => {
    const preferred = textOf(at(entry, 'preferredVersion', 'version'));
    const versions = objectsOf(entry['versions']).map((version) => textOf(version['version']));
    const ordered = [preferred, ...versions.filter((version) => version !== preferred)].filter(
      (version) => version !== '',
    );
    const group = textOf(entry['name']);
    return ordered.map((version) => ({ group, version, path: `${root}/${group}/${version}` }));
  });
  return [...core, ...named];
}
