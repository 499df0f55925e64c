// What the demo runs on: an API in this process, reachable over a loopback port, and the controllers behind it.
import { createApiServer, startActors, type ApiServer, type Listening } from '@pawl/kube-api';
import { systemClock } from '@pawl/reconciler';
import { stringify } from 'yaml';

/** A running API. */
export interface Stand {
  readonly server: ApiServer;
  readonly url: string;
  /** Text of a kubeconfig file that leads here. */
  readonly kubeconfig: string;
  /** Set if another port was wanted, which is taken. */
  readonly busyPort: number | undefined;
  readonly close: () => Promise<void>;
}

const HOST = '127.0.0.1';

/**
 * Starts the API on `port`, or on a free one if that is taken, and the controllers that a cluster has: Deployments become
 * pods, pods become ready, what nobody owns goes.
 *
 * @param readyWithinMs pods take up to so long to become ready, each its own time
 */
export async function startStand(port: number, readyWithinMs: number): Promise<Stand> {
  const server = createApiServer();
  const { listening, busyPort } = await listenNear(server, port);
  const podBehaviour = ({
    metadata,
  }: {
    readonly metadata: { readonly name: string };
  }): { readonly readyAfterMs: number } => ({
    readyAfterMs: Math.round(readyWithinMs * shareOf(metadata.name)),
  });
  const actors = startActors(server, { clock: systemClock, podBehaviour });
  return {
    server,
    url: listening.url,
    kubeconfig: stringify(listening.kubeconfig),
    busyPort,
    close: async () => {
      await actors.stop();
      server.close();
      await listening.close();
    },
  };
}

/** A number from 0 to 1 that looks random, but is the same for a name. */
function shareOf(name: string): number {
  return ((name.charCodeAt(name.length - 1) * 7 + name.charCodeAt(name.length - 2) * 3) % 10) / 9;
}

async function listenNear(
  server: ApiServer,
  port: number,
): Promise<{ readonly listening: Listening; readonly busyPort: number | undefined }> {
  try {
    return { listening: await server.listen({ host: HOST, port }), busyPort: undefined };
  } catch (error) {
    if (!isTaken(error)) throw error;
    return { listening: await server.listen({ host: HOST, port: 0 }), busyPort: port };
  }
}

function isTaken(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return code === 'EADDRINUSE' || code === 'EACCES';
}
