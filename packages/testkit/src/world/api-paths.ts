// What a request is about, read from its path.
import type { ApiRequest } from '@pawl/operator';

/** Whether a request can change something that matters for what comes later: dry runs and Events cannot. */
export function isWrite({ method, path, body }: Pick<ApiRequest, 'method' | 'path' | 'body'>): boolean {
  if (method === 'GET' || path.includes('dryRun=All')) return false;
  if (path.includes('/selfsubjectaccessreviews')) return false;
  const options = body as { readonly kind?: unknown; readonly dryRun?: unknown } | undefined;
  if (options?.kind === 'DeleteOptions' && options.dryRun !== undefined) return false;
  return !/\/events([/?]|$)/.test(path);
}

/** What a path names. */
export interface PathParts {
  /** '' for the core group. */
  readonly group: string;
  readonly version: string;
  readonly plural: string;
  readonly namespace: string | undefined;
  readonly name: string | undefined;
  readonly subresource: string | undefined;
}

/** The parts of a resource's path; undefined for other paths. */
export function partsOfPath(path: string): PathParts | undefined {
  const query = path.indexOf('?');
  const bare = query === -1 ? path : path.slice(0, query);
  const known = parsed.get(bare);
  if (known !== undefined || parsed.has(bare)) return known;
  if (parsed.size > MOST_PARSED) parsed.clear();
  const parts = parsePath(bare);
  parsed.set(bare, parts);
  return parts;
}

/** All runs of an exploration use the same few paths. */
const parsed = new Map<string, PathParts | undefined>();
const MOST_PARSED = 10_000;

function parsePath(bare: string): PathParts | undefined {
  const segments = bare.split('/').filter((segment) => segment !== '').map(decodeURIComponent);
  const [root] = segments;
  const start = root === 'api' ? 2 : root === 'apis' ? 3 : undefined;
  if (start === undefined || segments.length <= start) return undefined;
  const group = root === 'api' ? '' : (segments[1] ?? '');
  const version = segments[start - 1] ?? '';
  const isBelowNamespace = segments[start] === 'namespaces' && segments.length > start + 2;
  const namespace = isBelowNamespace ? segments[start + 1] : undefined;
  const [plural = '', name, subresource] = segments.slice(isBelowNamespace ? start + 2 : start);
  return { group, version, plural, namespace, name, subresource };
}

/** The path of the object that a request writes, without subresource; undefined if it has no name yet. */
export function objectPathOf({ method, path, body }: Pick<ApiRequest, 'method' | 'path' | 'body'>): string | undefined {
  const [bare = ''] = path.split('?');
  const parts = partsOfPath(bare);
  if (parts === undefined) return undefined;
  if (method === 'POST' && parts.name === undefined) {
    const { name } = (body as { readonly metadata?: { readonly name?: string } } | undefined)?.metadata ?? {};
    return name === undefined ? undefined : `${bare}/${encodeURIComponent(name)}`;
  }
  return parts.subresource === undefined ? bare : bare.slice(0, bare.lastIndexOf('/'));
}

/** `plural.group namespace/name`, as reports name an object. */
export function subjectOfPath(path: string): string {
  const parts = partsOfPath(path);
  if (parts === undefined) return path;
  const { group, plural, namespace, name, subresource } = parts;
  const kind = group === '' ? plural : `${plural}.${group}`;
  const where = [namespace, name].filter((part) => part !== undefined).join('/');
  return [kind, where, subresource === undefined ? '' : `(${subresource})`].filter((part) => part !== '').join(' ');
}
