// Finds the binaries of a control plane on this machine.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { cacheFolder, programs, readPins } from './pins.ts';

/** Paths of the three programs; a folder in the manner of envtest has no controller manager. */
export interface Binaries {
  readonly etcd: string;
  readonly apiServer: string;
  readonly controllerManager?: string;
}

/** How to get a control plane, for messages that say that there is none. */
export const howToGetBinaries =
  'build it with `node test/control-plane/main.mjs build` (needs Go; takes 5 to 15 minutes once), or set KUBEBUILDER_ASSETS to a folder with kube-apiserver and etcd';

/**
 * `KUBEBUILDER_ASSETS` if it is set, else what `build` put into the cache; undefined if neither is there.
 *
 * @throws when KUBEBUILDER_ASSETS names a folder without the programs.
 */
export function findBinaries(env: NodeJS.ProcessEnv = process.env): Binaries | undefined {
  const assets = env['KUBEBUILDER_ASSETS'];
  if (assets !== undefined && assets !== '') {
    const missing = ['kube-apiserver', 'etcd'].filter((name) => !existsSync(join(assets, name)));
    if (missing.length > 0) throw new Error(`KUBEBUILDER_ASSETS: ${assets} has no ${missing.join(' and no ')}`);
    return inFolder(assets);
  }
  const folder = cacheFolder(readPins(), env);
  return Object.keys(programs).every((name) => existsSync(join(folder, name))) ? inFolder(folder) : undefined;
}

function inFolder(folder: string): Binaries {
  const controllerManager = join(folder, 'kube-controller-manager');
  return {
    etcd: join(folder, 'etcd'),
    apiServer: join(folder, 'kube-apiserver'),
    ...(existsSync(controllerManager) ? { controllerManager } : {}),
  };
}
