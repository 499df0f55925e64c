// Work in a thread of its own, from outside: whoever hangs or allocates without bound ends that thread and nothing else.
import { Worker } from 'node:worker_threads';
import { InputError } from '../input-error.ts';
import type { Ports } from '../ports.ts';

/** What a thread tells: where it is, how it goes, and what came of it. */
export type ThreadMessage<T> =
  | { readonly says: 'runs'; readonly plan: string }
  /** Where the number of the Action stands that runs; 0: none does. */
  | { readonly says: 'acts'; readonly board: Int32Array }
  | { readonly says: 'names'; readonly number: number; readonly action: string }
  | { readonly says: 'progress'; readonly text: string }
  | { readonly says: 'ended'; readonly result: T }
  | { readonly says: 'failed'; readonly faults: readonly string[] };

/** A run takes milliseconds: one that takes so long hangs. */
const SILENCE_MS = 60_000;
const MEMORY_MB = 2_048;

export interface ThreadOptions {
  /** The module that is run, without its extension, and the URL that it is relative to. */
  readonly module: string;
  readonly base: string;
  /** Plain data for it. */
  readonly settings: unknown;
  /** Where a person watches, how it goes is shown. */
  readonly isWatched: boolean;
}

/**
 * Runs a module in a thread until it has ended.
 * @returns what it answered
 * @throws {InputError} with what it complained about, or where it was when it fell silent
 */
export async function runInThread<T>(options: ThreadOptions, ports: Ports): Promise<T> {
  const { threadMemoryMb: memoryMb = MEMORY_MB } = ports;
  const worker = startWorker(options, memoryMb);
  const ended = Promise.withResolvers<ThreadMessage<T>>();
  let running = 'the first run';
  let board: Int32Array | undefined;
  const names = new Map<number, string>();
  const acting = (): string | undefined => (board === undefined ? undefined : names.get(Atomics.load(board, 0)));
  let cancel = (): void => {};
  const fails = (says: string): void => ended.resolve({ says: 'failed', faults: [`${says} in: ${running}`] });
  const alive = (): void => {
    cancel();
    cancel = ports.clock.setTimer(SILENCE_MS, () => fails(`${acting() ?? 'an Action'} hangs, and the whole process with it,`));
  };
  alive();
  worker.on('message', (message: ThreadMessage<T>) => {
    alive();
    if (message.says === 'runs') running = message.plan;
    else if (message.says === 'acts') ({ board } = message);
    else if (message.says === 'names') names.set(message.number, message.action);
    else if (message.says === 'progress') showProgress(message.text, options, ports);
    else ended.resolve(message);
  });
  worker.on('error', (error: Error & { readonly code?: string }) =>
    fails(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? `${acting() ?? 'an Action'} allocates more than ${memoryMb} MB,` : `${error.message},`),
  );
  worker.on('exit', () => fails('the process was ended from within,'));
  const message = await ended.promise;
  cancel();
  await worker.terminate();
  if (options.isWatched && ports.terminal.isInteractive) ports.terminal.write('\r');
  if (message.says !== 'ended') throw new InputError(message.says === 'failed' ? message.faults : []);
  return message.result;
}

/** From a checkout the sources are run, as everything else is. */
function startWorker({ module, base, settings }: ThreadOptions, memoryMb: number): Worker {
  const isSource = base.endsWith('.ts');
  return new Worker(new URL(`${module}${isSource ? '.ts' : '.js'}`, base), {
    workerData: settings,
    resourceLimits: { maxOldGenerationSizeMb: memoryMb },
    ...(isSource ? { execArgv: ['--conditions=@pawl/source'] } : {}),
  });
}

function showProgress(text: string, { isWatched }: ThreadOptions, { terminal }: Ports): void {
  if (isWatched && terminal.isInteractive) terminal.write(`\r${text.slice(0, terminal.columns() - 1).padEnd(terminal.columns() - 1)}`);
}
