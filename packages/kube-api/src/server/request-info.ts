// What a request asks for, read from method, path and query.
import type { ApiRequest } from '../transport.ts';

export type Verb = 'get' | 'list' | 'watch' | 'create' | 'update' | 'patch' | 'delete' | 'deletecollection';

/** What somebody wants to do to a resource. Texts that do not apply are ''; so is the group of the core. */
export interface ResourceAttributes {
  readonly verb: string;
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
}

/** A request that addresses a resource. */
export interface ResourceRequest extends ResourceAttributes {
  readonly verb: Verb;
}

/** The path split off its query. `resource` is absent for paths outside of resources, such as /version. */
export interface RequestInfo {
  readonly path: string;
  readonly query: URLSearchParams;
  readonly resource: ResourceRequest | undefined;
}

// Shared, because it is only read.
const NO_QUERY = new URLSearchParams();

/** Parses a request line. Never throws: what is not a resource path has no `resource`. */
export function requestInfo(method: ApiRequest['method'], target: string): RequestInfo {
  const mark = target.indexOf('?');
  const path = mark === -1 ? target : target.slice(0, mark);
  const query = mark === -1 ? NO_QUERY : new URLSearchParams(target.slice(mark + 1));
  return { path, query, resource: resourceRequest(method, path, query) };
}

function resourceRequest(
  method: ApiRequest['method'],
  path: string,
  query: URLSearchParams,
): ResourceRequest | undefined {
  const parts = path.split('/');
  if (parts.at(-1) === '') parts.pop();
  const core = parts[1] === 'api';
  if (!core && parts[1] !== 'apis') return undefined;
  const group = core ? '' : parts[2];
  const version = core ? parts[2] : parts[3];
  let rest = parts.slice(core ? 3 : 4);
  if (group === undefined || version === undefined || rest.length === 0) return undefined;
  // The old form of a watch: `/api/v1/watch/namespaces/x/pods`.
  const watches = rest[0] === 'watch' && rest.length > 1;
  if (watches) rest = rest.slice(1);
  let namespace = '';
  // `/namespaces/x/pods` is a resource in x, but `/namespaces/x` and its `/status` and `/finalize` are x itself.
  if (
    rest[0] === 'namespaces' &&
    rest.length > 2 &&
    !(core && rest.length === 3 && NAMESPACE_SUBRESOURCES.has(rest[2] ?? ''))
  ) {
    namespace = decode(rest[1]);
    rest = rest.slice(2);
  }
  const [resource = '', name = '', subresource = '', ...more] = rest;
  if (more.length > 0) return undefined;
  const verb = watches && method === 'GET' ? 'watch' : verbOf(method, name, query);
  return { verb, group, version, resource, subresource, namespace, name: decode(name) };
}

const NAMESPACE_SUBRESOURCES = new Set(['status', 'finalize']);

function verbOf(method: ApiRequest['method'], name: string, query: URLSearchParams): Verb {
  switch (method) {
    case 'GET':
      if (name !== '') return 'get';
      return isTrue(query.get('watch')) ? 'watch' : 'list';
    case 'POST':
      return 'create';
    case 'PUT':
      return 'update';
    case 'PATCH':
      return 'patch';
    case 'DELETE':
      return name === '' ? 'deletecollection' : 'delete';
  }
}

/** A boolean of a query: present and neither `false` nor `0`. */
export function isTrue(value: string | null): boolean {
  return value !== null && value !== 'false' && value !== '0';
}

function decode(segment: string | undefined): string {
  if (segment === undefined || !segment.includes('%')) return segment ?? '';
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
