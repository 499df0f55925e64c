// The HTTP side of the server: HTTP/1.1 with JSON bodies and watches as lines of JSON.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { errorResponse } from '../server/core.ts';
import { requestInfo } from '../server/request-info.ts';
import type { ApiRequest, ApiResponse, Transport, WatchResponse } from '../transport.ts';
import { readBody } from './body.ts';
import { kubeconfigFor, type Kubeconfig } from './kubeconfig.ts';

export interface ListenOptions {
  /** Default 127.0.0.1. */
  readonly host?: string;
  /** Default 0: any free port. */
  readonly port?: number;
  /** Everything is served below this path, such as `/a`, and nothing elsewhere. Default: no such path. */
  readonly base?: string;
}

/** A server that listens. */
export interface Listening {
  /** `http://127.0.0.1:12345`, and the base path. */
  readonly url: string;
  readonly port: number;
  /** What kubectl needs to reach it. */
  readonly kubeconfig: Kubeconfig;
  /** Stops listening and cuts all connections. */
  readonly close: () => Promise<void>;
}

/**
 * Serves a transport over HTTP.
 *
 * @throws the system's error (`EADDRINUSE`, ...) if it cannot listen.
 */
export async function listen(transport: Transport, options: ListenOptions = {}): Promise<Listening> {
  const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
    // An answer that cannot be sent has nobody who could be told.
    serve(transport, request, response, options.base ?? '').catch(() => response.destroy());
  });
  const host = options.host ?? '127.0.0.1';
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port ?? 0, host, () => {
      server.removeListener('error', reject);
      resolve();
    });
  });
  const { port } = server.address() as AddressInfo;
  const url = `http://${host.includes(':') ? `[${host}]` : host}:${port}${options.base ?? ''}`;
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { url, port, kubeconfig: kubeconfigFor(url), close };
}

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

async function serve(transport: Transport, incoming: IncomingMessage, outgoing: ServerResponse, base: string): Promise<void> {
  const { url = '/' } = incoming;
  if (!url.startsWith(`${base}/`)) {
    outgoing.writeHead(404, { 'content-type': 'text/plain' }).end('not found\n');
    return;
  }
  const method = METHODS.find((one) => one === incoming.method);
  if (method === undefined) {
    outgoing.writeHead(405, { 'content-type': 'text/plain' }).end('method not allowed\n');
    return;
  }
  let body: unknown;
  try {
    body = method === 'GET' ? undefined : await readBody(incoming);
  } catch (error) {
    send(outgoing, errorResponse(error));
    return;
  }
  const request: ApiRequest = {
    method,
    path: url.slice(base.length),
    headers: flatHeaders(incoming),
    ...(body === undefined ? {} : { body }),
  };
  if (requestInfo(method, request.path).resource?.verb === 'watch') {
    await serveWatch(transport, request, outgoing);
    return;
  }
  send(outgoing, await transport.request(request));
}

async function serveWatch(transport: Transport, request: ApiRequest, outgoing: ServerResponse): Promise<void> {
  const controller = new AbortController();
  outgoing.on('close', () => controller.abort());
  const response = await transport.watch({ ...request, signal: controller.signal });
  if (response.status !== 200 || response.body !== undefined) {
    send(outgoing, response);
    return;
  }
  outgoing.writeHead(200, { ...response.headers });
  outgoing.flushHeaders();
  await pipe(response, outgoing);
}

async function pipe(response: WatchResponse, outgoing: ServerResponse): Promise<void> {
  try {
    for await (const event of response.events) {
      if (outgoing.destroyed) return;
      gather(outgoing);
      if (!outgoing.write(`${JSON.stringify(event)}\n`)) await drained(outgoing);
    }
    // What is gathered would be lost by an end in the same turn.
    while (outgoing.writableCorked > 0) outgoing.uncork();
    outgoing.end();
  } catch {
    // A broken stream breaks the connection, which is how a client sees it.
    outgoing.destroy();
  }
}

/** Sends what is written in this turn of the event loop in one piece. */
function gather(outgoing: ServerResponse): void {
  if (outgoing.writableCorked > 0) return;
  outgoing.cork();
  setImmediate(() => outgoing.uncork());
}

function drained(outgoing: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      outgoing.off('drain', done);
      outgoing.off('close', done);
      resolve();
    };
    outgoing.once('drain', done);
    outgoing.once('close', done);
    // What is corked is counted as waiting, but if the socket takes it all at once no drain follows.
    setImmediate(() => {
      if (outgoing.writableCorked === 0 && outgoing.socket?.writableNeedDrain === false) done();
    });
  });
}

function send(outgoing: ServerResponse, { status, headers, body }: ApiResponse): void {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const { warning, ...others } = headers;
  const length = Buffer.byteLength(text);
  const all: Record<string, string | number | string[]> = { ...others, 'content-length': length };
  if (warning !== undefined) all['warning'] = splitWarnings(warning);
  outgoing.writeHead(status, all).end(text);
}

/** Several warnings are several headers on the wire. */
function splitWarnings(joined: string): string[] {
  return joined.split(/, (?=299 - ")/);
}

function flatHeaders(incoming: IncomingMessage): Record<string, string> {
  const flat: Record<string, string> = {};
  for (const name in incoming.headers) {
    const value = incoming.headers[name];
    if (value !== undefined) flat[name] = Array.isArray(value) ? value.join(', ') : value;
  }
  return flat;
}
