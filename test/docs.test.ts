// The documentation is true as far as a machine can tell: code compiles or stands in the code, commands and links exist.
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { createProgram, type Ports } from '@pawl/cli';
import { describe, expect, it } from 'vitest';
import { ProgramFolder } from './page-programs.ts';

const ROOT = resolve(import.meta.dirname, '..');
const PAGES = ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', ...pagesIn('docs')];

/** A fenced block of a page. */
interface Block {
  readonly page: string;
  readonly line: number;
  readonly language: string;
  readonly code: string;
  /** The file that the block quotes, from a comment above it. */
  readonly source: string | undefined;
}

const texts = new Map(PAGES.map((page) => [page, readFileSync(join(ROOT, page), 'utf8')] as const));
const blocks = [...texts].flatMap(([page, text]) => blocksOf(page, text));

describe('the README', () => {
  const text = texts.get('README.md') ?? '';

  it('shows code by line 20', () => {
    expect(blocks.find(({ page }) => page === 'README.md')?.line).toBeLessThanOrEqual(20);
  });

  it('has at most 600 words', () => {
    expect(text.split(/\s+/).filter((word) => word !== '').length).toBeLessThanOrEqual(600);
  });
});

describe('the example', () => {
  it('is at most 80 lines of code, as the README says', () => {
    const folder = join(ROOT, 'examples', 'website', 'src');
    const sources = readdirSync(folder).filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'));
    const lines = sources.flatMap((name) => readFileSync(join(folder, name), 'utf8').split('\n'));
    expect(lines.filter((line) => line.trim() !== '' && !line.startsWith('//')).length).toBeLessThanOrEqual(80);
  });
});

describe('the architecture page', () => {
  it('has at most 120 lines and one diagram', () => {
    expect((texts.get('ARCHITECTURE.md') ?? '').trimEnd().split('\n').length).toBeLessThanOrEqual(120);
    expect(blocks.filter(({ page, language }) => page === 'ARCHITECTURE.md' && language === 'mermaid')).toHaveLength(1);
  });
});

describe('code', () => {
  it.each(blocks.filter(({ source }) => source !== undefined))(
    'at $page:$line stands in $source',
    ({ source = '', code }) => {
      expect(readFileSync(join(ROOT, source), 'utf8')).toContain(code);
    },
  );

  it('of the README compiles', { timeout: 120_000 }, () => {
    const programs = blocks.filter(
      ({ page, language, code }) => page === 'README.md' && language === 'ts' && /^import /m.test(code),
    );
    expect(programs.length).toBeGreaterThan(0);
    for (const { code } of programs) expect(compilerSays(code)).toBe('');
  });

  it('quotes a file wherever it is not a whole program', () => {
    const loose = blocks.filter(
      ({ language, source, code }) => language === 'ts' && source === undefined && !/^import /m.test(code),
    );
    expect(loose.map(({ page, line }) => `${page}:${line}`)).toEqual([]);
  });
});

describe('commands', () => {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    readonly scripts: Readonly<Record<string, string>>;
  };
  const lines = [...texts].flatMap(([page, text]) => commandsIn(text).map((command) => ({ page, command })));

  it('of npm are scripts of the workspace', () => {
    const used = lines.flatMap(({ page, command }) => {
      const [, run, short] = /^npm (?:run (\S+)|(start|test))/.exec(command) ?? [];
      const script = run ?? short;
      return script === undefined ? [] : [{ page, script }];
    });
    expect(used.length).toBeGreaterThan(0);
    expect(used.filter(({ script }) => scripts[script] === undefined)).toEqual([]);
  });

  it('of pawl exist, with their flags', () => {
    const program = createProgram(NO_PORTS, 0, () => {});
    const faults = lines.flatMap(({ page, command }) => {
      const [, verb, rest = ''] =
        /^(?:npm run pawl -- |pawl )(\S+)(.*)/.exec(command) ??
        (command.startsWith('npm start -- ') ? [command, 'demo', command.slice(12)] : []);
      if (verb === undefined || verb.startsWith('-')) return [];
      const known = program.commands.find((candidate) => candidate.name() === verb);
      if (known === undefined) return [`${page}: pawl ${verb} does not exist`];
      const flags = rest.match(/(?<=\s)--[a-z-]+/g) ?? [];
      return flags
        .filter((flag) => !known.options.some(({ long }) => long === flag))
        .map((flag) => `${page}: pawl ${verb} has no ${flag}`);
    });
    expect(faults).toEqual([]);
  });
});

