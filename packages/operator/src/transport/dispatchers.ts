// Connections: two undici dispatchers per identity, since a watch occupies its connection for minutes and calls must
// never wait behind watches. HTTP/1.1 only: a half-open HTTP/2 session would freeze every stream at once.
import { Agent, type Dispatcher, EnvHttpProxyAgent, ProxyAgent, Socks5ProxyAgent } from 'undici';
import type { TlsMaterial } from './credentials.ts';

export interface DispatcherOptions {
  /** Connections for calls. Default 16. */
  readonly maxConnections?: number;
  readonly proxy?: string | undefined;
  /** Hosts that are reached without the proxy, as `NO_PROXY` lists them. */
  readonly noProxy?: string | undefined;
}

/** The connections of one identity. */
interface Dispatchers {
  /** A bounded pool that is kept alive. */
  readonly calls: Dispatcher;
  /** As many connections as there are watches; silence is for the reader to judge. */
  readonly watches: Dispatcher;
}

const CONNECT_TIMEOUT_MS = 10_000;
/** Backstops of the network; the deadline of each call is the caller's, on its own clock. */
const ANSWER_TIMEOUT_MS = 60_000;
const KEEP_ALIVE_MS = 30_000;

/** Keeps the dispatchers of the newest identity; those of a former one end with their last request. */
export class DispatcherCache {
  readonly #options: DispatcherOptions;
  readonly #closing = new Set<Promise<unknown>>();
  #current: { readonly fingerprint: string; readonly dispatchers: Dispatchers } | undefined;

  constructor(options: DispatcherOptions) {
    this.#options = options;
  }

  /** The dispatchers for this material, made on first use. */
  get(tls: TlsMaterial): Dispatchers {
    const fingerprint = JSON.stringify(Object.entries(tls).toSorted(([a], [b]) => (a < b ? -1 : 1)));
    if (this.#current?.fingerprint !== fingerprint) {
      this.#retire((dispatcher) => dispatcher.close());
      this.#current = { fingerprint, dispatchers: create(tls, this.#options) };
    }
    return this.#current.dispatchers;
  }

  /** Breaks all connections. */
  async close(): Promise<void> {
    this.#retire((dispatcher) => dispatcher.destroy());
    await Promise.allSettled(this.#closing);
  }

  #retire(end: (dispatcher: Dispatcher) => Promise<void>): void {
    if (this.#current === undefined) return;
    const { calls, watches } = this.#current.dispatchers;
    this.#current = undefined;
    const closed = Promise.allSettled([end(calls), end(watches)]).finally(() => this.#closing.delete(closed));
    this.#closing.add(closed);
  }
}

function create(tls: TlsMaterial, { maxConnections = 16, ...proxies }: DispatcherOptions): Dispatchers {
  const common = {
    allowH2: false,
    pipelining: 1,
    headersTimeout: ANSWER_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
  };
  const calls = { ...common, bodyTimeout: ANSWER_TIMEOUT_MS, connections: maxConnections };
  const watches = { ...common, bodyTimeout: 0, connections: null };
  return { calls: dispatcher(tls, calls, proxies), watches: dispatcher(tls, watches, proxies) };
}

function dispatcher(
  tls: TlsMaterial,
  options: Omit<Agent.Options, 'connect'>,
  { proxy, noProxy }: Pick<DispatcherOptions, 'proxy' | 'noProxy'>,
): Dispatcher {
  const connect = { ...tls, timeout: CONNECT_TIMEOUT_MS };
  if (proxy === undefined) return new Agent({ ...options, connect });
  // Always a tunnel: else all requests to a server without TLS would share one connection, on which a watch never ends.
  const proxied = { ...options, requestTls: connect, proxyTls: { timeout: CONNECT_TIMEOUT_MS }, proxyTunnel: true };
  if (noProxy !== undefined) return new EnvHttpProxyAgent({ ...proxied, connect, httpProxy: proxy, httpsProxy: proxy, noProxy });
  if (proxy.startsWith('socks')) return new Socks5ProxyAgent(proxy, { ...options, requestTls: connect });
  return new ProxyAgent({ ...proxied, uri: proxy });
}
