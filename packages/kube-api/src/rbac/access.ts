// What a request wants to do, in the words that rules are written in.
import { at, isObject, type JsonObject } from '../json.ts';
import type { RequestInfo, ResourceAttributes } from '../server/request-info.ts';
import type { ApiRequest } from '../transport.ts';

/** An attempt to do something. */
export interface Access extends ResourceAttributes {
  /** A path outside of resources; undefined for resources. */
  readonly path: string | undefined;
}

const NOTHING: Access = {
  verb: '',
  path: undefined,
  group: '',
  version: '',
  resource: '',
  subresource: '',
  namespace: '',
  name: '',
};

/** Access to a resource of the RBAC group; the rest is still open. */
export function accessTo(resource: string): Access {
  return { ...NOTHING, group: 'rbac.authorization.k8s.io', version: 'v1', resource };
}

/** What a request wants. */
export function accessOf(request: Pick<ApiRequest, 'method'>, info: RequestInfo): Access {
  const { resource } = info;
  if (resource === undefined) return { ...NOTHING, verb: request.method.toLowerCase(), path: info.path };
  const { verb, group, version, subresource } = resource;
  const isNamespace = group === '' && resource.resource === 'namespaces';
  return {
    ...NOTHING,
    verb,
    group,
    version,
    resource: resource.resource,
    subresource,
    // A namespace lies in itself, so that those who administrate it can reach it.
    namespace: isNamespace ? resource.name : resource.namespace,
    name: resource.name === '' ? selectedName(verb, info.query) : resource.name,
  };
}

/** A collection request that selects one name counts as one for that object. */
function selectedName(verb: string, query: URLSearchParams): string {
  if (verb !== 'list' && verb !== 'watch' && verb !== 'deletecollection') return '';
  const [, name = ''] = /(?:^|,)metadata\.name==?([^,]+)/.exec(query.get('fieldSelector') ?? '') ?? [];
  return name;
}

/** What the spec of an access review asks about. */
export function accessOfSpec(spec: JsonObject): Access {
  const attributes = spec['resourceAttributes'];
  const path = spec['nonResourceAttributes'];
  const text = (from: unknown, key: string): string => {
    const value = isObject(from) ? at(from, key) : undefined;
    return typeof value === 'string' ? value : '';
  };
  if (!isObject(attributes)) return { ...NOTHING, verb: text(path, 'verb'), path: text(path, 'path') };
  return {
    verb: text(attributes, 'verb'),
    path: undefined,
    group: text(attributes, 'group'),
    version: text(attributes, 'version'),
    resource: text(attributes, 'resource'),
    subresource: text(attributes, 'subresource'),
    namespace: text(attributes, 'namespace'),
    name: text(attributes, 'name'),
  };
}
