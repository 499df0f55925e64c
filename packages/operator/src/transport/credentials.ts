// Who we are to an API server, and where it is. Implemented for a plain address, for a pod, and for a kubeconfig.

/** What a TLS connection needs. Two equal values may share connections. */
export interface TlsMaterial {
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
  readonly passphrase?: string;
  readonly servername?: string;
  readonly rejectUnauthorized?: boolean;
}

/** What one request takes with it. */
export interface Identity {
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly tls: TlsMaterial;
}

/** Source of identities; asked before each request, so that tokens and certificates are renewed on the way. */
export interface Credentials {
  /** Base address, such as `https://10.0.0.1:443`. */
  readonly server: string;
  /** An `http:`, `https:` or `socks5:` proxy. */
  readonly proxy?: string | undefined;
  /** Hosts that are reached without the proxy, as `NO_PROXY` lists them. */
  readonly noProxy?: string | undefined;
  /** The namespace that we are in, or that was chosen for us. */
  readonly namespace?: string | undefined;
  /** The current identity; with `refresh`, one that was not answered with 401 just now. */
  readonly identity: (refresh: boolean) => Promise<Identity>;
}

const NOBODY: Identity = Object.freeze({ headers: Object.freeze({}), tls: Object.freeze({}) });

/**
 * Credentials for a server that asks for none.
 *
 * @param server base address with `http:` or `https:`
 */
export function anonymous(server: string): Credentials {
  return Object.freeze({ server: checkServer('server', server), identity: () => Promise.resolve(NOBODY) });
}

/** The address itself, without a slash at its end. @throws if it is not an HTTP address; `field` says where it stood */
export function checkServer(field: string, server: unknown): string {
  const allowed = 'an address such as https://10.0.0.1:6443';
  if (typeof server !== 'string' || !URL.canParse(server))
    throw new Error(`${field} is ${JSON.stringify(server) ?? 'missing'}; it must be ${allowed}`);
  const { protocol } = new URL(server);
  if (protocol !== 'http:' && protocol !== 'https:')
    throw new Error(`${field} is "${server}", whose scheme is "${protocol}"; it must be ${allowed}`);
  return server.replace(/\/+$/, '');
}
