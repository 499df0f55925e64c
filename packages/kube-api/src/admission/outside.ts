// The world outside of a server as it calls it: webhooks, by URL or through a Service.
import type { Json, JsonObject } from '../json.ts';
import type { Clock, Random } from '../ports.ts';
import type { ClientConfig, Reply, WebhookMessage, WebhookOptions, WebhookReply, WebhookService } from './message.ts';
import { postJson } from './post.ts';

/** Calls webhooks. */
export class Outside {
  readonly #options: WebhookOptions;
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #hasService: (namespace: string, name: string) => boolean;

  constructor(
    options: WebhookOptions,
    clock: Clock,
    random: Random,
    hasService: (namespace: string, name: string) => boolean,
  ) {
    this.#options = options;
    this.#clock = clock;
    this.#random = random;
    this.#hasService = hasService;
  }

  /** The uid of a review. */
  uuid(): string {
    return this.#random.uuid();
  }

  /** Sends a review; never throws. The time limit is counted by the server's clock. */
  async post(client: ClientConfig, body: JsonObject, timeoutSeconds: number): Promise<Reply> {
    const { service, caBundle } = client;
    const query = `?timeout=${timeoutSeconds}s`;
    const named =
      service === undefined
        ? `${client.url ?? ''}${query}`
        : `https://${service.name}.${service.namespace}.svc:${service.port}${service.path}${query}`;
    const target = service === undefined ? named : this.#resolve(service, query);
    const failed = (why: string): Reply => ({ fault: `Post ${JSON.stringify(named)}: ${why}` });
    if (target === undefined) return failed(this.#unreachable(service));
    const deadline = new AbortController();
    let late = false;
    const cancel = this.#clock.setTimer(timeoutSeconds * 1_000, () => {
      late = true;
      deadline.abort();
    });
    const aborted = new Promise<never>((_, reject) => {
      deadline.signal.addEventListener('abort', () => reject(new Error('late')), { once: true });
    });
    try {
      const send = this.#options.send ?? postJson;
      const message: WebhookMessage = {
        url: target,
        ca: caBundle === undefined || caBundle === '' ? undefined : Buffer.from(caBundle, 'base64').toString('utf8'),
        serverName: service === undefined ? undefined : `${service.name}.${service.namespace}.svc`,
        body,
        signal: deadline.signal,
      };
      return read(await Promise.race([send(message), aborted]));
    } catch (error) {
      return failed(late ? 'context deadline exceeded' : networkFault(error));
    } finally {
      cancel();
    }
  }

  #resolve(service: WebhookService & { readonly path: string }, query: string): string | undefined {
    const { namespace, name, port } = service;
    const base = this.#options.serviceUrl?.({ namespace, name, port });
    return base === undefined ? undefined : `${base.replace(/\/$/, '')}${service.path}${query}`;
  }

  #unreachable(service: WebhookService | undefined): string {
    const { namespace = '', name = '' } = service ?? {};
    if (!this.#hasService(namespace, name)) return `service ${JSON.stringify(name)} not found`;
    return `service ${JSON.stringify(name)} is not reachable from here: createApiServer's option webhooks.serviceUrl names no address for it`;
  }
}

const CLIENT_ERRORS: Readonly<Record<number, string>> = {
  400: 'the server rejected our request for an unknown reason',
  401: 'the server has asked for the client to provide credentials',
  403: 'the server does not allow access to the requested resource',
  404: 'the server could not find the requested resource',
  405: 'the server does not allow this method on the requested resource',
};

function read({ status, text }: WebhookReply): Reply {
  if (status >= 200 && status < 300) {
    try {
      return { body: JSON.parse(text) as Json };
    } catch {
      return {
        fault: `couldn't get version/kind; json parse error: the answer is not JSON: ${JSON.stringify(text.slice(0, 100))}`,
      };
    }
  }
  const known = CLIENT_ERRORS[status];
  return {
    fault: known ?? `an error on the server (${JSON.stringify(text)}) has prevented the request from succeeding`,
  };
}

function networkFault(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code, address, port } = error as Error & { code?: string; address?: string; port?: number };
  if (code === 'ECONNREFUSED') return `dial tcp ${address ?? ''}:${port ?? ''}: connect: connection refused`;
  if (code === 'ENOTFOUND') return `dial tcp: lookup failed: ${error.message}`;
  return error.message;
}
