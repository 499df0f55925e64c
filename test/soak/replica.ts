// One operator process of a soak: started with a token of its own and a Lease that changes hands quickly.
import { spawn, type ChildProcess } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const MAIN = fileURLToPath(new URL('../../packages/cli/src/main.ts', import.meta.url));

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

export class ReplicaProcess {
  readonly name: string;
  readonly module: string;
  readonly ended: Promise<string>;
  readonly #process: ChildProcess;
  /** The last of what it wrote. */
  output = '';

  constructor({ name, module, url, folder }: ReplicaOptions) {
    this.name = name;
    this.module = module;
    const kubeconfig = join(folder, `${name}.json`);
    writeFileSync(kubeconfig, JSON.stringify(kubeconfigFor(url, name)));
    const flags = ['run', '--name', 'website', '--package', module, '--kubeconfig', kubeconfig, '--lease-namespace', 'default', '--pod-name', name];
    this.#process = spawn(process.execPath, ['--conditions=@pawl/source', MAIN, ...flags], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, ...SETTINGS },
    });
    const keep = (chunk: Buffer): void => {
      this.output = (this.output + chunk.toString()).slice(-6_000);
    };
    this.#process.stdout?.on('data', keep);
    this.#process.stderr?.on('data', keep);
    this.ended = new Promise((resolve) => {
      this.#process.once('exit', (code, signal) => resolve(signal ?? `exit code ${code ?? 'unknown'}`));
    });
  }

  get isRunning(): boolean {
    return this.#process.exitCode === null && this.#process.signalCode === null;
  }

  /** `kill -9`; resolves when the process is gone. */
  kill = async (): Promise<void> => {
    this.#process.kill('SIGKILL');
    await this.ended;
  };

  /** SIGTERM; answers how the process ended. */
  stop = (): Promise<string> => {
    this.#process.kill('SIGTERM');
    return this.ended;
  };
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
