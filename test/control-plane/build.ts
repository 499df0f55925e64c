// Builds the pinned control plane from Go modules into the cache, once.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { buildFlags, cacheFolder, moduleFolder, programs, readPins } from './pins.ts';

/**
 * Builds what is missing in the cache and returns its folder. A folder appears there complete or not at all: the build
 * happens beside it and is renamed at the end, so two builds at once, or one that was killed, do no harm.
 *
 * @throws when Go is not installed or does not build; its own messages are passed to `print`.
 */
export async function buildControlPlane(print: (line: string) => void): Promise<string> {
  const pins = readPins();
  const folder = cacheFolder(pins);
  if (existsSync(folder)) {
    print(`Kubernetes ${pins.kubernetes} and etcd ${pins.etcd} are built: ${folder}`);
    return folder;
  }
  await mkdir(dirname(folder), { recursive: true });
  const scratch = await mkdtemp(`${folder}.building-`);
  try {
    print(`building Kubernetes ${pins.kubernetes} and etcd ${pins.etcd} (from nothing: 5 to 15 minutes on two cores)`);
    const start = performance.now();
    for (const [name, goPackage] of Object.entries(programs))
      await buildOne(name, goPackage, scratch, pins.kubernetes, print);
    await moveInto(scratch, folder);
    print(`built in ${String(Math.round((performance.now() - start) / 1000))} s: ${folder}`);
    return folder;
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

async function buildOne(
  name: string,
  goPackage: string,
  folder: string,
  kubernetes: string,
  print: (line: string) => void,
): Promise<void> {
  const start = performance.now();
  const seconds = (): string => `${String(Math.round((performance.now() - start) / 1000))} s`;
  const beat = setInterval(() => {
    print(`  ${name}: ${seconds()} so far`);
  }, 60_000);
  try {
    const file = join(folder, name);
    await go(['build', ...buildFlags(kubernetes), '-o', file, goPackage], print);
    const { size } = await stat(file);
    print(`  ${name}: ${seconds()}, ${String(Math.round(size / 1e6))} MB`);
  } finally {
    clearInterval(beat);
  }
}

function go(args: readonly string[], print: (line: string) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const env = { ...process.env, CGO_ENABLED: '0' };
    const child = spawn('go', args, { cwd: moduleFolder, env, stdio: ['ignore', 'pipe', 'pipe'] });
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        if (text.trim() !== '' && !text.startsWith('go: downloading')) print(`  ${text.trimEnd()}`);
      });
    }
    child.on('error', (error) => {
      reject(new Error(`go (https://go.dev) could not be started: ${error.message}`));
    });
    child.on('close', (code) => {
      if (code === 0) resolve();
      else reject(new Error(`go build of ${basename(args.at(-1) ?? '')} ended with ${String(code)}`));
    });
  });
}

async function moveInto(scratch: string, folder: string): Promise<void> {
  try {
    await rename(scratch, folder);
  } catch (error) {
    // Another build of the same pins was faster: its folder is as good as ours.
    if (!existsSync(folder)) throw error;
  }
}
