// Every program of docs/testing.md compiles, and its tests pass: they are read from the page and run here.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';

const ROOT = resolve(import.meta.dirname, '..');
const PAGE = 'docs/testing.md';

const programs = programsOf(readFileSync(join(ROOT, PAGE), 'utf8'));
// Beside the tests, so that packages are found as they are by a test.
const folder = mkdtempSync(join(import.meta.dirname, '.docs-testing-'));
for (const { line, code } of programs) writeFileSync(join(folder, `line-${line}.ts`), code);

afterAll(() => {
  rmSync(folder, { recursive: true });
});

describe(PAGE, () => {
  it('has programs', () => {
    expect(programs.length).toBeGreaterThan(3);
  });

  it('has only programs that compile', { timeout: 120_000 }, () => {
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

function programsOf(text: string): readonly Program[] {
  const lines = text.split('\n');
  return lines.flatMap((line, index) => {
    if (line !== '```ts') return [];
    return [{ line: index + 1, code: lines.slice(index + 1, lines.indexOf('```', index + 1)).join('\n') }];
  });
}

/** What the compiler says about all programs; empty if they are sound. */
function compilerSays(): string {
  const compilerOptions = {
    composite: false,
    incremental: false,
    noEmit: true,
    declaration: false,
    declarationMap: false,
    sourceMap: false,
  };
  const config = { extends: '../../tsconfig.base.json', compilerOptions, include: ['*.ts'] };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
  try {
    execFileSync(process.execPath, [join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc'), '-p', folder], {
      encoding: 'utf8',
    });
    return '';
  } catch (error) {
    return (error as { readonly stdout?: string }).stdout ?? String(error);
  }
}
