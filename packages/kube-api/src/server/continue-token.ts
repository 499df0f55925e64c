// Continue tokens of paginated lists: the revision of the first page and the key where the next page begins.
import { badRequest } from '../errors.ts';

/** `revision` -1: the rest of an expired list, read at whatever is newest. */
export interface ContinueToken {
  readonly revision: number;
  /** The last key of the page before; the next page begins after it. */
  readonly after: string;
}

const TOKEN_VERSION = 'meta.k8s.io/v1';

export function encodeContinue({ revision, after }: ContinueToken): string {
  return Buffer.from(JSON.stringify({ v: TOKEN_VERSION, rv: revision, start: `${after}\0` })).toString('base64url');
}

/**
 * Reads a token that `encodeContinue` wrote.
 *
 * @throws StatusError 400 for anything else.
 */
export function decodeContinue(token: string): ContinueToken {
  const value = parse(token);
  if (typeof value !== 'object' || value === null || !('v' in value) || value.v !== TOKEN_VERSION) {
    throw badToken('it was not issued by this version of the API');
  }
  const rv = 'rv' in value ? value.rv : undefined;
  const start = 'start' in value ? value.start : undefined;
  if (typeof rv !== 'number' || !Number.isSafeInteger(rv) || rv === 0) throw badToken('it names no revision');
  if (typeof start !== 'string' || !start.endsWith('\0')) throw badToken('it names no key');
  return { revision: rv, after: start.slice(0, -1) };
}

function parse(token: string): unknown {
  if (!/^[\w-]+=*$/.test(token)) throw badToken('it is not base64url');
  try {
    return JSON.parse(Buffer.from(token, 'base64url').toString('utf8'));
  } catch {
    throw badToken('it does not hold JSON');
  }
}

function badToken(why: string): Error {
  return badRequest(`invalid continue token: ${why}`);
}
