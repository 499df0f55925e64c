// The operator process: reads its settings, starts the operator, waits until it is asked to stop.
import { dirname, resolve } from 'node:path';
import { connect, createOperator, loadPackages, operatorConfig, systemClock, systemRandom } from '@pawl/operator';
import { parse } from 'yaml';
import { FaultList } from '../fault-list.ts';
import type { Ports } from '../ports.ts';
import { jsonLog } from './json-log.ts';
import { readSettings, type RunFlags } from './run-settings.ts';

/**
 * Runs an operator until the process is asked to stop, and answers the exit code: 1 if another process took over.
 * @throws {InputError} with every fault of flags, file, packages and API server
 */
export async function runOperator(flags: RunFlags, ports: Ports): Promise<number> {
  const faults = new FaultList();
  const { file, folder } = await readConfigFile(flags.config, ports, faults);
  const { settings, faults: found } = readSettings(flags, file);
  faults.add(...found);
  const { procedures, connection, logLevel } = settings;
  const packages = procedures.length === 0 ? [] : await faults.during(() => loadPackages(procedures, folder));
  // An operator that nobody named is named after its first package; without one, that is the fault to tell.
  const named = { operatorName: packages?.[0]?.name ?? 'unnamed', podName: ports.environment['POD_NAME'] };
  const config = await faults.during(() => operatorConfig({ ...named, ...settings.operator }));
  const transport = await faults.during(() =>
    connect(connection, { environment: ports.environment, homeDirectory: ports.homeFolder, clock: systemClock }),
  );
  faults.throwIfAny();
  if (packages === undefined || config === undefined || transport === undefined) return 1;

  const log = jsonLog(logLevel, ports.terminal.write, systemClock.now);
  const operator = createOperator(config, packages, { transport, clock: systemClock, random: systemRandom, log });
  const listening: (() => void)[] = [];
  const asked = new Promise<void>((end) => {
    listening.push(ports.onStop(end));
    if (flags.stopWithStdin === true) listening.push(ports.onInputEnd(end));
  });
  const lost = operator.lost.then((reason) => {
    log.error({ reason }, 'this process may not act any more: it ends, and another one has to begin');
    return 1;
  });
  const ended = Promise.race([asked.then(() => 0), lost]);
  await Promise.race([operator.start(), ended]);
  const exitCode = await ended;
  await operator.stop();
  await transport.close();
  for (const stopListening of listening) stopListening();
  return exitCode;
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
    const [reason = ''] = error instanceof Error ? error.message.split('\n') : [String(error)];
    faults.add(`--config: found ${path}, which cannot be read (${reason}); allowed is a YAML file with settings`);
    return { file: undefined, folder: dirname(full) };
  }
}
