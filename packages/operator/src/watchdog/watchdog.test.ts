// A real process that an Action blocks: it ends itself, and says which Action, which object and which line.
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';

const PROGRAM = fileURLToPath(new URL('./testing/blocking-process.ts', import.meta.url));

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pawl-watchdog-'));
});
afterEach(() => rm(folder, { recursive: true }));

test.each(['loop', 'expression'])('a process blocked by a %s', async (how) => {
  const [report, termination] = [join(folder, 'report'), join(folder, 'termination')];
  const child = spawn(process.execPath, ['--conditions=@pawl/source', PROGRAM, how, report, termination]);
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  const code = await new Promise((resolve) => child.once('close', (exitCode, signal) => resolve(signal ?? exitCode)));
  expect(code).toBe(70);
  expect(JSON.parse(await readFile(report, 'utf8'))).toMatchObject({
    active: { action: 'Waits', kind: 'Page', name: 'poisoned', uid: 'uid-poisoned', generation: 4 },
    where: expect.arrayContaining([expect.stringMatching(/^neverEnds \(testing\/blocking-process\.ts:\d+\)$/)]) as unknown,
    release: 'test:1',
  });
  expect(await readFile(termination, 'utf8')).toMatch(/^Action Waits of Page default\/poisoned has blocked the process for 0\.\d seconds/);
  expect(errors).toContain('"service":"test","action":"Waits"');
}, 30_000);
