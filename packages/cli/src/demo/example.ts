// The example that the demo plays: which modules are its releases, which object it applies, how it edits it.
import { join, resolve } from 'node:path';
import { catalogOf } from '@pawl/reconciler';
import type { ProcedurePackage } from '@pawl/reconciler/kubernetes';
import { parse } from 'yaml';
import { InputError } from '../input-error.ts';
import type { Ports } from '../ports.ts';
import type { Kind, ObjectName } from './api-client.ts';
import type { Json } from './differences.ts';
import type { Release } from './state.ts';

/** Everything that the demo knows of its example. */
export interface Example {
  readonly releases: readonly Release[];
  /** The package of each release. */
  readonly packages: readonly ProcedurePackage[];
  readonly kind: Kind;
  readonly name: ObjectName;
  /** What `website.yaml` says. */
  readonly sample: Json;
  readonly samplePath: string;
}

const MODULES = ['src/release-1.ts', 'src/index.ts'];
const SAMPLE = 'website.yaml';

/**
 * Loads the example of a folder.
 * @throws {InputError} if there is none
 */
export async function loadExample(folder: string, ports: Pick<Ports, 'files' | 'importDefault'>): Promise<Example> {
  const samplePath = join(folder, SAMPLE);
  const modules = MODULES.map((module) => join(folder, module));
  const missing = [samplePath, ...modules].filter((path) => !ports.files.exists(path));
  if (missing.length > 0)
    throw new InputError([
      `--example: found ${folder}, which has no ${missing.map((path) => path.slice(folder.length + 1)).join(', ')}; allowed is a folder laid out as examples/website`,
    ]);
  const packages = await Promise.all(
    modules.map(async (path) => (await ports.importDefault(path)) as ProcedurePackage),
  );
  const sample = parse(await ports.files.read(samplePath)) as Json;
  const { name, namespace } = sample['metadata'] as ObjectName;
  const kind = packages[0]?.kinds[0]?.resource;
  if (kind === undefined)
    throw new InputError([`--example: found ${folder}, whose package has no kind; allowed is at least one`]);
  const releases = packages.map(({ kinds }, index) => ({
    module: modules[index] ?? '',
    versions: catalogOf(kinds[0]?.procedures ?? []).procedures.map(({ version }) => version),
  }));
  return { releases, packages, kind, name: { name, namespace }, sample, samplePath };
}

/** The sample as somebody would edit it for the `count`th time: another page, another number of pods. */
export function edited(sample: Json, count: number): Json {
  const spec = { ...(sample['spec'] as Json), html: `<h1>Edit ${count}</h1>\n`, replicas: 2 + (count % 3) };
  return { ...sample, spec };
}

/**
 * The folder of the example in a checkout.
 * @param moduleFolder `src` or `dist` of this package
 */
export function exampleFolder(moduleFolder: string): string {
  return resolve(moduleFolder, '..', '..', '..', 'examples', 'website');
}
