// A `pawl` process: its output, how it ended, and the two ways to end it.
import { spawn, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const MAIN = fileURLToPath(new URL('../../packages/cli/src/main.ts', import.meta.url));
const KEPT = 6_000;

export class PawlProcess {
  readonly #process: ChildProcess;
  /** The signal, or `exit code N`. */
  readonly ended: Promise<string>;
  /** The last of what it wrote. */
  output = '';

  /** @param variables added to the environment of this process */
  constructor(flags: readonly string[], variables: Readonly<Record<string, string>> = {}) {
    this.#process = spawn(process.execPath, ['--conditions=@pawl/source', MAIN, ...flags], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, ...variables },
    });
    const keep = (chunk: Buffer): void => {
      this.output = (this.output + chunk.toString()).slice(-KEPT);
    };
    this.#process.stdout?.on('data', keep);
    this.#process.stderr?.on('data', keep);
    this.ended = new Promise((resolve) => {
      this.#process.once('exit', (code, signal) => resolve(signal ?? `exit code ${code ?? 'unknown'}`));
    });
  }

  get isRunning(): boolean {
    return this.#process.exitCode === null && this.#process.signalCode === null;
  }

  /** `kill -9`; resolves when the process is gone. */
  kill = async (): Promise<void> => {
    this.#process.kill('SIGKILL');
    await this.ended;
  };

  /** SIGTERM; answers how the process ended. */
  stop = (): Promise<string> => {
    this.#process.kill('SIGTERM');
    return this.ended;
  };
}
