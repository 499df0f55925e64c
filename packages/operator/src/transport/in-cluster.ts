// Credentials of a pod: the token and CA that the kubelet mounts and renews.
import { isIPv6 } from 'node:net';
import type { MonotonicClock } from '@pawl/reconciler';
import type { Credentials, Identity } from './credentials.ts';
import { readText, type ReadText, textOf } from './files.ts';

/** Variables of the process; a pod's tell where the API server is. */
export type Environment = Readonly<Record<string, string | undefined>>;

export interface InClusterOptions {
  readonly environment: Environment;
  readonly clock: MonotonicClock;
  /** Where the service account is mounted. Default: where the kubelet mounts it. */
  readonly directory?: string | undefined;
  readonly read?: ReadText | undefined;
}

const DIRECTORY = '/var/run/secrets/kubernetes.io/serviceaccount';
/** The kubelet renews a token long before it expires, so it need not be read for each request. */
const REREAD_AFTER_MS = 60_000;

/** Whether the process runs in a pod. */
export function isInCluster({ KUBERNETES_SERVICE_HOST, KUBERNETES_SERVICE_PORT }: Environment): boolean {
  return Boolean(KUBERNETES_SERVICE_HOST) && Boolean(KUBERNETES_SERVICE_PORT);
}

/**
 * The service account of the pod that we run in.
 *
 * @throws if the process is not in a pod, or its service account is not mounted
 */
export async function inCluster(options: InClusterOptions): Promise<Credentials> {
  const { environment, clock, directory = DIRECTORY, read = readText } = options;
  if (!isInCluster(environment))
    throw new Error('KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT are not both set: this is not a pod');
  const { KUBERNETES_SERVICE_HOST: host = '', KUBERNETES_SERVICE_PORT: port } = environment;
  const file = (name: string): Promise<string> => textOf('the service account', `${directory}/${name}`, read);
  const load = async (): Promise<Identity> => {
    const [token, ca] = await Promise.all([file('token'), file('ca.crt')]);
    return { headers: { authorization: `Bearer ${token.trim()}` }, tls: { ca } };
  };

  let readAt = clock.monotonic();
  let identity = await load();
  return Object.freeze({
    server: `https://${isIPv6(host) ? `[${host}]` : host}:${port}`,
    namespace: (await file('namespace')).trim(),
    identity: async (refresh: boolean) => {
      if (refresh || clock.monotonic() - readAt >= REREAD_AFTER_MS) {
        identity = await load();
        readAt = clock.monotonic();
      }
      return identity;
    },
  });
}
