// The operator as a child process of the demo: started, asked to stop, killed.
import type { MonotonicClock } from '@pawl/reconciler';
import type { ChildProcess, Ports, ProcessEnd } from '../ports.ts';

/** How long the operator may take to stop before it is killed. */
const PATIENCE_MS = 10_000;

export interface OperatorProcessParts {
  readonly startSelf: Ports['startSelf'];
  readonly clock: MonotonicClock;
  readonly server: string;
  readonly logFile: string;
}

/** At most one operator at a time. */
export class OperatorProcess {
  readonly #parts: OperatorProcessParts;
  #child: ChildProcess | undefined;

  constructor(parts: OperatorProcessParts) {
    this.#parts = parts;
  }

  /** Starts the operator with one package. Answers its pid, and how it ended as soon as it did. */
  start = (module: string): { readonly pid: number; readonly ended: Promise<ProcessEnd> } => {
    const { startSelf, server, logFile } = this.#parts;
    const child = startSelf(operatorArguments(module, server), logFile);
    this.#child = child;
    const ended = child.ended.then((end) => {
      if (this.#child === child) this.#child = undefined;
      return end;
    });
    return { pid: child.pid, ended };
  };

  /** Ends it at once, as a crash would. */
  kill = (): void => {
    this.#child?.kill('SIGKILL');
  };

  /** Asks it to end; kills it if it does not. Resolves when none runs. */
  stop = async (): Promise<void> => {
    const child = this.#child;
    if (child === undefined) return;
    child.kill('SIGTERM');
    const cancel = this.#parts.clock.setTimer(PATIENCE_MS, () => child.kill('SIGKILL'));
    await child.ended;
    cancel();
  };
}

/** The command line of the operator that the demo starts. */
export function operatorArguments(module: string, server: string): readonly string[] {
  // Requests of a predecessor that was killed arrive over the loopback within a second, or never.
  return [
    'run',
    '--name',
    'website',
    '--package',
    module,
    '--server',
    server,
    '--settle-ms',
    '1000',
    '--stop-with-stdin',
  ];
}
