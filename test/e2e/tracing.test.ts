// Tracing as a user turns it on: an SDK that Node imports before the command, and nothing else.
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { RELEASE_1 } from './operator-child.ts';
import { PawlProcess } from './pawl-process.ts';
import { WebsiteWorld } from './website-world.ts';

const SDK = fileURLToPath(new URL('print-spans.mjs', import.meta.url));

/** What an operator writes while it installs a website, and stops. */
async function outputOf(variables: Readonly<Record<string, string>>): Promise<string> {
  const world = await WebsiteWorld.open();
  const flags = ['run', '--name', 'website', '--package', RELEASE_1, '--server', world.url, '--settle-ms', '100'];
  const operator = new PawlProcess(flags, variables);
  try {
    await world.until('1.0.0', () => operator.output);
    expect(await operator.stop()).toBe('exit code 0');
    return operator.output;
  } finally {
    await operator.kill();
    await world.close();
  }
}

test('an SDK in NODE_OPTIONS gets the spans of pawl run, and lines of the log name them', { timeout: 60_000 }, async () => {
  const output = await outputOf({ NODE_OPTIONS: `--import=${SDK}`, PAWL_LOG_LEVEL: 'info' });
  expect(output).toContain('span root reconcile Website\n');
  expect(output).toContain('span inner action PodsReady\n');
  expect(output).toMatch(/^span inner PATCH \/apis\/example.pawl.dev\/v1alpha1\/namespaces\/\{namespace\}\/websites\/\{name\}\/status$/m);
  expect(output).toMatch(/"trace_id":"[0-9a-f]{32}","span_id":"[0-9a-f]{16}",.*"msg":"the procedure version is verified and complete"/);
});

test('without one there are none', { timeout: 60_000 }, async () => {
  const output = await outputOf({ NODE_OPTIONS: '' });
  expect(output).toContain('"msg":"the procedure version is verified and complete"');
  expect(output).not.toMatch(/trace_id|^span /m);
});
