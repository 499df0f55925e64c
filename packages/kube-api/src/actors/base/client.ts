// Requests of one actor: who sends them, and how a refusal becomes an error.
import { isObject } from '../../json.ts';
import type { ApiRequest, Transport, WatchResponse } from '../../transport.ts';
import type { Live } from './model.ts';

/** A request that the server refused, with the status code and the reason of its Status. */
export class RequestFailed extends Error {
  readonly status: number;
  readonly reason: string;

  constructor(request: Pick<ApiRequest, 'method' | 'path'>, status: number, body: unknown) {
    const message = isObject(body) && typeof body['message'] === 'string' ? body['message'] : `status ${status}`;
    super(`${request.method} ${request.path}: ${message}`);
    this.name = 'RequestFailed';
    this.status = status;
    this.reason = isObject(body) && typeof body['reason'] === 'string' ? body['reason'] : '';
  }
}

/** Sends requests under one user agent until its signal aborts. */
export class Client {
  readonly #transport: Transport;
  readonly #userAgent: string;
  readonly #signal: AbortSignal;

  constructor(transport: Transport, userAgent: string, signal: AbortSignal) {
    this.#transport = transport;
    this.#userAgent = userAgent;
    this.#signal = signal;
  }

  /** The same client with another end. */
  until(signal: AbortSignal): Client {
    return new Client(this.#transport, this.#userAgent, signal);
  }

  /**
   * The body of the answer.
   * @throws RequestFailed if the server refuses; what the transport throws if the connection breaks.
   */
  async send(method: ApiRequest['method'], path: string, body?: unknown, type?: string): Promise<unknown> {
    const response = await this.#transport.request({
      method,
      path,
      headers: this.#headers(body === undefined ? undefined : (type ?? 'application/json')),
      ...(body === undefined ? {} : { body }),
      signal: this.#signal,
    });
    if (response.status >= 400) throw new RequestFailed({ method, path }, response.status, response.body);
    return response.body;
  }

  /** The body of a GET that asks for the given media types. */
  async fetch(path: string, accept: string): Promise<unknown> {
    const headers = { ...this.#headers(undefined), accept };
    const response = await this.#transport.request({ method: 'GET', path, headers, signal: this.#signal });
    if (response.status >= 400) throw new RequestFailed({ method: 'GET', path }, response.status, response.body);
    return response.body;
  }

  /** Opens a watch. */
  async watch(path: string): Promise<WatchResponse> {
    const response = await this.#transport.watch({
      method: 'GET',
      path,
      headers: this.#headers(undefined),
      signal: this.#signal,
    });
    if (response.status !== 200) throw new RequestFailed({ method: 'GET', path }, response.status, response.body);
    return response;
  }

  #headers(contentType: string | undefined): Readonly<Record<string, string>> {
    const headers = { accept: 'application/json', 'user-agent': this.#userAgent };
    return contentType === undefined ? headers : { ...headers, 'content-type': contentType };
  }
}

/** True for an object as the server stores it. */
export function isLive(value: unknown): value is Live {
  if (!isObject(value) || !isObject(value['metadata'])) return false;
  const { name, uid, resourceVersion } = value['metadata'];
  return typeof name === 'string' && typeof uid === 'string' && typeof resourceVersion === 'string';
}
