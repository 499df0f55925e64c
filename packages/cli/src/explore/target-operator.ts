// Operators under test: this command again, as `pawl run`, with files that lead it to its proxy and to its release.
import { releaseModule, type OperatorOrder, type RunningOperator } from '@pawl/testkit';
import { join } from 'node:path';
import type { Ports } from '../ports.ts';

export interface OperatorStarter {
  /** A folder for files that nobody needs afterwards. */
  readonly folder: string;
  /** Name or path of the package, and where that is looked up. */
  readonly package: string;
  readonly packageFolder: string;
}

/** Starts operators one after the other, each with files of its own. */
export function operatorStarter({ folder, package: name, packageFolder }: OperatorStarter, ports: Pick<Ports, 'files' | 'startSelf'>): (order: OperatorOrder) => Promise<RunningOperator> {
  let started = 0;
  return async ({ server, kind, release, config }) => {
    const at = (file: string): string => join(folder, `${started}-${file}`);
    started += 1;
    const files = { module: at('release.mjs'), config: at('config.json'), log: at('log') };
    await ports.files.write(files.module, releaseModule({ package: name, folder: packageFolder, kind, release }));
    await ports.files.write(files.config, JSON.stringify({ ...config, server }));
    // The address is a secret: it stands in a file, where the list of processes does not show it.
    const args = ['run', '--config', files.config, '--package', files.module, '--stop-with-stdin'];
    const child = ports.startSelf(args, files.log);
    return {
      kill: () => child.kill('SIGKILL'),
      ended: child.ended.then(({ exitCode, signal }) => signal ?? `exit code ${exitCode ?? 'unknown'}`),
      log: () => ports.files.read(files.log),
    };
  };
}
