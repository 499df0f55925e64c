// `pawl manifests`: what is asked for is made, then printed or written to a folder.
import { dirname, join, resolve } from 'node:path';
import type { ProcedurePackage } from '@pawl/reconciler/kubernetes';
import { parse, stringify } from 'yaml';
import { FaultList } from '../fault-list.ts';
import { loadNamedPackages } from '../operate/session.ts';
import type { Ports } from '../ports.ts';
import { argocdHealthOf } from './argocd-health.ts';
import { crdsOf } from './crds.ts';
import { deploymentOf, namespaceOf } from './deployment.ts';
import { dockerfileOf } from './dockerfile.ts';
import { makeFolder, type MakeFolder } from './folders.ts';
import { helmChart } from './helm.ts';
import { jsonOf, yamlOf, type Manifest } from './manifest.ts';
import { monitoringOf } from './monitoring.ts';
import { flagFaults, manifestOptions, type ManifestFlags, type ManifestOptions } from './options.ts';
import { permissionsOf, readsSecretsEverywhere } from './permissions.ts';
import { rbacOf } from './rbac.ts';
import { uninstallScript } from './uninstall.ts';

type Files = Readonly<Record<string, string>>;

/**
 * Exit code 0. Nothing is asked of a cluster.
 * @throws {InputError} with every fault of flags, configuration and packages
 */
export async function runManifests(flags: ManifestFlags, ports: Ports, make: MakeFolder = makeFolder): Promise<number> {
  const { packages, file } = await read(flags, ports);
  const needsImage = flags.uninstall !== true && flags.argocdHealth !== true && (flags.only ?? 'deployment') === 'deployment';
  const options = manifestOptions(flags, packages, file, needsImage);
  if (readsSecretsEverywhere(permissionsOf(options), options.watched))
    ports.writeError('warning: the operator may read all Secrets of the cluster; --watch-namespace limits it to namespaces\n');
  if (flags.helm !== undefined) await write(flags.helm, helmChart(options, chartVersion(options)), ports, make);
  else if (flags.out !== undefined) await write(flags.out, filesOf(options, flags), ports, make);
  else if (flags.uninstall === true) ports.terminal.write(uninstallScript(options));
  else ports.terminal.write((flags.output === 'json' ? jsonOf : yamlOf)(asked(options, flags)));
  return 0;
}

async function read(
  flags: ManifestFlags,
  ports: Ports,
): Promise<{ readonly packages: readonly ProcedurePackage[]; readonly file: Readonly<Record<string, unknown>> }> {
  const faults = new FaultList();
  faults.add(...flagFaults(flags));
  const packages = await faults.during(() => loadNamedPackages(flags, ports));
  const { config } = flags;
  const file =
    config === undefined
      ? {}
      : await faults.during(async () => parse(await ports.files.read(resolve(ports.workingFolder, config))) as unknown);
  if (config !== undefined && (typeof file !== 'object' || file === null || Array.isArray(file)))
    faults.add(`--config: found ${config}, which holds no mapping of settings`);
  faults.throwIfAny();
  return { packages: packages ?? [], file: file as Readonly<Record<string, unknown>> };
}

/** In the order in which a cluster takes them. */
function asked(options: ManifestOptions, { only, argocdHealth }: ManifestFlags): readonly Manifest[] {
  if (argocdHealth === true) return argocdHealthOf(options);
  if (only === 'crds') return crdsOf(options);
  if (only === 'rbac') return rbacOf(options);
  if (only === 'deployment') return deploymentOf(options);
  return [
    ...namespaceOf(options),
    ...crdsOf(options),
    ...rbacOf(options),
    ...deploymentOf(options),
    ...(options.monitoring ? monitoringOf(options) : []),
  ];
}

function filesOf(options: ManifestOptions, flags: ManifestFlags): Files {
  const parts: Readonly<Record<string, readonly Manifest[]>> =
    flags.only === undefined
      ? {
          'namespace.yaml': namespaceOf(options),
          'crds.yaml': crdsOf(options),
          'rbac.yaml': rbacOf(options),
          'deployment.yaml': deploymentOf(options),
          'monitoring.yaml': options.monitoring ? monitoringOf(options) : [],
        }
      : { [`${flags.only}.yaml`]: asked(options, flags) };
  const written = Object.entries(parts).filter(([, manifests]) => manifests.length > 0);
  return {
    ...Object.fromEntries(written.map(([path, manifests]) => [path, yamlOf(manifests)])),
    ...(flags.kustomize === true ? { 'kustomization.yaml': kustomization(written.map(([path]) => path)) } : {}),
    ...(flags.only === undefined ? { Dockerfile: dockerfileOf(options, flags.package ?? ['@example/procedures']) } : {}),
  };
}

const kustomization = (resources: readonly string[]): string =>
  stringify({ apiVersion: 'kustomize.config.k8s.io/v1beta1', kind: 'Kustomization', resources });

/** The tag of the image if it is a version, for a chart must have one. */
function chartVersion({ image }: ManifestOptions): string {
  return /:v?(\d+\.\d+\.\d+(?:-[\w.]+)?)(?:@.*)?$/.exec(image)?.[1] ?? '0.1.0';
}

async function write(folder: string, files: Files, ports: Ports, make: MakeFolder): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    const full = join(resolve(ports.workingFolder, folder), path);
    await make(dirname(full));
    await ports.files.write(full, text);
    ports.terminal.write(`${join(folder, path)}\n`);
  }
}
