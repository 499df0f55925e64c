// The current context of KUBECONFIG as an address and credentials.
import { readFileSync } from 'node:fs';
import { KubeConfig } from '@kubernetes/client-node';
import type { Credentials } from '../../control-plane/connect.ts';

/** @throws when KUBECONFIG has no current context; credentials must be a token or a client certificate. */
export function fromKubeconfig(): { readonly url: string; readonly credentials: Credentials } {
  const config = new KubeConfig();
  config.loadFromDefault();
  const cluster = config.getCurrentCluster();
  const user = config.getCurrentUser();
  if (cluster === null || user === null)
    throw new Error('KUBECONFIG: found no current context with a cluster and a user');
  const credentials = {
    ca: pem(cluster.caData, cluster.caFile),
    cert: pem(user.certData, user.certFile),
    key: pem(user.keyData, user.keyFile),
    token: user.token,
  };
  const known = Object.entries(credentials).filter(([, value]) => value !== undefined);
  return { url: cluster.server, credentials: Object.fromEntries(known) };
}

function pem(data: string | undefined, file: string | undefined): string | undefined {
  if (data !== undefined) return Buffer.from(data, 'base64').toString('utf8');
  return file === undefined ? undefined : readFileSync(file, 'utf8');
}
