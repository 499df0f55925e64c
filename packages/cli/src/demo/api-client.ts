// A small client of the demo's API: what kubectl would send, over HTTP.
import type { ResourceInfo } from '@pawl/reconciler/kubernetes';
import type { Json } from './differences.ts';

/** What of a kind's handle a path is made of. */
export type Kind = Pick<ResourceInfo<never>, 'plural' | 'namespaced'> & {
  readonly apiVersion: string;
  readonly kind: string;
};

/** Name of an object, with its namespace if it has one. */
export interface ObjectName {
  readonly name: string;
  readonly namespace?: string | undefined;
}

/** An answer that is not success, with the server's own words. */
export class RefusedError extends Error {
  override readonly name = 'RefusedError';
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** Sends requests to one API server. */
export class ApiClient {
  readonly #url: string;
  readonly #fetch: typeof globalThis.fetch;

  constructor(url: string, fetch: typeof globalThis.fetch) {
    this.#url = url;
    this.#fetch = fetch;
  }

  /** Server-side apply, as `kubectl apply --server-side` does it. @throws {RefusedError} */
  apply = (kind: Kind, name: ObjectName, object: Json): Promise<Json> =>
    this.#send('PATCH', `${pathOf(kind, name)}?fieldManager=kubectl`, {
      type: 'application/apply-patch+yaml',
      body: { ...object, apiVersion: kind.apiVersion, kind: kind.kind },
    });

  /** @throws {RefusedError} */
  delete = (kind: Kind, name: ObjectName): Promise<Json> => this.#send('DELETE', pathOf(kind, name));

  /** @throws {RefusedError} */
  get = (kind: Kind, name: ObjectName): Promise<Json> => this.#send('GET', pathOf(kind, name));

  /** All objects of a namespace that carry a label. @throws {RefusedError} */
  list = async (kind: Kind, namespace: string | undefined, labelSelector: string): Promise<readonly Json[]> => {
    const path = `${pathOf(kind, { name: '', namespace })}?labelSelector=${encodeURIComponent(labelSelector)}`;
    const { items } = await this.#send('GET', path);
    return (Array.isArray(items) ? (items as readonly Json[]) : []).map((item) => ({
      apiVersion: kind.apiVersion,
      kind: kind.kind,
      ...item,
    }));
  };

  async #send(method: string, path: string, content?: { readonly type: string; readonly body: Json }): Promise<Json> {
    const answer = await this.#fetch(`${this.#url}${path}`, {
      method,
      headers: { accept: 'application/json', ...(content === undefined ? {} : { 'content-type': content.type }) },
      ...(content === undefined ? {} : { body: JSON.stringify(content.body) }),
    });
    const body = (await answer.json()) as Json;
    const { message } = body;
    if (!answer.ok)
      throw new RefusedError(answer.status, typeof message === 'string' ? message : `status ${answer.status}`);
    return body;
  }
}

/** The path of an object, or of its kind's list if the name is empty. */
export function pathOf({ apiVersion, plural, namespaced }: Kind, { name, namespace }: ObjectName): string {
  const root = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
  const inside = namespaced && namespace !== undefined ? `/namespaces/${namespace}` : '';
  return `${root}${inside}/${plural}${name === '' ? '' : `/${name}`}`;
}
