// Every program of docs/upgrades.md compiles and runs, and no refusal is missing from its table.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';

const ROOT = resolve(import.meta.dirname, '..');
const PAGE = 'docs/upgrades.md';
const text = readFileSync(join(ROOT, PAGE), 'utf8');

const programs = programsOf(text);
// Beside the tests, so that packages are found as they are by a test.
const folder = mkdtempSync(join(import.meta.dirname, '.docs-upgrades-'));
for (const { line, code } of programs) writeFileSync(join(folder, `line-${line}.ts`), code);

afterAll(() => {
  rmSync(folder, { recursive: true });
});

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
    expect(compilerSays()).toBe('');
  });

  for (const { line } of programs) {
    describe(`line ${line}`, async () => {
      await import(join(folder, `line-${line}.ts`));
    });
  }
});

interface Program {
  readonly line: number;
  readonly code: string;
}

function programsOf(page: string): readonly Program[] {
  const lines = page.split('\n');
  return lines.flatMap((line, index) =>
    line === '```ts' ? [{ line: index + 1, code: lines.slice(index + 1, lines.indexOf('```', index + 1)).join('\n') }] : [],
  );
}

/** What the compiler says about all programs; empty if they are sound. */
function compilerSays(): string {
  const off = { composite: false, incremental: false, declaration: false, declarationMap: false, sourceMap: false };
  const config = { extends: '../../tsconfig.base.json', compilerOptions: { ...off, noEmit: true }, include: ['*.ts'] };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
  try {
    const compiler = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
    execFileSync(process.execPath, [compiler, '-p', folder], { encoding: 'utf8' });
    return '';
  } catch (error) {
    return (error as { readonly stdout?: string }).stdout ?? String(error);
  }
}
