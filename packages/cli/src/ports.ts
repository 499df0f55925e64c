// What the command takes from outside instead of reaching for it: time, terminal, files, processes, network.
import type { MonotonicClock } from '@pawl/reconciler';
import type { Paint } from './terminal/lines.ts';

/** Where lines go, and where keys come from. */
export interface Terminal {
  /** A person sees what is written at once and can press keys. */
  readonly isInteractive: boolean;
  readonly paint: Paint;
  readonly columns: () => number;
  readonly rows: () => number;
  readonly write: (text: string) => void;
  /** Takes over the keyboard until the returned function is called. */
  readonly onKey: (listener: (key: string) => void) => () => void;
}

/** How a process ended: by itself with a code, or by a signal. */
export interface ProcessEnd {
  readonly exitCode: number | null;
  readonly signal: string | null;
}

/** A running child process. */
export interface ChildProcess {
  readonly pid: number;
  readonly kill: (signal: 'SIGTERM' | 'SIGKILL') => void;
  readonly ended: Promise<ProcessEnd>;
}

/** How a tool of this machine ended, and everything that it said. */
export interface ToolEnd {
  /** Null: it was ended by a signal, or could not be started. */
  readonly exitCode: number | null;
  readonly output: string;
}

/** Files of this machine. Paths are absolute. */
export interface Files {
  readonly read: (path: string) => Promise<string>;
  readonly write: (path: string, text: string) => Promise<void>;
  readonly exists: (path: string) => boolean;
  /** A new folder of that prefix for files that nobody needs afterwards. */
  readonly makeTemporaryFolder: (prefix: string) => Promise<string>;
  readonly removeFolder: (path: string) => Promise<void>;
}

/** Everything from outside that the command uses. */
export interface Ports {
  readonly clock: MonotonicClock;
  readonly terminal: Terminal;
  readonly files: Files;
  readonly fetch: typeof globalThis.fetch;
  /** The environment's variables. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The folder that relative paths start from. */
  readonly workingFolder: string;
  /** The home folder of the user. */
  readonly homeFolder: string;
  /** Imports a module by its path and answers its default export. */
  readonly importDefault: (path: string) => Promise<unknown>;
  /** Imports a module by its path and answers everything that it exports. */
  readonly importModule: (path: string) => Promise<unknown>;
  /** Starts this command again with other arguments, in a process of its own that writes to a file. */
  readonly startSelf: (args: readonly string[], logFile: string) => ChildProcess;
  /** Runs a tool such as npm in a folder until it ends. */
  readonly runTool: (name: string, args: readonly string[], folder: string) => Promise<ToolEnd>;
  /** Calls back when the process is asked to stop; the returned function ends that. */
  readonly onStop: (listener: () => void) => () => void;
  /**
   * Calls back when something is thrown where nobody catches it, which no longer ends the process then: whoever listens
   * has to. The returned function ends that.
   */
  readonly onCrash: (listener: (error: unknown) => void) => () => void;
  /** Calls back when standard input ends, as it does with the parent process; the returned function ends that. */
  readonly onInputEnd: (listener: () => void) => () => void;
  readonly writeError: (text: string) => void;
  /** How much memory a thread that explores may take. Absent: as much as the command decides. */
  readonly threadMemoryMb?: number;
  /** Ends the process at once, whatever is under way. Does not return in a real process. */
  readonly exit: (code: number) => void;
}
