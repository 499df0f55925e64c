// Every program of docs/upgrades.md compiles and runs, and no refusal is missing from its table.
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { ProgramFolder, programsOf } from './page-programs.ts';

const ROOT = resolve(import.meta.dirname, '..');
const PAGE = 'docs/upgrades.md';
const text = readFileSync(join(ROOT, PAGE), 'utf8');

const programs = programsOf(text);
const folder = new ProgramFolder(programs);
afterAll(folder.remove);

describe(PAGE, () => {
  it('says first when to raise the version, and when not', () => {
    expect(/^## (.*)$/m.exec(text)?.[1]).toBe('When to raise the version');
    expect(text).toContain('**same version**');
  });

  it('explains each reason that an object can show, with what to do', () => {
    const texts = readFileSync(join(ROOT, 'packages/reconciler/src/kubernetes/messages.expected.txt'), 'utf8');
    const reasons = texts.split('\n').filter((line) => /^[A-Z]\w+$/.test(line));
    expect(reasons.length).toBeGreaterThan(25);
    expect(reasons.filter((reason) => !text.includes(`| \`${reason}\` |`))).toEqual([]);
  });

  it('has only programs that compile', { timeout: 120_000 }, () => {
    expect(programs.length).toBeGreaterThan(1);
    expect(folder.compilerSays()).toBe('');
  });

  for (const program of programs) {
    describe(`line ${program.line}`, async () => {
      await import(folder.fileOf(program));
    });
  }
});
