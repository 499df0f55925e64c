// Creating a server: in process at once, over HTTP on demand.
import { listen, type Listening, type ListenOptions } from './http/listen.ts';
import { InProcessServer, type ApiServerOptions, type ForkOptions } from './server/api-server.ts';
import type { KubeObject } from './json.ts';
import type { User } from './rbac/user.ts';
import type { RequestLog } from './server/request-log.ts';
import type { Change } from './store/history.ts';
import type { Transport } from './transport.ts';

/** A Kubernetes API server in memory. `request` and `watch` answer exactly as an HTTP client would see it. */
export interface ApiServer extends Transport {
  readonly log: RequestLog;
  /** The same server for a user that the caller vouches for, whatever credentials its requests carry. */
  readonly as: (user: User) => Transport;
  /** Serves the same objects over HTTP as well. The port is in use: an error with code EADDRINUSE. */
  readonly listen: (options?: ListenOptions) => Promise<Listening>;
  /** The resourceVersion of the last write. */
  readonly resourceVersion: () => string;
  /** All stored objects, frozen, by resource and key: equal objects of a server and its fork are the same values. */
  readonly objects: () => readonly KubeObject[];
  /** The committed writes after a resourceVersion, oldest first; undefined if the history no longer reaches back so far. */
  readonly changes: (resourceVersion: string) => readonly Change[] | undefined;
  /** Forgets history up to a resourceVersion, by default all: older watches and continue tokens are told 410. */
  readonly compact: (resourceVersion?: string) => void;
  /** An independent server with the same objects, history and kinds, and no watches. Contents are shared until written. */
  readonly fork: (options?: ForkOptions) => ApiServer;
  /** Ends all watches and stops listening. */
  readonly close: () => void;
}

/**
 * Creates a server with the four namespaces that every cluster has, and what the options say.
 *
 * @throws RangeError if a number is out of range.
 */
export function createApiServer(options: ApiServerOptions = {}): ApiServer {
  for (const [name, least] of [
    ['watchWindow', 1],
    ['watchBacklog', 1],
    ['logLimit', 0],
    ['objectLimit', 1],
  ] as const) {
    const value = options[name];
    if (value === undefined || (Number.isInteger(value) && value >= least)) continue;
    throw new RangeError(`${name}: found ${value}, allowed are whole numbers from ${least}`);
  }
  return facade(new InProcessServer(options));
}

function facade(server: InProcessServer): ApiServer {
  const listening = new Set<Listening>();
  const transport: Transport = { request: server.request, watch: server.watch };
  return {
    ...transport,
    log: server.log,
    as: (user) => server.as(user),
    listen: async (options) => {
      const opened = await listen(transport, options);
      listening.add(opened);
      const close = async (): Promise<void> => {
        listening.delete(opened);
        await opened.close();
      };
      return { ...opened, close };
    },
    resourceVersion: () => String(server.revision),
    objects: () => server.objects(),
    changes: (resourceVersion) => server.changes(Number(resourceVersion)),
    compact: (resourceVersion) => {
      server.compact(resourceVersion === undefined ? undefined : Number(resourceVersion));
    },
    fork: (options = {}) => facade(server.fork(options)),
    close: () => {
      server.close();
      for (const one of listening) void one.close();
      listening.clear();
    },
  };
}
