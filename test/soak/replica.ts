// One operator process of a soak: started with a token of its own and a Lease that changes hands quickly.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PawlProcess } from '../e2e/pawl-process.ts';

/** Short, but safe against each other. */
const SETTINGS = {
  PAWL_LEASE_DURATION_MS: '8000',
  PAWL_RENEW_DEADLINE_MS: '4500',
  PAWL_RETRY_PERIOD_MS: '1000',
  PAWL_REQUEST_TIMEOUT_MS: '2500',
  PAWL_SKEW_MS: '1000',
  PAWL_MAX_OPEN_PERCENT: '25',
  PAWL_RESYNC_MS: '60000',
};

export interface ReplicaOptions {
  /** Also the token that it sends. */
  readonly name: string;
  /** Path of the package's module. */
  readonly module: string;
  readonly url: string;
  /** Where its kubeconfig is written. */
  readonly folder: string;
}

export class ReplicaProcess extends PawlProcess {
  readonly name: string;
  readonly module: string;

  constructor({ name, module, url, folder }: ReplicaOptions) {
    const kubeconfig = join(folder, `${name}.json`);
    writeFileSync(kubeconfig, JSON.stringify(kubeconfigFor(url, name)));
    const flags = ['--kubeconfig', kubeconfig, '--lease-namespace', 'default', '--pod-name', name];
    super(['run', '--name', 'website', '--package', module, ...flags], SETTINGS);
    this.name = name;
    this.module = module;
  }
}

function kubeconfigFor(server: string, token: string): object {
  return {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'soak', cluster: { server } }],
    users: [{ name: 'soak', user: { token } }],
    contexts: [{ name: 'soak', context: { cluster: 'soak', user: 'soak', namespace: 'default' } }],
    'current-context': 'soak',
  };
}
