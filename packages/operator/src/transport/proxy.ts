// Whether the API server is reached through a proxy: what the environment says, as Kubernetes' own clients read it. Pure.
import { BlockList, isIP } from 'node:net';
import type { Environment } from './in-cluster.ts';

/** A proxy, and the hosts that are reached without it. */
export interface ProxyChoice {
  readonly proxy?: string | undefined;
  readonly noProxy?: string | undefined;
}

const SCHEMES: ReadonlySet<string> = new Set(['http:', 'https:', 'socks5:']);

/**
 * What `HTTPS_PROXY` (or `HTTP_PROXY`, for a server without TLS) and `NO_PROXY` say, in capitals or not. This machine
 * itself is never reached through a proxy.
 *
 * @throws if the variable holds no address of a proxy
 */
export function proxyOf(environment: Environment, server: string): ProxyChoice {
  const { protocol, hostname } = new URL(server);
  const name = protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY';
  const found = [name, name.toLowerCase()].find((variable) => (environment[variable] ?? '') !== '');
  if (found === undefined) return {};
  const written = environment[found] ?? '';
  const proxy = checkProxy(found, written.includes('://') ? written : `http://${written}`);
  const noProxy = environment['NO_PROXY'] ?? environment['no_proxy'] ?? '';
  const host = hostname.replace(/^\[(.+)\]$/, '$1');
  return isThisMachine(host) || isInRange(host, noProxy) ? {} : { proxy, noProxy };
}

/** The address itself. @throws if it is none of a proxy; `field` says where it stood. A password is not repeated */
export function checkProxy(field: string, proxy: string): string {
  const shown = JSON.stringify(proxy.replace(/\/\/[^/@]*@/, '//***@'));
  const allowed = 'an http, https or socks5 address such as http://proxy.example:3128';
  if (!URL.canParse(proxy)) throw new Error(`${field} is ${shown}; it must be ${allowed}`);
  const { protocol, hostname } = new URL(proxy);
  if (!SCHEMES.has(protocol)) throw new Error(`${field} is ${shown}, whose scheme is "${protocol}"; it must be ${allowed}`);
  if (hostname === '') throw new Error(`${field} is ${shown}, which names no host; it must be ${allowed}`);
  return proxy;
}

const isThisMachine = (host: string): boolean => host === 'localhost' || isInRange(host, '127.0.0.0/8,::1/128');

/** Whether one of the entries is a range of addresses that the host is in: such as `10.0.0.0/8`. */
function isInRange(host: string, entries: string): boolean {
  const version = isIP(host);
  if (version === 0) return false;
  return entries.split(/[\s,]+/).some((entry) => {
    const [network = '', bits = ''] = entry.split('/');
    if (isIP(network) !== version || !/^\d{1,3}$/.test(bits) || Number(bits) > (version === 4 ? 32 : 128)) return false;
    const type = version === 4 ? 'ipv4' : 'ipv6';
    const range = new BlockList();
    range.addSubnet(network, Number(bits), type);
    return range.check(host, type);
  });
}
