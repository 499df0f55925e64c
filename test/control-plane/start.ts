// Starts a real control plane on this machine: etcd, kube-apiserver and, where there is one, kube-controller-manager.
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { readFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findBinaries, howToGetBinaries } from './binaries.ts';
import type { Binaries } from './binaries.ts';
import { connect } from './connect.ts';
import type { Credentials } from './connect.ts';
import { freePorts } from './free-ports.ts';
import { layOut } from './layout.ts';
import type { Layout } from './layout.ts';

export interface StartOptions {
  /** Default: `findBinaries()`. */
  readonly binaries?: Binaries;
  /** More flags of kube-apiserver, such as `--feature-gates=...`. */
  readonly apiServerFlags?: readonly string[];
  /** False leaves the controller manager out. Default: it runs if there is one. */
  readonly controllers?: boolean;
  /** How long the start may take in all. Default 120 s. */
  readonly timeoutMs?: number;
}

/** A control plane that runs until `stop()`. */
export interface ControlPlane {
  /** Such as `https://127.0.0.1:34567`. */
  readonly url: string;
  /** Base URL of etcd, which answers JSON under `/v3/`. */
  readonly etcdUrl: string;
  /** Path of a kubeconfig whose user may do everything. It disappears with `stop()`. */
  readonly kubeconfig: string;
  /** A user who may do everything. */
  readonly admin: Credentials;
  /** A user without any right. */
  readonly nobody: Credentials;
  /** `/version` of the server, such as `v1.35.4`. */
  readonly version: string;
  readonly hasControllers: boolean;
  /** The last lines that each program logged. */
  readonly logs: () => Promise<string>;
  /** False stops etcd in its tracks, so that nothing can be read or written; true lets it go on. */
  readonly setStorage: (running: boolean) => Promise<void>;
  /** Ends all programs and removes their data. */
  readonly stop: () => Promise<void>;
}

/**
 * Starts a control plane with RBAC on free loopback ports and waits until it is ready. The data lies in a temporary
 * folder; everything ends with `stop()`, with the calling process, or when a start fails.
 *
 * @throws with the programs' last log lines when the start does not succeed in time.
 */
export async function startControlPlane(options: StartOptions = {}): Promise<ControlPlane> {
  const binaries = options.binaries ?? findBinaries();
  if (binaries === undefined) throw new Error(`There is no control plane here: ${howToGetBinaries}.`);
  for (let attempt = 1; ; attempt++) {
    try {
      return await startOnce(binaries, options);
    } catch (error) {
      // A port that was free may be taken by somebody else before the program listens on it.
      if (attempt === 3 || !String(error).includes('address already in use')) throw error;
    }
  }
}

async function startOnce(binaries: Binaries, options: StartOptions): Promise<ControlPlane> {
  const folder = await mkdtemp(join(tmpdir(), 'pawl-control-plane-'));
  let keeper: ChildProcess | undefined;
  try {
    const ports = await freePorts(3);
    const layout = await layOut(folder, ports, binaries, options);
    keeper = spawn(process.execPath, [join(import.meta.dirname, 'keeper.ts'), layout.plan], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    return await whenReady(layout, keeper, options.timeoutMs ?? 120_000);
  } catch (error) {
    const logs = await logsIn(folder);
    await end(keeper, folder);
    throw new Error(`The control plane did not start: ${String(error)}\n${logs}`, { cause: error });
  }
}

async function whenReady(layout: Layout, keeper: ChildProcess, timeoutMs: number): Promise<ControlPlane> {
  const deadline = performance.now() + timeoutMs;
  const wait = async (): Promise<void> => {
    if (keeper.exitCode !== null) throw new Error('a program ended early');
    if (performance.now() > deadline) throw new Error(`it was not ready after ${String(timeoutMs / 1000)} s`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  };
  const last = layout.hasControllers
    ? '/api/v1/namespaces/default/serviceaccounts/default'
    : '/api/v1/namespaces/default';
  for (const path of ['/readyz', last]) while (!(await answers(layout, path))) await wait();
  const ca = await readFile(layout.servingCertificate, 'utf8');
  const admin = { token: layout.adminToken, ca };
  return {
    url: layout.url,
    etcdUrl: layout.etcdUrl,
    kubeconfig: layout.kubeconfig,
    admin,
    nobody: { token: layout.nobodyToken, ca },
    version: await versionOf(layout.url, admin),
    hasControllers: layout.hasControllers,
    logs: () => logsIn(layout.folder),
    setStorage: (running) => signal(keeper, `${running ? 'SIGCONT' : 'SIGSTOP'} etcd\n`),
    stop: () => end(keeper, layout.folder),
  };
}

async function answers(layout: Layout, path: string): Promise<boolean> {
  const ca = await readFile(layout.servingCertificate, 'utf8').catch(() => '');
  if (ca === '') return false;
  const connection = connect(layout.url, { token: layout.adminToken, ca });
  try {
    return (await connection.request({ method: 'GET', path })).status === 200;
  } catch {
    return false;
  } finally {
    await connection.close();
  }
}

async function versionOf(url: string, credentials: Credentials): Promise<string> {
  const connection = connect(url, credentials);
  try {
    const { body } = await connection.request({ method: 'GET', path: '/version' });
    return String((body as { gitVersion?: unknown }).gitVersion);
  } finally {
    await connection.close();
  }
}

/** Gives the keeper an order and waits until it is done. */
async function signal(keeper: ChildProcess, order: string): Promise<void> {
  const done = new Promise((resolve) => keeper.stdout?.once('data', resolve));
  keeper.stdin?.write(order);
  await done;
}

async function end(keeper: ChildProcess | undefined, folder: string): Promise<void> {
  if (keeper !== undefined && keeper.exitCode === null && keeper.signalCode === null) {
    const ended = new Promise((resolve) => keeper.once('exit', resolve));
    keeper.stdin?.end();
    await ended;
  }
  await rm(folder, { recursive: true, force: true });
}

async function logsIn(folder: string): Promise<string> {
  const texts = ['etcd', 'kube-apiserver', 'kube-controller-manager'].map(async (name) => {
    const text = await readFile(join(folder, `${name}.log`), 'utf8').catch(() => '');
    return text === '' ? '' : `--- ${name}\n${text.split('\n').slice(-15).join('\n')}`;
  });
  return (await Promise.all(texts)).join('\n');
}
