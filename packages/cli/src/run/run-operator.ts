// The operator process: reads its settings, starts the operator, waits until it is asked to stop.
import { dirname, join, resolve } from 'node:path';
import {
  connect,
  createLogger,
  createOperator,
  loadPackages,
  openTelemetryTracer,
  operatorConfig,
  systemClock,
  systemRandom,
  Watchdog,
  type HttpTransport,
  type Operator,
  type OperatorConfig,
  type Tracer,
} from '@pawl/operator';
import type { Logger } from '@pawl/reconciler';
import type { ProcedurePackage } from '@pawl/reconciler/kubernetes';
import { parse } from 'yaml';
import { FaultList } from '../fault-list.ts';
import { faultsOf } from '../input-error.ts';
import type { Ports } from '../ports.ts';
import { readSettings, type RunFlags } from './run-settings.ts';
import { leaveMessage, terminationPath } from './termination.ts';

/** After the work in flight there are Events to write, a Lease to release and connections to close. */
const LAST_STEPS_MS = 5_000;

interface Prepared {
  readonly packages: readonly ProcedurePackage[];
  readonly config: OperatorConfig;
  readonly transport: HttpTransport;
  readonly log: Logger;
  readonly tracer: Tracer;
}

/**
 * Runs an operator until the process is asked to stop, and answers the exit code: 0 if it was asked to, 1 if it may not or
 * cannot go on. In the latter case, and if it throws, a termination message says what to do.
 *
 * @throws {InputError} with every fault of flags, environment, file, packages and API server
 */
export async function runOperator(flags: RunFlags, ports: Ports): Promise<number> {
  try {
    return await run(await prepare(flags, ports), flags, ports);
  } catch (error) {
    const faults = faultsOf(error);
    await leaveMessage(
      faults === undefined
        ? [`The operator cannot go on: ${textOf(error)}`, 'It is started again; if that does not help, see its log.']
        : ['The operator was not started. Correct these settings:', ...faults],
      ports,
    );
    throw error;
  }
}

async function prepare(flags: RunFlags, ports: Ports): Promise<Prepared> {
  const { environment } = ports;
  const faults = new FaultList();
  const { file, folder } = await readConfigFile(flags.config ?? environment['PAWL_CONFIG'], ports, faults);
  const { PAWL_CONFIG: _, ...variables } = environment;
  const { settings, faults: found, strayVariables } = readSettings(flags, file, variables);
  faults.add(...found);
  const { procedures, proceduresAreFromFile, connection, logLevel } = settings;
  const from = proceduresAreFromFile ? folder : ports.workingFolder;
  const packages = procedures.length === 0 ? [] : await faults.during(() => loadPackages(procedures, from));
  // An operator that nobody named is named after its first package; without one, that is the fault to tell.
  const operatorName = packages?.[0]?.name ?? 'unnamed';
  const podName = environment['POD_NAME'] ?? environment['HOSTNAME'];
  const { POD_NAMESPACE: podNamespace, POD_UID: podUid } = environment;
  const config = await faults.during(() => operatorConfig({ operatorName, podName, podNamespace, podUid, ...settings.operator }));
  const transport = await faults.during(() =>
    connect(connection, { environment, homeDirectory: ports.homeFolder, clock: systemClock }),
  );
  faults.throwIfAny();
  // Whatever is missing has left a fault.
  if (packages === undefined || config === undefined || transport === undefined) throw new Error('no settings');
  const { operatorName: service, release, podName: pod } = config;
  const log = createLogger({
    level: logLevel,
    // Lines about objects name a version of their own.
    bindings: { service, release, pod },
    destination: { write: ports.terminal.write },
  });
  if (strayVariables.length > 0) log.warn({ variables: strayVariables }, 'variables look like settings and are none');
  return { packages, config, transport, log, tracer: await openTelemetryTracer() };
}

