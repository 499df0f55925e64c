// A real operator process against an API in this one: started, killed at a chosen request, started again.
import { fileURLToPath } from 'node:url';
import { PawlProcess } from './pawl-process.ts';

export class OperatorChild extends PawlProcess {
  /**
   * @param module path of the package's module
   * @param api address of an API that asks for no credentials, or the flags that lead to one
   */
  constructor(module: string, api: string | readonly string[]) {
    const server = typeof api === 'string' ? ['--server', api] : api;
    super(['run', '--name', 'website', '--package', module, ...server, '--settle-ms', '100']);
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
}

/** Paths of the two releases of the example. */
export const RELEASE_1 = fileURLToPath(new URL('../../examples/website/src/release-1.ts', import.meta.url));
export const RELEASE_2 = fileURLToPath(new URL('../../examples/website/src/index.ts', import.meta.url));
