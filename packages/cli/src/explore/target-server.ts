// The real API server: one that is started for the purpose, or one that the user names.
import { connect, type HttpTransport } from '@pawl/operator';
import { resolve } from 'node:path';
import { InputError } from '../input-error.ts';
import type { Ports } from '../ports.ts';
import type { TargetSettings } from './target-settings.ts';

export interface TargetServer {
  readonly transport: HttpTransport;
  readonly close: () => Promise<void>;
}

/** What the folder of the control plane exports, as far as it is used here. */
interface Starting {
  readonly startControlPlane: () => Promise<{ readonly kubeconfig: string; readonly stop: () => Promise<void> }>;
}
interface Finding {
  readonly findBinaries: () => object | undefined;
  readonly howToGetBinaries: string;
}

/** @throws {InputError} if there is no such server, saying how to get one */
export async function openTarget({ target, kubeconfig, context }: TargetSettings, ports: Ports): Promise<TargetServer> {
  if (target === 'cluster') {
    const transport = await connected({ kubeconfig: kubeconfig === undefined ? undefined : resolve(ports.workingFolder, kubeconfig), context }, ports);
    return { transport, close: transport.close };
  }
  const folder = controlPlaneFolder(import.meta.dirname);
  if (!ports.files.exists(folder))
    throw new InputError(['--target: found control-plane, which only a checkout of Pawl has; allowed is --target cluster with the kubeconfig of a cluster, such as one of envtest or kind']);
  const { findBinaries, howToGetBinaries } = (await ports.importModule(`${folder}/binaries.ts`)) as Finding;
  if (findBinaries() === undefined)
    throw new InputError([`--target: found control-plane, and there is none on this machine; ${howToGetBinaries}, or name a cluster with --target cluster --kubeconfig FILE`]);
  const { startControlPlane } = (await ports.importModule(`${folder}/start.ts`)) as Starting;
  const plane = await startControlPlane();
  const transport = await connected({ kubeconfig: plane.kubeconfig, context: undefined }, ports);
  return {
    transport,
    close: async () => {
      await transport.close();
      await plane.stop();
    },
  };
}

const connected = (choice: { readonly kubeconfig: string | undefined; readonly context: string | undefined }, { environment, homeFolder, clock }: Ports): Promise<HttpTransport> =>
  connect(choice, { environment, homeDirectory: homeFolder, clock });

/**
 * The folder of the control plane in a checkout.
 * @param moduleFolder where this module lies, in `src` or `dist` of this package
 */
function controlPlaneFolder(moduleFolder: string): string {
  return resolve(moduleFolder, '..', '..', '..', '..', 'test', 'control-plane');
}
