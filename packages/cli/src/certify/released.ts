// Where a released package is: a module or folder as it is, or what npm fetches from wherever it is configured to.
import { isAbsolute, join, resolve } from 'node:path';
import { isVersion, shortHash } from '@pawl/reconciler';
import { InputError } from '../input-error.ts';
import type { MakeFolder } from '../manifests/folders.ts';
import type { Ports } from '../ports.ts';

/** What `--against` names. */
export type ReleasedSource =
  /** A module, or the folder of a package. */
  | { readonly is: 'path'; readonly path: string; readonly given: string }
  /** A tarball, or a package of a registry: npm knows how to get it. */
  | { readonly is: 'tarball'; readonly path: string }
  | { readonly is: 'spec'; readonly name: string; readonly version: string };

/** A package that can be imported. */
export interface ReleasedPackage {
  readonly reference: string;
  /** Where the reference is looked up. */
  readonly folder: string;
  /** Such as `website@1.4.0`. */
  readonly title: string;
  readonly dispose: () => Promise<void>;
}

const ALLOWED = 'allowed is PACKAGE@VERSION as npm knows it, a .tgz file, or a path of a folder or module that begins with . or /';
const SPEC = /^((?:@[\w.~-]+\/)?[a-z0-9][\w.~-]*)@([^\s@/]+)$/i;

/** @throws {InputError} if it names nothing that there is */
export function sourceOf(against: string, { files, workingFolder }: Ports): ReleasedSource {
  const isPath = /^\.{0,2}[/\\]/.test(against) || isAbsolute(against) || /\.(tgz|tar\.gz|[cm]?[jt]s)$/.test(against);
  if (isPath) {
    const path = resolve(workingFolder, against);
    if (!files.exists(path)) throw new InputError([`--against: found ${against}, which is not there; ${ALLOWED}`]);
    return /\.(tgz|tar\.gz)$/.test(against) ? { is: 'tarball', path } : { is: 'path', path, given: against };
  }
  const [, name, version] = SPEC.exec(against) ?? [];
  if (name === undefined || version === undefined) throw new InputError([`--against: found ${against}; ${ALLOWED}`]);
  return { is: 'spec', name, version };
}

/**
 * Brings it to where it can be imported. A version of a registry never changes, and is fetched once.
 * @throws {InputError} with what npm says if it cannot be fetched
 */
export async function bringReleased(source: ReleasedSource, ports: Ports, make: MakeFolder): Promise<ReleasedPackage> {
  if (source.is === 'path') {
    const title = (await titleIn(source.path, ports)) ?? source.given;
    return { reference: source.path, folder: ports.workingFolder, title, dispose: () => Promise.resolve() };
  }
  const { folder, dispose } = await cacheFor(source, ports);
  const isThere = source.is === 'spec' && isVersion(source.version) && ports.files.exists(join(folder, 'node_modules', source.name, 'package.json'));
  if (!isThere) {
    await ports.files.removeFolder(folder);
    await make(folder);
    await install(source, folder, ports);
  }
  const reference = source.is === 'spec' ? source.name : await onlyDependency(folder, ports);
  const title = (await titleIn(join(folder, 'node_modules', reference), ports)) ?? reference;
  return { reference, folder, title, dispose };
}

/** Beside what other tools keep; in a folder of its own, which nobody else installs into. */
async function cacheFor(source: Exclude<ReleasedSource, { readonly is: 'path' }>, { files, workingFolder }: Ports): Promise<{ readonly folder: string; readonly dispose: () => Promise<void> }> {
  const modules = join(workingFolder, 'node_modules');
  if (files.exists(modules))
    return { folder: join(modules, '.cache', 'pawl', `released-${shortHash(specOf(source))}`), dispose: () => Promise.resolve() };
  const folder = await files.makeTemporaryFolder('pawl-released-');
  return { folder, dispose: () => files.removeFolder(folder) };
}

const specOf = (source: Exclude<ReleasedSource, { readonly is: 'path' }>): string =>
  source.is === 'tarball' ? source.path : `${source.name}@${source.version}`;

/** Nothing of the package is run but what is imported. */
const INSTALL = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--no-package-lock', '--loglevel=error'];

async function install(source: Exclude<ReleasedSource, { readonly is: 'path' }>, folder: string, { files, runTool, workingFolder }: Ports): Promise<void> {
  // npm takes the settings of the folder that it installs into: those of the project are lent to it meanwhile.
  const [settings, lent] = [join(workingFolder, '.npmrc'), join(folder, '.npmrc')];
  if (files.exists(settings)) await files.write(lent, await files.read(settings));
  await files.write(join(folder, 'package.json'), '{ "private": true }\n');
  const { exitCode, output } = await runTool('npm', [...INSTALL, '--prefix', folder, specOf(source)], workingFolder);
  if (files.exists(lent)) await files.removeFolder(lent);
  if (exitCode === 0) return;
  await files.removeFolder(folder);
  throw new InputError([`--against: npm cannot fetch ${specOf(source)}: ${complaintIn(output)}; ${ALLOWED}`]);
}

const FIRST_LINES = 3;

/** Without npm's name before each line, and without the advice that follows. */
function complaintIn(output: string): string {
  const lines = output.split('\n').map((line) => line.replace(/^npm (error|ERR!)\s*(code )?/i, '').replace(/^\d{3}(\s+|$)/, '').trim());
  return lines.filter((line) => line !== '' && !line.startsWith('A complete log')).slice(0, FIRST_LINES).join('; ') || 'it says nothing';
}

/** What npm has noted that it installed. */
async function onlyDependency(folder: string, { files }: Ports): Promise<string> {
  const { dependencies = {} } = JSON.parse(await files.read(join(folder, 'package.json'))) as { readonly dependencies?: Readonly<Record<string, string>> };
  const [name] = Object.keys(dependencies);
  if (name === undefined) throw new InputError([`--against: npm has installed nothing into ${folder}`]);
  return name;
}

/** Name and version, as a manifest in the folder says. */
async function titleIn(folder: string, { files }: Ports): Promise<string | undefined> {
  const manifest = join(folder, 'package.json');
  if (!files.exists(manifest)) return undefined;
  const { name, version } = JSON.parse(await files.read(manifest)) as { readonly name?: string; readonly version?: string };
  return name === undefined ? undefined : `${name}${version === undefined ? '' : `@${version}`}`;
}
