// Serves `/healthz`, `/readyz` and `/metrics` to the kubelet and to Prometheus.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { healthOf, type HealthCheck } from './health.ts';

/** What `/metrics` answers. */
export interface ServedMetrics {
  readonly contentType: string;
  readonly text: () => Promise<string>;
}

export interface HealthServerParts {
  /** Whether the process has to be restarted: `/healthz`. */
  readonly liveness: () => Iterable<HealthCheck>;
  /** Whether the process can do its work: `/readyz`. */
  readonly readiness: () => Iterable<HealthCheck>;
  /** For `/metrics`; absent: there are none. */
  readonly metrics?: ServedMetrics | undefined;
}

interface Answer {
  readonly status: number;
  readonly type?: string;
  readonly body: string;
}

const TEXT = 'text/plain; charset=utf-8';

export class HealthServer {
  readonly #parts: HealthServerParts;
  readonly #server: Server;

  constructor(parts: HealthServerParts) {
    this.#parts = parts;
    this.#server = createServer((request, response) => void this.#serve(request, response));
  }

  /**
   * Begins to serve, and answers on which port.
   *
   * @param port 0 for any that is free
   * @throws an error with code EADDRINUSE if the port is taken
   */
  listen = (port: number, host = '0.0.0.0'): Promise<number> =>
    new Promise((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen(port, host, () => {
        this.#server.off('error', reject);
        resolve((this.#server.address() as AddressInfo).port);
      });
    });

  /** Stops serving; open connections are closed. */
  close = (): Promise<void> =>
    new Promise((resolve) => {
      this.#server.close(() => resolve());
      this.#server.closeAllConnections();
    });

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { status, type = TEXT, body } = await this.#answer(request);
    response.writeHead(status, { 'content-type': type, 'content-length': Buffer.byteLength(body), 'cache-control': 'no-store' });
    response.end(request.method === 'HEAD' ? undefined : body);
  }

  async #answer({ method, url = '/' }: IncomingMessage): Promise<Answer> {
    if (method !== 'GET' && method !== 'HEAD') return { status: 405, body: 'only GET and HEAD are allowed\n' };
    const { liveness, readiness, metrics } = this.#parts;
    const [path] = url.split('?');
    if (path === '/healthz') return healthAnswer(liveness());
    if (path === '/readyz') return healthAnswer(readiness());
    if (path === '/metrics' && metrics !== undefined) return metricsAnswer(metrics);
    return { status: 404, body: `there is ${metrics === undefined ? '' : '/metrics, '}/healthz and /readyz\n` };
  }
}

function healthAnswer(checks: Iterable<HealthCheck>): Answer {
  const { isFine, text } = healthOf(checks);
  return { status: isFine ? 200 : 503, body: text };
}

async function metricsAnswer({ contentType, text }: ServedMetrics): Promise<Answer> {
  try {
    return { status: 200, type: contentType, body: await text() };
  } catch (error) {
    return { status: 500, body: `${error instanceof Error ? error.message : String(error)}\n` };
  }
}
