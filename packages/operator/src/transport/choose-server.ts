// Which API server to talk to, and as whom, from what the caller gave and where the process runs.
import { delimiter, join } from 'node:path';
import type { MonotonicClock } from '@pawl/reconciler';
import { anonymous, type Credentials } from './credentials.ts';
import { readText, type ReadText } from './files.ts';
import { type Environment, inCluster, isInCluster } from './in-cluster.ts';
import { kubeconfig } from './kubeconfig.ts';
import { proxyOf } from './proxy.ts';

export interface ServerChoice {
  /** An address that needs no credentials, such as that of an in-memory API. */
  readonly server?: string | undefined;
  /** Path of a kubeconfig. */
  readonly kubeconfig?: string | undefined;
  /** A context of the kubeconfig. Default: its current one. */
  readonly context?: string | undefined;
}

/** Where the process runs. */
export interface Surroundings {
  readonly environment: Environment;
  readonly homeDirectory: string;
  readonly clock: MonotonicClock;
  readonly read?: ReadText | undefined;
}

/**
 * Takes the first of: the address, the kubeconfig path, the variable `KUBECONFIG`, the pod's service account,
 * `~/.kube/config`. Asking for a context skips the service account, which has none. A proxy that the kubeconfig does not
 * name is the environment's.
 *
 * @throws if what was chosen cannot be used; there is no second choice then
 */
export async function chooseServer(choice: ServerChoice, surroundings: Surroundings): Promise<Credentials> {
  const credentials = await credentialsOf(choice, surroundings);
  if (credentials.proxy !== undefined) return credentials;
  return Object.freeze({ ...credentials, ...proxyOf(surroundings.environment, credentials.server) });
}

function credentialsOf(choice: ServerChoice, surroundings: Surroundings): Promise<Credentials> {
  const { environment, homeDirectory, clock, read = readText } = surroundings;
  const { server, context } = choice;
  if (server !== undefined) return Promise.resolve().then(() => anonymous(server));
  const paths = choice.kubeconfig === undefined ? pathsOf(environment['KUBECONFIG']) : [choice.kubeconfig];
  if (paths.length === 0 && context === undefined && isInCluster(environment))
    return inCluster({ environment, clock, read });
  return kubeconfig({ paths: paths.length === 0 ? [join(homeDirectory, '.kube', 'config')] : paths, context, read });
}

function pathsOf(variable: string | undefined): readonly string[] {
  return (variable ?? '').split(delimiter).filter((path) => path !== '');
}