async function run({ packages, config, transport, log, tracer }: Prepared, flags: RunFlags, ports: Ports): Promise<number> {
  const watchdog = watchdogOf(config, ports);
  const operator = createOperator(config, packages, { transport, clock: systemClock, random: systemRandom, log, watchdog, tracer });
  const listening = [ports.onCrash((error) => void crashed(error, log, ports))];
  const asked = new Promise<'asked'>((end) => {
    listening.push(ports.onStop(() => end('asked')));
    if (flags.stopWithStdin === true) listening.push(ports.onInputEnd(() => end('asked')));
  });
  const lost = operator.lost.then((reason) => ({ reason }));
  try {
    const started = operator.start().then(() => Promise.race([asked, lost]));
    const why = await Promise.race([started, asked, lost]);
    if (why === 'asked') return await stopped(operator, config, log, ports);
    log.error(why, 'this process may not act any more: it ends, and another one has to begin');
    await leaveMessage([`Another replica acts now, or could: ${why.reason}`, 'Nothing is to be done: this process is started again.'], ports);
    await stopped(operator, config, log, ports);
    return 1;
  } catch (error) {
    log.error({ err: error }, 'the operator cannot go on');
    await stopped(operator, config, log, ports);
    throw error;
  } finally {
    await transport.close();
    for (const stopListening of listening) stopListening();
  }
}

/** A promise of an Action that nobody awaits, as a rule. What else is wrong after that nobody knows: the process ends. */
async function crashed(error: unknown, log: Logger, ports: Ports): Promise<void> {
  log.error({ err: error }, 'an error was thrown where nobody waits for it: the process ends');
  const stack = error instanceof Error && error.stack !== undefined ? error.stack.split('\n').slice(0, 8) : [textOf(error)];
  await leaveMessage(
    ['An error was thrown where nobody waits for it, as by a promise that an Action does not await:', ...stack, 'The process is started again; correct the place that the stack names.'],
    ports,
  );
  ports.exit(1);
}

/** Its report lies where the next process of the same pod finds it. */
function watchdogOf({ watchdogMs, operatorName, release, podName }: OperatorConfig, ports: Ports): Watchdog | undefined {
  if (watchdogMs === 0) return undefined;
  return new Watchdog({
    limitMs: watchdogMs,
    release,
    reportFile: join(ports.environment['TMPDIR'] ?? '/tmp', `pawl-${operatorName}-blocked.json`),
    terminationFile: terminationPath(ports),
    bindings: { service: operatorName, release, pod: podName },
    clock: systemClock,
  });
}

/** Stops within the time for work in flight and a few seconds more; the exit code is 1 if that was not enough. */
async function stopped(operator: Operator, { shutdownMs }: OperatorConfig, log: Logger, ports: Ports): Promise<0 | 1> {
  let cancel = (): void => {};
  const late = new Promise<1>((resolve) => {
    cancel = systemClock.setTimer(shutdownMs + LAST_STEPS_MS, () => resolve(1));
  });
  const code = await Promise.race([operator.stop().then(() => 0 as const), late]);
  cancel();
  if (code === 0) return code;
  log.error({ shutdownMs }, 'stopping takes too long and is given up');
  await leaveMessage(
    [
      `Work in flight did not end within ${shutdownMs} ms and was given up; the next process goes on with it.`,
      'If this happens often, raise shutdownMs and, with it, terminationGracePeriodSeconds of the pod.',
    ],
    ports,
  );
  // Whatever does not end would keep the process from ending. The Lease is not let go of: it runs out.
  ports.exit(code);
  return code;
}

async function readConfigFile(
  path: string | undefined,
  ports: Pick<Ports, 'files' | 'workingFolder'>,
  faults: FaultList,
): Promise<{ readonly file: unknown; readonly folder: string }> {
  if (path === undefined) return { file: undefined, folder: ports.workingFolder };
  const full = resolve(ports.workingFolder, path);
  try {
    return { file: parse(await ports.files.read(full)) as unknown, folder: dirname(full) };
  } catch (error) {
    const [reason = ''] = textOf(error).split('\n');
    faults.add(`--config: found ${path}, which cannot be read (${reason}); allowed is a YAML file with settings`);
    return { file: undefined, folder: dirname(full) };
  }
}

const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
