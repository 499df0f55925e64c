// The transport over HTTP(S): undici's connections, fresh credentials for each request, one refresh after a 401.
import type { Dispatcher } from 'undici';
import type { Credentials } from './credentials.ts';
import { DispatcherCache } from './dispatchers.ts';
import type { ApiRequest, ApiResponse, Transport, WatchEvent, WatchResponse } from './transport.ts';
import { readWatchLines } from './watch-lines.ts';

export interface HttpTransportOptions {
  readonly credentials: Credentials;
  /** Connections for calls; watches have their own. Default 16. */
  readonly maxConnections?: number;
}

type Answer = Dispatcher.ResponseData;

/** Talks to one API server. Close it to break all its connections. */
export class HttpTransport implements Transport {
  readonly #credentials: Credentials;
  readonly #basePath: string;
  readonly #origin: string;
  readonly #dispatchers: DispatcherCache;

  constructor({ credentials, maxConnections }: HttpTransportOptions) {
    const { origin, pathname } = new URL(credentials.server);
    this.#credentials = credentials;
    this.#origin = origin;
    this.#basePath = pathname.replace(/\/+$/, '');
    this.#dispatchers = new DispatcherCache({
      ...(maxConnections === undefined ? {} : { maxConnections }),
      proxy: credentials.proxy,
      noProxy: credentials.noProxy,
    });
  }

  get server(): string {
    return this.#origin + this.#basePath;
  }

  request = async (request: ApiRequest): Promise<ApiResponse> => responseOf(await this.#send(request, 'calls'));

  watch = async (request: ApiRequest): Promise<WatchResponse> => {
    const answer = await this.#send(request, 'watches');
    if (answer.statusCode !== 200) return { ...(await responseOf(answer)), events: noEvents() };
    return {
      status: answer.statusCode,
      headers: headersOf(answer),
      body: undefined,
      events: readWatchLines(answer.body as AsyncIterable<Uint8Array>),
    };
  };

  close = (): Promise<void> => this.#dispatchers.close();

  async #send(request: ApiRequest, use: 'calls' | 'watches'): Promise<Answer> {
    const first = await this.#sendOnce(request, use, false);
    if (first.statusCode !== 401) return first;
    await first.body.dump();
    return this.#sendOnce(request, use, true);
  }

  async #sendOnce(request: ApiRequest, use: 'calls' | 'watches', refresh: boolean): Promise<Answer> {
    const { headers, tls } = await this.#credentials.identity(refresh);
    const { method, path, body, signal } = request;
    return this.#dispatchers.get(tls)[use].request({
      origin: this.#origin,
      path: this.#basePath + path,
      method,
      headers: {
        accept: 'application/json',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...request.headers,
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal === undefined ? {} : { signal }),
    });
  }
}

async function responseOf(answer: Answer): Promise<ApiResponse> {
  const headers = headersOf(answer);
  const text = await answer.body.text();
  const isJson = (headers['content-type'] ?? '').includes('json');
  return { status: answer.statusCode, headers, body: isJson && text !== '' ? (JSON.parse(text) as unknown) : text };
}

function headersOf({ headers }: Answer): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, typeof value === 'string' ? value : value.join(', ')]],
    ),
  );
}

async function* noEvents(): AsyncGenerator<WatchEvent, void, void> {}
