// Ports without a machine behind them, for tests: what was written is kept, time stands still.
import type { Ports, Terminal } from '../ports.ts';
import { unpainted } from '../terminal/lines.ts';

/** Ports that keep what was written. */
export interface FakePorts extends Ports {
  readonly output: () => string;
  readonly errors: () => string;
}

/** @param files path to text of the files that exist */
export function fakePorts(files: Readonly<Record<string, string>> = {}, terminal: Partial<Terminal> = {}): FakePorts {
  let output = '';
  let errors = '';
  const none = (): never => {
    throw new Error('not available here');
  };
  return {
    output: () => output,
    errors: () => errors,
    clock: { now: () => 0, monotonic: () => 0, setTimer: () => () => {} },
    terminal: {
      isInteractive: false,
      paint: unpainted,
      columns: () => 80,
      rows: () => 24,
      write: (text) => {
        output += text;
      },
      onKey: () => () => {},
      ...terminal,
    },
    files: {
      read: (path) =>
        files[path] === undefined ? Promise.reject(new Error(`no ${path}`)) : Promise.resolve(files[path]),
      write: none,
      exists: (path) => files[path] !== undefined,
      makeTemporaryFolder: none,
      removeFolder: none,
    },
    fetch: none,
    environment: {},
    workingFolder: '/home/author',
    homeFolder: '/home/somebody',
    importDefault: none,
    importModule: none,
    startSelf: none,
    runTool: none,
    onStop: () => () => {},
    onCrash: () => () => {},
    onInputEnd: () => () => {},
    writeError: (text) => {
      errors += text;
    },
    exit: none,
  };
}
