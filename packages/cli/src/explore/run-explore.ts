// `pawl explore`: starts the exploring thread, shows how it goes, and ends it if it falls silent.
import { join, resolve } from 'node:path';
import { Worker } from 'node:worker_threads';
import { InputError } from '../input-error.ts';
import type { Ports } from '../ports.ts';
import { exploreSettings, type ExploreFlags, type ExploreSettings } from './explore-settings.ts';
import type { WorkerMessage } from './worker.ts';

export type { ExploreFlags } from './explore-settings.ts';

/** A run takes milliseconds: one that takes so long hangs. */
const SILENCE_MS = 60_000;
const MEMORY_MB = 2_048;

/**
 * @returns 0 if nothing was found, 1 otherwise
 * @throws {InputError} for bad flags, packages and objects
 */
export async function runExplore(flags: ExploreFlags, ports: Ports): Promise<number> {
  const settings = await exploreSettings(flags, ports);
  const worker = startWorker(settings);
  const ended = Promise.withResolvers<WorkerMessage>();
  let running = 'the first run';
  let cancel = (): void => {};
  const hangs = (): void => ended.resolve({ says: 'failed', faults: [`an Action hangs, and the whole process with it, in: ${running}`] });
  const alive = (): void => {
    cancel();
    cancel = ports.clock.setTimer(SILENCE_MS, hangs);
  };
  alive();
  worker.on('message', (message: WorkerMessage) => {
    alive();
    if (message.says === 'runs') running = message.plan;
    else if (message.says === 'progress') showProgress(message.text, settings.output, ports);
    else ended.resolve(message);
  });
  worker.on('error', (error: Error & { readonly code?: string }) => {
    const isMemory = error.code === 'ERR_WORKER_OUT_OF_MEMORY';
    ended.resolve({ says: 'failed', faults: [isMemory ? `more than ${MEMORY_MB} MB were allocated in: ${running}` : `${error.message}, in: ${running}`] });
  });
  worker.on('exit', () => ended.resolve({ says: 'failed', faults: [`the process was ended from within, in: ${running}`] }));
  const message = await ended.promise;
  cancel();
  await worker.terminate();
  return conclude(message, flags, ports);
}

/** From a checkout the sources are run, as everything else is. */
function startWorker(settings: ExploreSettings): Worker {
  const isSource = import.meta.url.endsWith('.ts');
  return new Worker(new URL(isSource ? './worker.ts' : './worker.js', import.meta.url), {
    workerData: settings,
    resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
    ...(isSource ? { execArgv: ['--conditions=@pawl/source'] } : {}),
  });
}

function showProgress(text: string, output: string, { terminal }: Ports): void {
  if (output === 'text' && terminal.isInteractive) terminal.write(`\r${text.slice(0, terminal.columns() - 1).padEnd(terminal.columns() - 1)}`);
}

async function conclude(message: WorkerMessage, flags: ExploreFlags, ports: Ports): Promise<number> {
  if (message.says === 'failed') throw new InputError(message.faults);
  if (message.says !== 'ended') return 1;
  if (ports.terminal.isInteractive && flags.output === undefined) ports.terminal.write('\r');
  ports.terminal.write(message.text);
  for (const [index, plan] of message.plans.entries()) {
    const file = join(flags.save, `pawl-failure-${index + 1}.json`);
    await ports.files.write(resolve(ports.workingFolder, file), `${JSON.stringify(plan, null, 2)}\n`);
    if (flags.output === undefined) ports.terminal.write(`replay: ${replayCommand(flags, file)}\n`);
  }
  return message.isFine ? 0 : 1;
}

function replayCommand({ package: name, filename, edit = [] }: ExploreFlags, file: string): string {
  const objects = filename === undefined ? [] : ['-f', filename];
  return ['pawl explore --package', name, ...objects, ...edit.flatMap((each) => ['--edit', each]), '--replay', file].join(' ');
}
