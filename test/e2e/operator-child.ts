// A real operator process against an API in this one: started, killed at a chosen request, started again.
import { spawn, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const MAIN = fileURLToPath(new URL('../../packages/cli/src/main.ts', import.meta.url));

export class OperatorChild {
  readonly #process: ChildProcess;
  readonly ended: Promise<string>;
  /** What it wrote, for the message of a failed test. */
  output = '';

  /**
   * @param module path of the package's module
   * @param api address of an API that asks for no credentials, or the flags that lead to one
   */
  constructor(module: string, api: string | readonly string[]) {
    const server = typeof api === 'string' ? ['--server', api] : api;
    const flags = ['run', '--name', 'website', '--package', module, ...server, '--settle-ms', '100'];
    this.#process = spawn(process.execPath, ['--conditions=@pawl/source', MAIN, ...flags], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const keep = (chunk: Buffer): void => {
      this.output = (this.output + chunk.toString()).slice(-4_000);
    };
    this.#process.stdout?.on('data', keep);
    this.#process.stderr?.on('data', keep);
    this.ended = new Promise((resolve) => {
      this.#process.once('exit', (code, signal) => resolve(signal ?? `exit code ${code ?? 'unknown'}`));
    });
  }

  /** Resolves when its caches are complete and it has begun to work. @throws if it ends before */
  working = async (): Promise<void> => {
    let isEnded = false;
    void this.ended.then(() => (isEnded = true));
    while (!this.output.includes('reconciling begins')) {
      if (isEnded) throw new Error(`the operator ended before it began to work: ${this.output}`);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  };

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

/** Paths of the two releases of the example. */
export const RELEASE_1 = fileURLToPath(new URL('../../examples/website/src/release-1.ts', import.meta.url));
export const RELEASE_2 = fileURLToPath(new URL('../../examples/website/src/index.ts', import.meta.url));