describe('links', () => {
  it('lead to files and headings that exist', () => {
    const faults = [...texts].flatMap(([page, text]) =>
      [...withoutBlocks(text).matchAll(/\]\(([^)\s]+)\)/g)].flatMap(([, link = '']) => {
        if (/^https?:/.test(link)) return [];
        const [path = '', heading] = link.split('#');
        const target = path === '' ? page : join(dirname(page), path);
        if (!existsSync(join(ROOT, target))) return [`${page} links to ${link}, which does not exist`];
        const isFound = heading === undefined || headingsOf(target).includes(heading);
        return isFound ? [] : [`${page} links to ${link}, and ${target} has no such heading`];
      }),
    );
    expect(faults).toEqual([]);
  });

  it('from the README reach every page', () => {
    const readme = texts.get('README.md') ?? '';
    expect(pagesIn('docs').filter((page) => !readme.includes(`(${page})`) && page !== 'docs/conformance.md')).toEqual(
      [],
    );
  });

  it('to files in the text name files that exist', () => {
    const named = [...texts].flatMap(([page, text]) =>
      [...withoutBlocks(text).matchAll(/`((?:packages|examples|test|docs|scripts)\/[\w./-]+)`/g)].map(
        ([, path = '']) => ({ page, path }),
      ),
    );
    expect(named.filter(({ path }) => !existsSync(join(ROOT, path)))).toEqual([]);
  });
});

/** For looking at the command line only: nothing is run. */
const NO_PORTS = { terminal: { write: () => {} }, writeError: () => {} } as unknown as Ports;

function blocksOf(page: string, text: string): readonly Block[] {
  const lines = text.split('\n');
  const found: Block[] = [];
  for (let index = 0; index < lines.length; index += 1) {
    const [, language] = /^```(\w+)$/.exec(lines[index] ?? '') ?? [];
    if (language === undefined) continue;
    const end = lines.indexOf('```', index);
    const [, source] = /^<!-- from (\S+) -->$/.exec(lines[index - 1] ?? '') ?? [];
    found.push({ page, line: index + 1, language, code: lines.slice(index + 1, end).join('\n'), source });
    index = end;
  }
  return found;
}

/** Lines of shell blocks, and what stands in backquotes in the text. */
function commandsIn(text: string): readonly string[] {
  const shell = blocksOf('', text).filter(({ language }) => language === 'sh' || language === 'console');
  const typed = shell
    .flatMap(({ code }) => code.replaceAll('\\\n', ' ').split('\n'))
    .map((line) => line.replace(/^\$ /, '').replace(/\s+#.*$/, ''));
  const inline = [...withoutBlocks(text).matchAll(/`((?:npm|pawl) [^`]+)`/g)].map(([, command = '']) =>
    command.replaceAll('\n', ' '),
  );
  return [...typed, ...inline];
}

function withoutBlocks(text: string): string {
  return text.replaceAll(/^```[\s\S]*?^```$/gm, '');
}

function headingsOf(page: string): readonly string[] {
  const text = readFileSync(join(ROOT, page), 'utf8');
  return [...withoutBlocks(text).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w\s-]/g, '')
      .trim()
      .replaceAll(/\s+/g, '-'),
  );
}

function pagesIn(folder: string): readonly string[] {
  return readdirSync(join(ROOT, folder)).flatMap((name) => (name.endsWith('.md') ? [`${folder}/${name}`] : []));
}

/** What the compiler says about a program; empty if it is sound. */
function compilerSays(code: string): string {
  const folder = new ProgramFolder([{ line: 1, code }]);
  try {
    return folder.compilerSays();
  } finally {
    folder.remove();
  }
}
