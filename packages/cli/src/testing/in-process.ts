// Ports for playing the whole demo in one process: the operator is another run of the command, not another process.
import { nodePorts } from '../node-ports.ts';
import type { ChildProcess, Files, Ports, ProcessEnd, Terminal } from '../ports.ts';
import { runProgram } from '../program.ts';
import { unpainted } from '../terminal/lines.ts';

/** A key to press as soon as a text has been written since the key before. */
export interface Step {
  readonly after: string;
  readonly press: string;
}

export interface InProcessOptions {
  /** Keys for a terminal; absent: there is none. */
  readonly steps?: readonly Step[];
  /** What runs instead of the operator. */
  readonly operator?: (args: readonly string[], ports: Ports) => Promise<number>;
}

/** The ports, and everything that was written. */
export interface InProcess {
  readonly ports: Ports;
  readonly output: () => string;
  readonly files: ReadonlyMap<string, string>;
}

/** Real time, real loopback; files in memory. */
export function inProcess({ steps, operator = runInProcess }: InProcessOptions = {}): InProcess {
  const real = nodePorts();
  const files = new Map<string, string>();
  const { terminal, output } = scriptedTerminal(steps);
  const ports: Ports = {
    ...real,
    terminal,
    files: memoryFiles(real.files, files),
    onStop: () => () => {},
    onCrash: () => () => {},
    startSelf: (args) => startInProcess(args, (child) => operator(args, child), real),
  };
  return { ports, output, files };
}

function runInProcess(args: readonly string[], ports: Ports): Promise<number> {
  return runProgram(args, ports, 0);
}

/** A signal ends it as soon as it can be ended; how it ended is told by the signal, as of a process. */
function startInProcess(args: readonly string[], run: (ports: Ports) => Promise<number>, real: Ports): ChildProcess {
  let killed: string | undefined;
  let stop = (): void => {};
  const silent: Terminal = { ...real.terminal, isInteractive: false, write: () => {} };
  const onStop = (listener: () => void): (() => void) => {
    stop = listener;
    return () => {};
  };
  const ended = run({ ...real, terminal: silent, writeError: () => {}, exit: () => {}, onStop, onCrash: () => () => {}, onInputEnd: () => () => {} }).then(
    (exitCode): ProcessEnd => (killed === undefined ? { exitCode, signal: null } : { exitCode: null, signal: killed }),
  );
  return {
    pid: args.length,
    ended,
    kill: (signal) => {
      if (signal === 'SIGKILL') killed = signal;
      stop();
    },
  };
}

function scriptedTerminal(steps: readonly Step[] = []): { readonly terminal: Terminal; readonly output: () => string } {
  const left = [...steps];
  let output = '';
  let since = '';
  let press: (key: string) => void = () => {};
  const write = (text: string): void => {
    output += text;
    since += text;
    const [next] = left;
    if (next === undefined || !since.includes(next.after)) return;
    left.shift();
    since = '';
    queueMicrotask(() => press(next.press));
  };
  const onKey = (listener: (key: string) => void): (() => void) => {
    press = listener;
    return () => {};
  };
  const isInteractive = steps.length > 0;
  return {
    terminal: { isInteractive, paint: unpainted, columns: () => 100, rows: () => 40, write, onKey },
    output: () => output,
  };
}

/** Reads what is there for real, and keeps what is written. */
function memoryFiles(real: Files, written: Map<string, string>): Files {
  return {
    ...real,
    write: (path, text) => {
      written.set(path, text);
      return Promise.resolve();
    },
    makeTemporaryFolder: (prefix) => Promise.resolve(`/memory/${prefix}1`),
    removeFolder: (folder) => {
      for (const path of written.keys()) if (path.startsWith(`${folder}/`)) written.delete(path);
      return Promise.resolve();
    },
  };
}
