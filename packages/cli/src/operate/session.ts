// What an operating verb works with: the packages of the operator, and a client of the cluster.
import { dirname, resolve } from 'node:path';
import {
  connect,
  Inspector,
  KubeClient,
  loadPackages,
  operatorConfig,
  systemClock,
  systemRandom,
  type OperatorConfig,
} from '@pawl/operator';
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
  return (await loadConfigured(flags, ports)).packages;
}

type Settings = Pick<OperatorConfig, 'openKinds' | 'external'>;

/** The packages, and what the operator's configuration tells them. */
async function loadConfigured(
  flags: SessionFlags,
  ports: Ports,
): Promise<{ readonly packages: readonly ProcedurePackage[]; readonly settings: Settings }> {
  const faults = new FaultList();
  const { names, folder, openKinds, external } = await configured(flags, ports, faults);
  if (names.length === 0)
    faults.add('--package: found nothing; allowed is a package of the operator, or --config with its configuration');
  faults.throwIfAny();
  const packages = await faults.during(() => loadPackages(names, folder));
  const settings = await faults.during(() => operatorConfig({ operatorName: 'inspected', openKinds, external }));
  faults.throwIfAny();
  return { packages: packages ?? [], settings: settings ?? { openKinds: {}, external: {} } };
}

/**
 * Opens a session. Nothing is asked of the cluster yet.
 * @throws {InputError} with every fault of flags, packages and kubeconfig
 */
export async function openSession(flags: SessionFlags, ports: Ports): Promise<Session> {
  const { packages, settings: config } = await loadConfigured(flags, ports);
  const surroundings = { environment: ports.environment, homeDirectory: ports.homeFolder, clock: systemClock };
  const transport = await connect(flags, surroundings);
  const client = new KubeClient({ transport, clock: systemClock, random: systemRandom, userAgent: 'pawl-cli' });
  const inspector = new Inspector({ packages, client, clock: systemClock, random: systemRandom, log: SILENT, config });
  return { packages, client, inspector, close: transport.close };
}

interface Configured {
  readonly names: readonly string[];
  readonly folder: string;
  readonly openKinds: unknown;
  readonly external: unknown;
}

/** Flags name packages; the file may do so too, and says what only the configuration can say. */
async function configured({ config, package: named }: SessionFlags, ports: Ports, faults: FaultList): Promise<Configured> {
  const { workingFolder, files } = ports;
  if (config === undefined) return { names: named ?? [], folder: workingFolder, openKinds: {}, external: {} };
  const path = resolve(workingFolder, config);
  const file = await faults.during(async () => parse(await files.read(path)) as Readonly<Record<string, unknown>> | null);
  const { procedures, openKinds = {}, external = {} } = file ?? {};
  const listed = Array.isArray(procedures) ? procedures.filter((name) => typeof name === 'string') : [];
  return { names: named ?? listed, folder: named === undefined ? dirname(path) : workingFolder, openKinds, external };
}
