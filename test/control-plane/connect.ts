// A small HTTP client of an API server, real or in memory: requests and watches as plain values.
import type { ApiRequest, ApiResponse, Transport, WatchEvent, WatchResponse } from '@pawl/kube-api';
import { Agent } from 'undici';
import type { Dispatcher } from 'undici';

/** How to log in: a bearer token or a client certificate, and the certificate authority to trust; PEM texts. */
export interface Credentials {
  readonly token?: string;
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
}

/** A transport over HTTP. It also sends a body as raw text, which a value cannot express (a duplicate key, say). */
export interface Connection extends Transport {
  readonly sendText: (request: ApiRequest, text: string) => Promise<ApiResponse>;
  readonly close: () => Promise<void>;
}

/** Connects to the API server at `url`. */
export function connect(url: string, credentials: Credentials = {}): Connection {
  const { token, ...tls } = credentials;
  const agent = new Agent({
    pipelining: 1,
    allowH2: false,
    bodyTimeout: 0,
    headersTimeout: 90_000,
    connect: tls,
  });
  const send = (request: ApiRequest, text: string | undefined): Promise<Dispatcher.ResponseData> =>
    agent.request({
      origin: url,
      path: request.path,
      method: request.method,
      headers: {
        accept: 'application/json',
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(text === undefined ? {} : { 'content-type': 'application/json' }),
        ...request.headers,
      },
      body: text ?? null,
      ...(request.signal === undefined ? {} : { signal: request.signal }),
    });
  const textOf = (request: ApiRequest): string | undefined =>
    request.body === undefined ? undefined : JSON.stringify(request.body);
  return {
    request: async (request) => whole(await send(request, textOf(request))),
    sendText: async (request, text) => whole(await send(request, text)),
    watch: async (request) => {
      const response = await send(request, textOf(request));
      if (response.statusCode !== 200) return { ...(await whole(response)), events: none() };
      return {
        status: 200,
        headers: headersOf(response),
        body: undefined,
        events: lines(response),
      } satisfies WatchResponse;
    },
    close: () => agent.destroy(),
  };
}

async function whole(response: Dispatcher.ResponseData): Promise<ApiResponse> {
  const text = await response.body.text();
  const headers = headersOf(response);
  const isJson = headers['content-type']?.includes('json') === true && text !== '';
  return { status: response.statusCode, headers, body: isJson ? (JSON.parse(text) as unknown) : text };
}

function headersOf(response: Dispatcher.ResponseData): Record<string, string> {
  return Object.fromEntries(
    Object.entries(response.headers).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join(', ') : (value ?? ''),
    ]),
  );
}

async function* none(): AsyncGenerator<WatchEvent> {}

async function* lines(response: Dispatcher.ResponseData): AsyncGenerator<WatchEvent> {
  const decoder = new TextDecoder();
  let rest = '';
  try {
    for await (const chunk of response.body) {
      rest += decoder.decode(chunk as Uint8Array, { stream: true });
      const parts = rest.split('\n');
      rest = parts.pop() ?? '';
      for (const part of parts) if (part !== '') yield JSON.parse(part) as WatchEvent;
    }
  } finally {
    response.body.on('error', () => undefined).destroy();
  }
}
