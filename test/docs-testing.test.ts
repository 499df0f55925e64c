// Every program of docs/testing.md compiles, and its tests pass: they are read from the page and run here.
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { ProgramFolder, programsOf } from './page-programs.ts';

const ROOT = resolve(import.meta.dirname, '..');
const PAGE = 'docs/testing.md';

const programs = programsOf(readFileSync(join(ROOT, PAGE), 'utf8'));
const folder = new ProgramFolder(programs);
afterAll(folder.remove);

describe(PAGE, () => {
  it('has programs', () => {
    expect(programs.length).toBeGreaterThan(3);
  });

  it('has only programs that compile', { timeout: 120_000 }, () => {
    expect(folder.compilerSays()).toBe('');
  });

  for (const program of programs) {
    describe(`line ${program.line}`, async () => {
      await import(folder.fileOf(program));
    });
  }
});
