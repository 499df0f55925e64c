// A server that listens, with actors on it, and the programs that talk to it.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createApiServer, startActors } from '@pawl/kube-api';
import type { ActorOptions, ApiServer } from '@pawl/kube-api';
import type { Ended, Running, RunOptions } from './run.ts';
import { start, succeed } from './run.ts';
import { tools } from './tools.ts';

/** A cluster for one test file. The arguments of a program are one text; single quotes hold blanks together. */
export interface Cluster {
  readonly server: ApiServer;
  /** An empty folder for the test's own files, in which the programs run. */
  readonly folder: string;
  /** Runs kubectl; its standard output. @throws with both outputs if it fails. */
  readonly kubectl: (args: string, options?: Omit<RunOptions, 'folder'>) => Promise<string>;
  /** Runs kubectl, whatever comes of it. */
  readonly tryKubectl: (args: string, options?: Omit<RunOptions, 'folder'>) => Promise<Ended>;
  /** Starts kubectl and leaves it running. It ends with the cluster at the latest. */
  readonly startKubectl: (args: string) => Running;
  /** Runs helm; its standard output. @throws with both outputs if it fails. */
  readonly helm: (args: string) => Promise<string>;
  readonly close: () => Promise<void>;
}

/** Starts a cluster. Pods take `podReadyAfterMs` (default 0) to get ready. */
export async function startCluster({ podReadyAfterMs = 0 } = {}): Promise<Cluster> {
  const programs = await tools();
  const folder = await mkdtemp(join(tmpdir(), 'pawl-kubectl-'));
  const server = createApiServer();
  const actors = startActors(server, { clock, podReadyAfterMs });
  await actors.idle();
  const { kubeconfig } = await server.listen();
  const path = join(folder, 'kubeconfig');
  await writeFile(path, JSON.stringify(kubeconfig));
  const options = (more: Omit<RunOptions, 'folder'> = {}): RunOptions => ({
    ...more,
    folder,
    env: { KUBECONFIG: path, ...more.env },
  });
  const running: Running[] = [];
  return {
    server,
    folder,
    kubectl: (args, more) => succeed(programs.kubectl, args, options(more)),
    tryKubectl: (args, more) => start(programs.kubectl, args, options(more)).ended,
    startKubectl: (args) => {
      const started = start(programs.kubectl, args, options());
      running.push(started);
      return started;
    },
    helm: (args) => succeed(programs.helm, args, options()),
    close: async () => {
      for (const { process } of running) process.kill('SIGKILL');
      await actors.stop();
      server.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

const clock: ActorOptions['clock'] = {
  now: Date.now,
  setTimer: (ms, callback) => {
    const timer = setTimeout(callback, ms);
    return () => clearTimeout(timer);
  },
};
