// A real HTTP server whose every answer a test writes: for the misbehaviour that no well-behaved server can be made to.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';

export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly url: URL;
  /** The parsed JSON body. */
  readonly body: unknown;
}
export type Script = (exchange: Exchange) => void;

/** One request that arrived. */
export interface Arrival {
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: IncomingMessage['headers'];
  readonly body: unknown;
}

export interface ServerTls {
  readonly cert: string;
  readonly key: string;
}

/** Started by `start`, ended by `close`. */
export class ScriptedServer {
  readonly arrivals: Arrival[] = [];
  readonly sockets = new Set<Socket>();
  connections = 0;
  readonly #script: Script;
  readonly #server: Server;
  readonly #scheme: 'http' | 'https';

  private constructor(script: Script, tls: ServerTls | undefined) {
    this.#script = script;
    const answer = (request: IncomingMessage, response: ServerResponse): void => void this.#answer(request, response);
    this.#server = tls === undefined ? createServer(answer) : createSecureServer({ ...tls }, answer);
    this.#scheme = tls === undefined ? 'http' : 'https';
    this.#server.keepAliveTimeout = 60_000;
    this.#server.on(tls === undefined ? 'connection' : 'secureConnection', (socket: Socket) => {
      this.connections += 1;
      this.sockets.add(socket);
      socket.on('close', () => this.sockets.delete(socket));
    });
  }

  static async start(script: Script, tls?: ServerTls): Promise<ScriptedServer> {
    const scripted = new ScriptedServer(script, tls);
    await new Promise<void>((resolve) => scripted.#server.listen(0, '127.0.0.1', resolve));
    return scripted;
  }

  get url(): string {
    return `${this.#scheme}://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Requests of watches, or of anything else. */
  watches(): readonly Arrival[] {
    return this.arrivals.filter(({ query }) => query['watch'] === 'true');
  }

  lists(): readonly Arrival[] {
    return this.arrivals.filter(({ query }) => query['watch'] === undefined);
  }

  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    for (const socket of this.sockets) socket.destroy();
    await closed;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://server');
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString('utf8');
    const body = text === '' ? undefined : (JSON.parse(text) as unknown);
    const query = Object.fromEntries(url.searchParams);
    const { method = '', headers } = request;
    this.arrivals.push({ method, path: url.pathname, query, headers, body });
    this.#script({ request, response, url, body });
  }
}

/** Answers with JSON. */
export function json(response: ServerResponse, value: unknown, code = 200, headers: Record<string, string> = {}): void {
  response.writeHead(code, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(value));
}

/** Begins a watch, with these lines at once. */
export function stream(response: ServerResponse, ...lines: readonly string[]): void {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.flushHeaders();
  for (const line of lines) response.write(line);
}

/** A line of a watch. */
export function line(type: string, object: unknown): string {
  return `${JSON.stringify({ type, object })}\n`;
}

/** A failure as the API server words it. */
export function status(code: number, reason: string, extra: object = {}): object {
  return { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', code, reason, message: reason, ...extra };
}
