// The HTTP side of a faulty connection: an operator in another process reaches the real server only through it.
import { listen, type Listening } from '@pawl/kube-api';
import type { ApiRequest, ApiResponse, Transport } from '@pawl/operator';

type Headers = Readonly<Record<string, string>>;

/** What belongs to one connection, and is not handed on to the next. */
const OF_CONNECTION: ReadonlySet<string> = new Set([
  'accept-encoding',
  'authorization',
  'connection',
  'content-encoding',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'transfer-encoding',
  'upgrade',
]);

/**
 * Serves a transport on the loopback to whoever knows the secret, which is a part of the address. What the transport never
 * answers is held open, and what it throws breaks the connection.
 */
export function startProxy(transport: Transport, secret: string): Promise<Listening> {
  return listen(
    {
      request: async (request) => handedBack(await transport.request(handedOn(request))),
      watch: async (request) => {
        const answer = await transport.watch(handedOn(request));
        return { ...answer, headers: without(answer.headers) };
      },
    },
    { base: `/${secret}` },
  );
}

const handedOn = (request: ApiRequest): ApiRequest => ({ ...request, headers: without(request.headers ?? {}) });
const handedBack = (answer: ApiResponse): ApiResponse => ({ ...answer, headers: { 'content-type': typeof answer.body === 'string' ? 'text/plain' : 'application/json', ...without(answer.headers) } });
const without = (headers: Headers): Headers => Object.fromEntries(Object.entries(headers).filter(([name]) => !OF_CONNECTION.has(name)));

/** The real server as the faults see it: what was sent arrives there, even if the client has given up meanwhile. */
export function lasting({ request, watch }: Transport): Transport {
  return {
    watch,
    request: (sent) => {
      const { signal: _, ...lasts } = sent;
      return request(lasts);
    },
  };
}
