// What the watchdog's thread is told. Plain data: it crosses to another thread.

export interface WatchdogSettings {
  readonly memory: SharedArrayBuffer;
  /** A process without a beat for so long is blocked, in milliseconds. */
  readonly limitMs: number;
  readonly release: string;
  /** For the next process, which writes down what happened. It must survive the end of a container. */
  readonly reportFile: string;
  /** Where Kubernetes reads the termination message; absent: nowhere. */
  readonly terminationFile?: string | undefined;
  /** Fields of the line in the log. */
  readonly bindings: Readonly<Record<string, string>>;
}

/** How a process ends that an Action has blocked. */
export const BLOCKED_EXIT_CODE = 70;
/** Where, on the global object of the process, the thread asks for the Action that runs. */
export const ACTIVE_ACTION = 'pawl.dev/active-action';
