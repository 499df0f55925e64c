// The command line for any Node >= 20: runs main.ts with the workspace's own Node, which runs TypeScript as it is.
import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = dirname(fileURLToPath(import.meta.url));
const root = dirname(dirname(folder));
const setup = spawnSync(process.execPath, [join(root, 'scripts', 'setup.mjs')], { stdio: 'inherit' });
if (setup.status === 0) {
  const node = join(root, 'node_modules', '.bin', 'node');
  const { status, error } = spawnSync(node, [join(folder, 'main.ts'), ...process.argv.slice(2)], { stdio: 'inherit' });
  if (error !== undefined) console.error(`${node} could not be started: ${error.message}`);
  process.exitCode = status ?? 1;
} else process.exitCode = 1;
