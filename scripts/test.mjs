// Everything that must hold before a change is kept: types, lint, tests. The last line is `N passed, N failed`.
// Arguments are handed to vitest, such as a path: `npm test -- packages/cli`.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { tally } from './tally.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const bin = join(root, 'node_modules', '.bin');
const report = join(root, '.cache', 'vitest.json');

mkdirSync(dirname(report), { recursive: true });
rmSync(report, { force: true });

const types = step('types', 'tsc', ['-b']);
const lint = step('lint', 'oxlint', ['--type-aware', '--quiet']);
const tests = step('tests', 'vitest', [
  'run',
  '--reporter=default',
  '--reporter=json',
  `--outputFile.json=${report}`,
  ...process.argv.slice(2),
]);

const { passed, failed } = tally([types, lint], tests, readReport());
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;

/** Runs one tool with the workspace's own Node first in the path, and says how it ended. */
function step(title, command, args) {
  console.log(`\n== ${title}: ${command} ${args.filter((arg) => !arg.includes(report)).join(' ')}`);
  const started = performance.now();
  const { status, error } = spawnSync(command, args, {
    cwd: root,
    stdio: 'inherit',
    shell: process.platform === 'win32',
    env: { ...process.env, PATH: `${bin}${delimiter}${process.env.PATH ?? ''}` },
  });
  if (error !== undefined) console.error(`${command} could not be started: ${error.message}`);
  const ok = status === 0;
  console.log(`== ${title}: ${ok ? 'ok' : 'FAILED'} (${((performance.now() - started) / 1000).toFixed(1)} s)`);
  return ok;
}

function readReport() {
  try {
    return JSON.parse(readFileSync(report, 'utf8'));
  } catch {
    return undefined;
  }
}
