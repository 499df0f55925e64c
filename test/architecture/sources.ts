// Reads the workspace as text: its packages, their files, what each file imports and exports. No compiler is needed.
import { readFileSync, readdirSync, type Dirent } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';

/** The root of the workspace. */
export const ROOT = resolve(import.meta.dirname, '..', '..');

/** One import, whatever its form: `import`, `import type`, `export from`, `import()`. */
export interface Import {
  readonly specifier: string;
  /** Erased by the compiler: nothing is loaded at run time. */
  readonly isType: boolean;
}

/** One TypeScript file of a package. */
export interface SourceFile {
  /** From the root of the workspace, with forward slashes. */
  readonly path: string;
  readonly text: string;
  /** The text without comments. */
  readonly code: string;
  /** A test, or a helper of tests that is not part of what a package offers. */
  readonly isTest: boolean;
  readonly imports: readonly Import[];
}

/** One package of the workspace. */
export interface SourcePackage {
  readonly name: string;
  /** From the root of the workspace. */
  readonly folder: string;
  readonly dependencies: readonly string[];
  /** Dependencies of which only types may be used, and those of tests. */
  readonly looseDependencies: readonly string[];
  /** Specifiers that other packages may import, each with its source file. */
  readonly entryPoints: ReadonlyMap<string, string>;
  readonly files: readonly SourceFile[];
}

/** All packages with sources. */
export function readPackages(): readonly SourcePackage[] {
  const folders = ['packages', join('packages', 'procedures'), 'examples'].flatMap(foldersIn);
  return folders.flatMap((folder) => {
    const manifest = readOr(join(ROOT, folder, 'package.json'));
    return manifest === undefined ? [] : [readPackage(folder, JSON.parse(manifest) as Manifest)];
  });
}

/** The file that a relative import leads to. */
export function targetOf(file: SourceFile, { specifier }: Import): string {
  return slashed(join(dirname(file.path), specifier));
}

/** `@scope/name` of `@scope/name/inner`, `name` of `name/inner`. */
export function packageOf(specifier: string): string {
  const parts = specifier.split('/');
  return specifier.startsWith('@') ? parts.slice(0, 2).join('/') : (parts[0] ?? '');
}

/** The names that a file exports by name, and `*` for each `export *`. */
export function exportsOf({ code }: SourceFile): readonly string[] {
  const listed = [...code.matchAll(/\bexport\s+(?:type\s+)?\{([^}]*)\}/g)].flatMap(([, names = '']) =>
    names.split(','),
  );
  const named = listed.map((name) =>
    name
      .replace(/^\s*type\s+/, '')
      .replace(/^.*\bas\s+/, '')
      .trim(),
  );
  const declared = [
    ...code.matchAll(
      /^export\s+(?:declare\s+)?(?:abstract\s+)?(?:async\s+)?(?:const|function\*?|class|interface|type)\s+(\w+)/gm,
    ),
  ];
  const stars = [...code.matchAll(/\bexport\s+(?:type\s+)?\*/g)].map(() => '*');
  return [...named.filter((name) => name !== ''), ...declared.map(([, name = '']) => name), ...stars];
}

interface Manifest {
  readonly name: string;
  readonly exports?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

function readPackage(folder: string, manifest: Manifest): SourcePackage {
  const entryPoints = Object.entries(manifest.exports ?? {}).map(([path, conditions]) => [
    join(manifest.name, path).split(sep).join('/'),
    slashed(join(folder, conditions['@pawl/source'] ?? '')),
  ]);
  return {
    name: manifest.name,
    folder: slashed(folder),
    dependencies: Object.keys(manifest.dependencies ?? {}),
    looseDependencies: Object.keys({ ...manifest.peerDependencies, ...manifest.devDependencies }),
    entryPoints: new Map(entryPoints as [string, string][]),
    files: typescriptIn(join(folder, 'src')).map((path) => readSource(path, manifest)),
  };
}

function readSource(path: string, { exports = {} }: Manifest): SourceFile {
  const text = readFileSync(join(ROOT, path), 'utf8');
  const code = withoutComments(text);
  const isHelper = slashed(path).includes('/testing/') && exports['./testing'] === undefined;
  const isTest = path.endsWith('.test.ts') || isHelper;
  return { path: slashed(path), text, code, isTest, imports: importsOf(code) };
}

function importsOf(code: string): readonly Import[] {
  const statements = code.matchAll(/^(import|export)\s+(type\s+)?(?:[^'";]*?\s+from\s+)?'([^']+)'/gm);
  const inline = code.matchAll(/\b(typeof\s+)?import\(\s*'([^']+)'\s*\)(\.[A-Z])?/g);
  return [
    ...[...statements].map(([, , type, specifier = '']) => ({ specifier, isType: type !== undefined })),
    ...[...inline].map(([, type, specifier = '', member]) => ({ specifier, isType: (type ?? member) !== undefined })),
  ];
}

/** Line comments only where nothing but space stands before them: `//` is also part of addresses in strings. */
function withoutComments(text: string): string {
  return text.replaceAll(/\/\*[\s\S]*?\*\//g, '').replaceAll(/^\s*\/\/.*$/gm, '');
}

function typescriptIn(folder: string): readonly string[] {
  return entriesIn(folder).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return typescriptIn(path);
    return entry.name.endsWith('.ts') ? [path] : [];
  });
}

function foldersIn(folder: string): readonly string[] {
  return entriesIn(folder).flatMap((entry) => (entry.isDirectory() ? [join(folder, entry.name)] : []));
}

function entriesIn(folder: string): readonly Dirent[] {
  try {
    return readdirSync(join(ROOT, folder), { withFileTypes: true });
  } catch {
    return [];
  }
}

function readOr(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

const slashed = (path: string): string => relative(ROOT, resolve(ROOT, path)).split(sep).join('/');
