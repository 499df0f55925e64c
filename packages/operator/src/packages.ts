// Procedure packages by name or path: loaded at start, checked for shape, handed on as values.
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { isAbsolute, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ProcedurePackage } from '@pawl/reconciler/kubernetes';
import { ConfigError } from './config.ts';

/**
 * Imports the default export of each package.
 *
 * @param references names of installed packages, or paths of modules or of packages' folders (starting with `.` or `/`, or
 *   ending in a file name)
 * @param folder where paths and installed packages are looked up: the folder of the configuration file
 * @throws {ConfigError} naming every reference that does not lead to a package
 */
export async function loadPackages(references: readonly string[], folder: string): Promise<readonly ProcedurePackage[]> {
  if (references.length === 0)
    throw new ConfigError(['procedures: found nothing; allowed are names of packages or paths of modules, at least one']);
  const loaded = await Promise.all(references.map((reference) => load(reference, folder)));
  const faults = loaded.flatMap((result) => (typeof result === 'string' ? [result] : []));
  if (faults.length > 0) throw new ConfigError(faults);
  return loaded.filter((result) => typeof result !== 'string');
}

async function load(reference: string, folder: string): Promise<ProcedurePackage | string> {
  const wanted = 'allowed is an installed package, or the path of a module, whose default export is definePackage(...)';
  try {
    const module = (await import(locate(reference, folder))) as { readonly default?: unknown };
    return isPackage(module.default)
      ? module.default
      : `procedures: found ${JSON.stringify(reference)}, which has no package as its default export; ${wanted}`;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return `procedures: found ${JSON.stringify(reference)}, which cannot be loaded (${reason}); ${wanted}`;
  }
}

/** Installed packages are found from the folder, as its own modules would find them. */
function locate(reference: string, folder: string): string {
  const isPath = /^\.{0,2}\//.test(reference) || isAbsolute(reference) || /\.[cm]?[jt]s$/.test(reference);
  const path = isPath ? moduleAt(resolve(folder, reference)) : createRequire(resolve(folder, 'package.json')).resolve(reference);
  return pathToFileURL(path).href;
}

/** The module itself, or the one that the manifest of a folder names. */
function moduleAt(path: string): string {
  const manifest = join(path, 'package.json');
  if (!existsSync(manifest)) return path;
  const { name, exports } = JSON.parse(readFileSync(manifest, 'utf8')) as { readonly name?: string; readonly exports?: unknown };
  return createRequire(manifest).resolve(name === undefined || exports === undefined ? path : name);
}

function isPackage(value: unknown): value is ProcedurePackage {
  if (typeof value !== 'object' || value === null) return false;
  const { name, kinds, crds } = value as Partial<ProcedurePackage>;
  return typeof name === 'string' && Array.isArray(kinds) && Array.isArray(crds);
}
