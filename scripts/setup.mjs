// Installs the dependencies when they are missing or older than the lockfile. Plain Node >= 20 without dependencies.
import { spawnSync } from 'node:child_process';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installState } from './installed.mjs';

const OLDEST_NODE = 20;
/** Quiet unless it fails. */
const INSTALL = ['--yes', 'pnpm@12.21.0', 'install', '--frozen-lockfile', '--loglevel=error'];
const NEWS = {
  missing:
    'The first start fetches its tools, once: Node 24, compiler and libraries, 130 MB to download, 400 MB on disk ...',
  outdated: 'The lockfile has changed: the dependencies are brought up to date ...',
};

const root = dirname(dirname(fileURLToPath(import.meta.url)));
process.exitCode = setup();

function setup() {
  const { node } = process.versions;
  if (Number(node.split('.')[0]) < OLDEST_NODE)
    return fail(`Node ${node} is too old: Node ${OLDEST_NODE} or newer is needed.`);
  const state = installState(root);
  if (state === 'fresh') return 0;
  console.log(NEWS[state]);
  const { status, signal, error } = spawnSync('npx', INSTALL, {
    cwd: root,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
  if (error === undefined && status === 0) return 0;
  const why = error?.message ?? (signal === null ? `exit code ${status}` : `signal ${signal}`);
  return fail(`The dependencies could not be installed: "npx ${INSTALL.join(' ')}" ended with ${why}.`);
}

function fail(message) {
  console.error(message);
  return 1;
}
