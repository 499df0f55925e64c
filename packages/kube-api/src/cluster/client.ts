// Short ways to read and write objects, as raw JSON.
import { at, type Json, type KubeObject } from '../json.ts';
import type { ApiRequest, Transport } from '../transport.ts';
import { findKind, pathOf, servedKinds, type ServedKind } from './kinds.ts';
import { ApiRefusal } from './refusal.ts';

export interface ListOptions {
  /** Default: all namespaces. */
  readonly namespace?: string;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
}

export interface PatchOptions {
  /** Default `default`. */
  readonly namespace?: string;
  /** Default `merge`. */
  readonly type?: 'merge' | 'json' | 'strategic';
  /** Such as `status`. */
  readonly subresource?: string;
}

/**
 * Requests in short form. A kind is named as for kubectl: `Deployment`, `deployments`, `deploy`, `deployments.apps`.
 * Namespaced objects lie in `default` unless something else is said. All throw `ApiRefusal` when the server refuses.
 */
export interface ClusterClient {
  readonly get: <T = KubeObject>(kind: string, name: string, namespace?: string) => Promise<T>;
  /** The object, or undefined if there is none. */
  readonly find: <T = KubeObject>(kind: string, name: string, namespace?: string) => Promise<T | undefined>;
  readonly list: <T = KubeObject>(kind: string, options?: ListOptions) => Promise<readonly T[]>;
  readonly create: <T = KubeObject>(object: object) => Promise<T>;
  /** Server-side apply that takes over what others own; `fieldManager` is `test` by default. */
  readonly apply: <T = KubeObject>(object: object, options?: { readonly fieldManager?: string }) => Promise<T>;
  readonly patch: <T = KubeObject>(kind: string, name: string, patch: unknown, options?: PatchOptions) => Promise<T>;
  /** `propagationPolicy` is the server's default for the kind unless it is given. */
  readonly delete: (
    kind: string,
    name: string,
    options?: { readonly namespace?: string; readonly propagationPolicy?: 'Background' | 'Foreground' | 'Orphan' },
  ) => Promise<void>;
}

const PATCH_TYPES = {
  merge: 'application/merge-patch+json',
  json: 'application/json-patch+json',
  strategic: 'application/strategic-merge-patch+json',
} as const;

interface Address {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string | undefined;
  readonly namespace: string | undefined;
}

/** @throws RangeError for what is no object of Kubernetes */
function addressOf(object: object): Address {
  const text = (...path: readonly string[]): string | undefined => {
    const value = at(object as Json, ...path);
    return typeof value === 'string' && value !== '' ? value : undefined;
  };
  const [apiVersion, kind] = [text('apiVersion'), text('kind')];
  if (apiVersion === undefined || kind === undefined) {
    const missing = apiVersion === undefined ? 'apiVersion' : 'kind';
    throw new RangeError(`${missing}: found nothing in ${JSON.stringify(object).slice(0, 100)}, allowed is a text`);
  }
  return { apiVersion, kind, name: text('metadata', 'name'), namespace: text('metadata', 'namespace') };
}

/** Creates the helpers over a transport. What is served is looked up when a kind is not known yet. */
export function clusterClient(transport: Transport): ClusterClient {
  let kinds: readonly ServedKind[] = [];
  const resolve = async (name: string, apiVersion?: string): Promise<ServedKind> => {
    try {
      return findKind(kinds, name, apiVersion);
    } catch {
      kinds = await servedKinds(transport);
      return findKind(kinds, name, apiVersion);
    }
  };
  const send = async (
    method: ApiRequest['method'],
    path: string,
    body?: unknown,
    contentType = 'application/json',
  ): Promise<unknown> => {
    const headers = { 'user-agent': 'test', ...(body === undefined ? {} : { 'content-type': contentType }) };
    const response = await transport.request({ method, path, headers, ...(body === undefined ? {} : { body }) });
    if (response.status >= 400) throw new ApiRefusal(method, path, response.status, response.body);
    return response.body;
  };
  const path = async (kind: string, name: string, namespace = 'default'): Promise<string> =>
    pathOf(await resolve(kind), namespace, name);
  const get = async <T>(kind: string, name: string, namespace?: string): Promise<T> =>
    (await send('GET', await path(kind, name, namespace))) as T;
  return {
    get,
    find: async <T>(kind: string, name: string, namespace?: string) => {
      try {
        return await get<T>(kind, name, namespace);
      } catch (error) {
        if (error instanceof ApiRefusal && error.code === 404) return undefined;
        throw error;
      }
    },
    list: async <T>(kind: string, { namespace, labelSelector, fieldSelector }: ListOptions = {}) => {
      const query = new URLSearchParams({
        ...(labelSelector === undefined ? {} : { labelSelector }),
        ...(fieldSelector === undefined ? {} : { fieldSelector }),
      });
      const mark = query.size === 0 ? '' : `?${query.toString()}`;
      const body = await send('GET', pathOf(await resolve(kind), namespace) + mark);
      return (body as { readonly items: readonly T[] }).items;
    },
    create: async <T>(object: object) => {
      const { kind, apiVersion, namespace = 'default' } = addressOf(object);
      return (await send('POST', pathOf(await resolve(kind, apiVersion), namespace), object)) as T;
    },
    apply: async <T>(object: object, { fieldManager = 'test' }: { readonly fieldManager?: string } = {}) => {
      const { kind, apiVersion, name, namespace = 'default' } = addressOf(object);
      if (name === undefined) throw new RangeError('metadata.name: found nothing, allowed is the name of an object');
      const query = new URLSearchParams({ fieldManager, force: 'true' });
      const target = `${pathOf(await resolve(kind, apiVersion), namespace, name)}?${query.toString()}`;
      return (await send('PATCH', target, object, 'application/apply-patch+yaml')) as T;
    },
    patch: async <T>(kind: string, name: string, patch: unknown, options: PatchOptions = {}) => {
      const { namespace, type = 'merge', subresource } = options;
      const below = subresource === undefined ? '' : `/${subresource}`;
      return (await send('PATCH', (await path(kind, name, namespace)) + below, patch, PATCH_TYPES[type])) as T;
    },
    delete: async (kind, name, { namespace, propagationPolicy } = {}) => {
      const options = { kind: 'DeleteOptions', apiVersion: 'v1', propagationPolicy };
      const body = propagationPolicy === undefined ? undefined : options;
      await send('DELETE', await path(kind, name, namespace), body);
    },
  };
}
