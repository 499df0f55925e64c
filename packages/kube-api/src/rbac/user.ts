// Who sends a request: a name and groups, from a bearer token or the headers of an authenticating proxy.
import { StatusError } from '../errors.ts';

/** A user as requests are judged by. */
export interface User {
  readonly name: string;
  readonly uid?: string;
  /** Without `system:authenticated`, which everybody who is known has, and without the groups of service accounts. */
  readonly groups?: readonly string[];
}

/** How a server learns who sends a request. */
export interface AuthenticationOptions {
  /** The users of `Authorization: Bearer TOKEN`, by token; default: none. Any other token is refused with 401. */
  readonly tokens?: Readonly<Record<string, User>>;
  /** True: believes `x-remote-user` and `x-remote-group` (separated by commas), as from a proxy. Default false. */
  readonly remoteUser?: boolean;
  /** Whose a request without credentials is; 'refused': 401. Default: `system:anonymous`. */
  readonly others?: User | 'refused';
}

/** A user with all his groups. */
export interface Identity {
  readonly name: string;
  readonly uid: string | undefined;
  readonly groups: readonly string[];
}

/** Who a server without authorization takes everybody for. */
export const ADMIN: Identity = {
  name: 'admin',
  uid: undefined,
  groups: ['system:masters', 'system:authenticated'],
};

const ANONYMOUS: Identity = { name: 'system:anonymous', uid: undefined, groups: ['system:unauthenticated'] };

/** A user with the groups that follow from what he is. */
export function identityOf({ name, uid, groups = [] }: User): Identity {
  if (name === ANONYMOUS.name) return ANONYMOUS;
  const [, namespace] = /^system:serviceaccount:([^:]+):[^:]+$/.exec(name) ?? [];
  const account = namespace === undefined ? [] : ['system:serviceaccounts', `system:serviceaccounts:${namespace}`];
  return { name, uid, groups: [...new Set([...groups, ...account, 'system:authenticated'])] };
}

/**
 * Who sends a request with these headers.
 *
 * @throws StatusError 401 for a token that is not known, or for no credentials where some are needed.
 */
export function authenticate(
  headers: Readonly<Record<string, string>>,
  { tokens = {}, remoteUser = false, others }: AuthenticationOptions,
): Identity {
  const [, token] = /^bearer\s+(.+)$/i.exec(headers['authorization'] ?? '') ?? [];
  if (token !== undefined) {
    const user = Object.hasOwn(tokens, token) ? tokens[token] : undefined;
    if (user === undefined) throw unauthorized();
    return identityOf(user);
  }
  const name = headers['x-remote-user'];
  if (remoteUser && name !== undefined && name !== '') {
    const groups = (headers['x-remote-group'] ?? '').split(',').map((group) => group.trim());
    return identityOf({ name, groups: groups.filter((group) => group !== '') });
  }
  if (others === 'refused') throw unauthorized();
  return others === undefined ? ANONYMOUS : identityOf(others);
}

function unauthorized(): StatusError {
  return new StatusError(401, 'Unauthorized', 'Unauthorized');
}
