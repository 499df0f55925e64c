// A server with a clock that is moved by hand and seeded chance, and short ways to use it, for tests.
import { createApiServer, type ApiServer } from '../create-api-server.ts';
import type { KubeObject } from '../json.ts';
import type { Random } from '../ports.ts';
import { manualClock, type ManualClock } from './manual-clock.ts';
import type { ApiServerOptions } from '../server/api-server.ts';
import type { ApiRequest, ApiResponse, Transport, WatchEvent } from '../transport.ts';

/** Counts up where chance is asked for. */
function countingRandom(): Random {
  let count = 0;
  return {
    uuid: () => `00000000-0000-4000-8000-${String(++count).padStart(12, '0')}`,
    bytes: (length) => Uint8Array.from({ length }, () => ++count % 256),
  };
}

/** Media types of patches. */
export const PATCH = {
  json: 'application/json-patch+json',
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
  apply: 'application/apply-patch+yaml',
} as const;

/** Requests in short form. */
export interface Client {
  readonly send: (
    method: ApiRequest['method'],
    path: string,
    body?: unknown,
    contentType?: string,
  ) => Promise<ApiResponse>;
  /** The body of an answer that must be a success; throws with the server's message otherwise. */
  readonly ok: (
    method: ApiRequest['method'],
    path: string,
    body?: unknown,
    contentType?: string,
  ) => Promise<KubeObject>;
  /** The first `count` events of a watch, which is then left. */
  readonly events: (path: string, count: number) => Promise<readonly WatchEvent[]>;
}

/** A client of any transport. */
export function clientOf(transport: Transport): Client {
  const send: Client['send'] = (method, path, body, contentType) => {
    const headers = { 'user-agent': 'test/1', ...(contentType === undefined ? {} : { 'content-type': contentType }) };
    return transport.request({ method, path, headers, ...(body === undefined ? {} : { body }) });
  };
  return {
    send,
    ok: async (...request) => {
      const { status, body } = await send(...request);
      if (status >= 300) throw new Error(`${request[0]} ${request[1]}: ${JSON.stringify(body)}`);
      return body as KubeObject;
    },
    events: async (path, count) => {
      const { events } = await transport.watch({ method: 'GET', path, headers: { 'user-agent': 'test/1' } });
      const seen: WatchEvent[] = [];
      if (count === 0) return seen;
      for await (const event of events) {
        seen.push(event);
        if (seen.length === count) break;
      }
      return seen;
    },
  };
}

/** A server, its clock, and a client. */
export interface TestServer extends Client {
  readonly server: ApiServer;
  readonly clock: ManualClock;
}

export function testServer(options: ApiServerOptions = {}): TestServer {
  const clock = manualClock();
  const server = createApiServer({ clock, random: countingRandom(), ...options });
  return { server, clock, ...clientOf(server) };
}

export const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';

/** A ConfigMap as a client sends it. */
export function configMap(name: string, data: Readonly<Record<string, string>> = {}, metadata: object = {}): object {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, ...metadata }, data };
}

export const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
export const WIDGETS = '/apis/test.dev/v1/namespaces/default/widgets';

/** A CRD of the kind Widget with a status; `version` adds to its only version, `spec` to its spec. */
export function widgetDefinition(version: object = {}, spec: object = {}): object {
  const openAPIV3Schema = {
    type: 'object',
    properties: {
      spec: { type: 'object', properties: { size: { type: 'integer', default: 1 }, color: { type: 'string' } } },
      status: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
    },
  };
  const v1 = {
    name: 'v1',
    served: true,
    storage: true,
    subresources: { status: {} },
    schema: { openAPIV3Schema },
    ...version,
  };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'widgets.test.dev' },
    spec: {
      group: 'test.dev',
      scope: 'Namespaced',
      names: { plural: 'widgets', kind: 'Widget' },
      versions: [v1],
      ...spec,
    },
  };
}

/** A Widget as a client sends it. */
export function widget(name: string, spec: object = {}, metadata: object = {}): object {
  return { apiVersion: 'test.dev/v1', kind: 'Widget', metadata: { name, ...metadata }, spec };
}
