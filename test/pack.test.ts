// What a user gets from the registry: the built code and its types, all that `exports` names, and nothing of the workshop.
import { execFile } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '..');
const run = promisify(execFile);

interface Manifest {
  readonly name: string;
  readonly private?: boolean;
  readonly license?: string;
  readonly bin?: Readonly<Record<string, string>>;
  readonly exports: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly publishConfig?: { readonly exports?: Manifest['exports'] };
}

const read = (folder: string): Manifest => JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8')) as Manifest;
const folders = globSync('packages/{*,procedures/*}/package.json', { cwd: ROOT })
  .map(dirname)
  .filter((folder) => read(folder).private !== true)
  .toSorted();
const contents = new Map<string, readonly string[]>();

/** The files that would be published, as npm lists them. */
async function filesOf(folder: string): Promise<readonly string[]> {
  const { stdout } = await run('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
    cwd: join(ROOT, folder),
    maxBuffer: 64 * 1024 * 1024,
    shell: process.platform === 'win32',
  });
  const parsed = JSON.parse(stdout) as unknown;
  const [first] = (Array.isArray(parsed) ? parsed : Object.values(parsed as object)) as readonly {
    readonly files: readonly { readonly path: string }[];
  }[];
  return (first?.files ?? []).map(({ path }) => path).filter((path) => isBuiltNow(folder, path));
}

/** A checkout may hold what an earlier build made of files that are gone; a release is built in a fresh one. */
function isBuiltNow(folder: string, path: string): boolean {
  const [, name] = /^dist\/(.*?)(?:\.d\.ts|\.js)(?:\.map)?$/.exec(path) ?? [];
  return name === undefined || existsSync(join(ROOT, folder, 'src', `${name}.ts`));
}

const importsOf = (code: string): readonly string[] =>
  [...code.matchAll(/(?:from|import)\s*\(?\s*['"](\.[^'"]+)['"]/g)].map(([, path = '']) => path);

beforeAll(async () => {
  const tsc = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
  await run(process.execPath, [tsc, '-b', ...folders.map((folder) => join(ROOT, folder))]);
  await Promise.all(folders.map(async (folder) => contents.set(folder, await filesOf(folder))));
}, 300_000);

describe.each(folders)('%s', (folder) => {
  const manifest = read(folder);
  const files = (): readonly string[] => contents.get(folder) ?? [];

  it('holds built code, and its manifest', () => {
    expect(files()).toContain('package.json');
    expect(files()).toContain('dist/index.js');
    expect(files().filter((file) => !file.startsWith('dist/')).toSorted()).toEqual(
      ['package.json', ...['LICENSE', 'README.md'].filter((name) => existsSync(join(ROOT, folder, name)))].toSorted(),
    );
  });

  it('holds no tests, no helpers of tests, no build information', () => {
    const isHelper = (file: string): boolean =>
      folder !== 'packages/reconciler' && /(^|\/)testing(\/|\.(js|d\.ts)$)/.test(file);
    const workshop = /\.test\.|\.tsbuildinfo$|\.map$|\.snap$|(^|\/)src\//;
    expect(files().filter((file) => workshop.test(file) || isHelper(file))).toEqual([]);
  });

  it('exports what is in it, and nothing of the sources', () => {
    const { exports = {} } = manifest.publishConfig ?? {};
    expect(Object.keys(exports)).toContain('.');
    for (const [path, conditions] of Object.entries(exports)) {
      const { '@pawl/source': _source, ...published } = manifest.exports[path] ?? {};
      expect(conditions).toEqual(published);
      for (const target of Object.values(conditions)) expect(files()).toContain(normalize(target));
    }
    for (const target of Object.values(manifest.bin ?? {})) expect(files()).toContain(normalize(target));
  });

  it('is complete: no file of it imports one that is left out', () => {
    const missing = files()
      .filter((file) => file.endsWith('.js') || file.endsWith('.d.ts'))
      .flatMap((file) =>
        importsOf(readFileSync(join(ROOT, folder, file), 'utf8'))
          .map((path) => normalize(join(dirname(file), path)))
          .filter((target) => ![target, target.replace(/\.ts$/, '.js'), target.replace(/\.ts$/, '.d.ts')].some((name) => files().includes(name)))
          .map((target) => `${file} imports ${target}`),
      );
    expect(missing).toEqual([]);
  });

  it('says under which licence it may be used', () => {
    expect(manifest.license).toBe('Apache-2.0');
  });
});
