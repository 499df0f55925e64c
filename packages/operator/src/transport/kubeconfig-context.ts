// Choosing a context of a kubeconfig, with errors that say what there is to choose from.
import type { KubeConfig } from '@kubernetes/client-node';
import { checkServer } from './credentials.ts';
import { checkProxy } from './proxy.ts';

/**
 * Makes a context the current one and checks that everything it names is there.
 *
 * @param wanted default: the current context of the file
 * @param where how messages call the file
 */
export function chooseContext(config: KubeConfig, wanted: string | undefined, where: string): void {
  const contexts = `it has ${namesOf('context', config.contexts)}`;
  const name = wanted ?? config.currentContext;
  if (typeof name !== 'string' || name === '')
    throw new Error(`${where}: current-context is missing, and no context was asked for; ${contexts}`);
  const context = config.contexts.find((candidate) => candidate.name === name);
  if (context === undefined) {
    const field = wanted === undefined ? 'current-context names' : 'the context asked for is';
    throw new Error(`${where}: ${field} "${name}", which is not there; ${contexts}`);
  }
  const cluster = config.clusters.find((candidate) => candidate.name === context.cluster);
  if (cluster === undefined)
    throw new Error(
      `${where}: context "${name}" names cluster "${context.cluster}", which is not there; ` +
        `it has ${namesOf('cluster', config.clusters)}`,
    );
  const server = checkServer(`${where}: server of cluster "${cluster.name}"`, cluster.server);
  if (cluster.proxyUrl !== undefined) checkProxy(`${where}: proxy-url of cluster "${cluster.name}"`, String(cluster.proxyUrl));
  // client-node refuses plain HTTP that is to be verified; there is nothing to verify.
  const skipTLSVerify = cluster.skipTLSVerify || server.startsWith('http:');
  const user = userOf(config, name, context.user, where);
  config.loadFromOptions({
    clusters: [{ ...cluster, server, skipTLSVerify }],
    users: [user],
    contexts: [{ ...context, user: user.name }],
    currentContext: name,
  });
}

/** A context need not name a user; client-node would then leave out the server's CA, too. */
function userOf(
  config: KubeConfig,
  context: string,
  name: string | undefined,
  where: string,
): { readonly name: string } {
  if (name === undefined || name === '') return { name: 'nobody' };
  const user = config.users.find((candidate) => candidate.name === name);
  if (user === undefined)
    throw new Error(
      `${where}: context "${context}" names user "${name}", which is not there; ` +
        `it has ${namesOf('user', config.users)}`,
    );
  return user;
}

function namesOf(what: string, entries: readonly { readonly name: string }[]): string {
  if (entries.length === 0) return `no ${what}s`;
  return `the ${what}s ${entries.map(({ name }) => name).join(', ')}`;
}
