// A package as a registry holds it, for tests: plain JavaScript, with a copy of the engine of its own, folded by npm itself.
import { execFile } from 'node:child_process';
import { globSync } from 'node:fs';
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire, stripTypeScriptTypes } from 'node:module';
import { platform } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const ENGINE = fileURLToPath(new URL('../../../reconciler', import.meta.url));

/**
 * Writes a package into a folder.
 * @param code of its only module, which imports `@pawl/reconciler`
 */
export async function writeReleased(folder: string, { name, version, code }: { readonly name: string; readonly version: string; readonly code: string }): Promise<void> {
  await mkdir(folder, { recursive: true });
  const dependencies = { '@pawl/reconciler': '0.1.0', semver: '7.0.0' };
  const manifest = { name, version, type: 'module', exports: './index.js', dependencies, bundleDependencies: Object.keys(dependencies) };
  await writeFile(join(folder, 'package.json'), JSON.stringify(manifest));
  await writeFile(join(folder, 'index.js'), code);
  await copyEngine(join(folder, 'node_modules', '@pawl', 'reconciler'));
  const semver = dirname(createRequire(join(ENGINE, 'package.json')).resolve('semver/package.json'));
  await cp(semver, join(folder, 'node_modules', 'semver'), { recursive: true, dereference: true });
}

/** The engine as JavaScript: Node takes no types off below `node_modules`. */
async function copyEngine(folder: string): Promise<void> {
  const sources = globSync('src/**/*.ts', { cwd: ENGINE }).filter((path) => !path.endsWith('.test.ts'));
  await Promise.all(
    sources.map(async (path) => {
      const target = join(folder, path.replace(/\.ts$/, '.js'));
      await mkdir(dirname(target), { recursive: true });
      const text = stripTypeScriptTypes(await readFile(join(ENGINE, path), 'utf8'));
      await writeFile(target, text.replace(/((?:from|import)\s*\(?\s*['"]\.[^'"]*)\.ts(['"])/g, '$1.js$2'));
    }),
  );
  const exports = { '.': './src/index.js', './kubernetes': './src/kubernetes/index.js' };
  await writeFile(join(folder, 'package.json'), JSON.stringify({ name: '@pawl/reconciler', version: '0.1.0', type: 'module', exports, dependencies: { semver: '*' } }));
}

/** Packs the package of a folder. @returns the path of the tarball */
export async function packReleased(folder: string): Promise<string> {
  const { stdout } = await run('npm', ['pack', '--ignore-scripts', '--offline', '--loglevel=error', '--pack-destination', dirname(folder)], { cwd: folder, shell: platform() === 'win32' });
  return join(dirname(folder), stdout.trim().split('\n').at(-1) ?? '');
}
