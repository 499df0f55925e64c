// What an operating verb works with: the packages of the operator, and a client of the cluster.
import { dirname, resolve } from 'node:path';
import { connect, Inspector, KubeClient, loadPackages, systemClock, systemRandom } from '@pawl/operator';
import type { ProcedurePackage } from '@pawl/reconciler/kubernetes';
import { parse } from 'yaml';
import { FaultList } from '../fault-list.ts';
import type { Ports } from '../ports.ts';

/** Flags that say which packages and which cluster. */
export interface SessionFlags {
  readonly config?: string;
  readonly package?: readonly string[];
  readonly server?: string;
  readonly kubeconfig?: string;
  readonly context?: string;
}

export interface Session {
  readonly packages: readonly ProcedurePackage[];
  readonly client: KubeClient;
  readonly inspector: Inspector;
  readonly close: () => Promise<void>;
}

const SILENT = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

/**
 * The packages named by flags, or by the file that the operator is configured with.
 * @throws {InputError} with every fault
 */
export async function loadNamedPackages(flags: SessionFlags, ports: Ports): Promise<readonly ProcedurePackage[]> {
  const faults = new FaultList();
  const { names, folder } = await packageNames(flags, ports, faults);
  if (names.length === 0)
    faults.add('--package: found nothing; allowed is a package of the operator, or --config with its configuration');
  faults.throwIfAny();
  const packages = await faults.during(() => loadPackages(names, folder));
  faults.throwIfAny();
  return packages ?? [];
}

/**
 * Opens a session. Nothing is asked of the cluster yet.
 * @throws {InputError} with every fault of flags, packages and kubeconfig
 */
export async function openSession(flags: SessionFlags, ports: Ports): Promise<Session> {
  const packages = await loadNamedPackages(flags, ports);
  const surroundings = { environment: ports.environment, homeDirectory: ports.homeFolder, clock: systemClock };
  const transport = await connect(flags, surroundings);
  const client = new KubeClient({ transport, clock: systemClock, random: systemRandom, userAgent: 'pawl-cli' });
  const inspector = new Inspector({ packages, client, clock: systemClock, random: systemRandom, log: SILENT });
  return { packages, client, inspector, close: transport.close };
}

async function packageNames(
  { config, package: named }: SessionFlags,
  ports: Ports,
  faults: FaultList,
): Promise<{ readonly names: readonly string[]; readonly folder: string }> {
  if (named !== undefined) return { names: named, folder: ports.workingFolder };
  if (config === undefined) return { names: [], folder: ports.workingFolder };
  const path = resolve(ports.workingFolder, config);
  const file = await faults.during(async () => parse(await ports.files.read(path)) as { readonly procedures?: unknown });
  const names = Array.isArray(file?.procedures) ? file.procedures.filter((name) => typeof name === 'string') : [];
  return { names, folder: dirname(path) };
}
