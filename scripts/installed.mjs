// Whether node_modules holds what pnpm-lock.yaml asks for. Plain Node >= 20 without dependencies.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * pnpm keeps a copy of the lockfile of its last complete install, so content tells what time stamps cannot:
 * they change when a tree is copied or a branch is switched.
 *
 * @param {string} root the folder of the workspace
 * @returns {'fresh' | 'outdated' | 'missing'}
 */
export function installState(root) {
  const wanted = readFileSync(join(root, 'pnpm-lock.yaml'), 'utf8');
  const installed = readOr(join(root, 'node_modules', '.pnpm', 'lock.yaml'));
  if (installed === undefined) return 'missing';
  return installed === wanted ? 'fresh' : 'outdated';
}

function readOr(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
