// The programs of a documentation page, as files beside the tests, where packages are found as they are by a test.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Program {
  /** Line of the page that its block begins at. */
  readonly line: number;
  readonly code: string;
}

/** The TypeScript blocks of a page. */
export function programsOf(page: string): readonly Program[] {
  const lines = page.split('\n');
  return lines.flatMap((line, index) =>
    line === '```ts' ? [{ line: index + 1, code: lines.slice(index + 1, lines.indexOf('```', index + 1)).join('\n') }] : [],
  );
}

/** Programs as files of one folder; to be removed after use. */
export class ProgramFolder {
  readonly #folder = mkdtempSync(join(import.meta.dirname, '.docs-'));

  constructor(programs: readonly Program[]) {
    for (const program of programs) writeFileSync(this.fileOf(program), program.code);
  }

  fileOf = ({ line }: Program): string => join(this.#folder, `line-${line}.ts`);

  /** What the compiler says about all of them; empty if they are sound. */
  compilerSays = (): string => {
    const off = { composite: false, incremental: false, declaration: false, declarationMap: false, sourceMap: false };
    const config = { extends: '../../tsconfig.base.json', compilerOptions: { ...off, noEmit: true }, include: ['*.ts'] };
    writeFileSync(join(this.#folder, 'tsconfig.json'), JSON.stringify(config));
    const compiler = join(import.meta.dirname, '..', 'node_modules', 'typescript', 'bin', 'tsc');
    try {
      execFileSync(process.execPath, [compiler, '-p', this.#folder], { encoding: 'utf8' });
      return '';
    } catch (error) {
      return (error as { readonly stdout?: string }).stdout ?? String(error);
    }
  };

  remove = (): void => rmSync(this.#folder, { recursive: true });
}
