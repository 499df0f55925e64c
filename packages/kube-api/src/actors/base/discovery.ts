// Which kinds a server serves: by aggregated discovery (two requests), or group by group where that is missing.
import type { JsonObject } from '../../json.ts';
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
  return objects(list['items']).flatMap((group) =>
    objects(group['versions']).flatMap((version) =>
      objects(version['resources']).map((resource) => ({
        group: text(at(group, 'metadata', 'name')),
        version: text(version['version']),
        kind: text(at(resource, 'responseKind', 'kind')),
        plural: text(resource['resource']),
        namespaced: resource['scope'] === 'Namespaced',
        verbs: texts(resource['verbs']),
        subresources: objects(resource['subresources']).map((subresource) => text(subresource['subresource'])),
      })),
    ),
  );
}

/** The kinds of an APIResourceList. */
export function fromResourceList(group: string, version: string, list: unknown): readonly Kind[] {
  const resources = isObject(list) ? objects(list['resources']) : [];
  const names = resources.map((resource) => text(resource['name']));
  return resources
    .filter((resource) => !text(resource['name']).includes('/'))
    .map((resource) => ({
      group,
      version,
      kind: text(resource['kind']),
      plural: text(resource['name']),
      namespaced: resource['namespaced'] === true,
      verbs: texts(resource['verbs']),
      subresources: names
        .filter((name) => name.startsWith(`${text(resource['name'])}/`))
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
  const core = texts(answer['versions']).map((version) => ({ group: '', version, path: `${root}/${version}` }));
  const named = objects(answer['groups']).flatMap((entry) => {
    const preferred = text(at(entry, 'preferredVersion', 'version'));
    const versions = objects(entry['versions']).map((version) => text(version['version']));
    const ordered = [preferred, ...versions.filter((version) => version !== preferred)].filter(
      (version) => version !== '',
    );
    const group = text(entry['name']);
    return ordered.map((version) => ({ group, version, path: `${root}/${group}/${version}` }));
  });
  return [...core, ...named];
}

function objects(value: unknown): readonly JsonObject[] {
  return isListOf(value) ? value.filter(isObject) : [];
}

function texts(value: unknown): readonly string[] {
  return isListOf(value) ? value.filter((item) => typeof item === 'string') : [];
}

function isListOf(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
