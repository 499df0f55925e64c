// The page as Markdown, for release notes and reviews.
import type { Block, Page } from './page.ts';

/** A whole file. */
export function pageMarkdown({ title, says, facts, sections }: Page): string {
  const parts = [
    `# ${escaped(title)}`,
    `**${escaped(says)}**`,
    facts.map(([name, value]) => `- ${name}: ${escaped(value)}`).join('\n'),
    ...sections.flatMap((section) => [`## ${section.title}`, ...section.blocks.map(block)]),
  ];
  return `${parts.join('\n\n')}\n`;
}

function block(one: Block): string {
  switch (one.type) {
    case 'text':
      return escaped(one.text);
    case 'list':
      return one.items.map((item) => `- ${escaped(item)}`).join('\n');
    case 'code':
      return `${fenceFor(one.text)}text\n${one.text}\n${fenceFor(one.text)}`;
    case 'table':
      return [row(one.header), `|${one.header.map(() => '---').join('|')}|`, ...one.rows.map(row)].join('\n');
  }
}

const row = (cells: readonly string[]): string => `| ${cells.map((cell) => escaped(cell).replaceAll('|', '\\|')).join(' | ')} |`;

/** Longer than any that stands in the text. */
const fenceFor = (text: string): string => '`'.repeat(Math.max(3, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length + 1)));

/** Words stay words: what would be markup, or a line of its own, is not. */
const escaped = (text: string): string => text.replace(/\s*\n\s*/g, ' ').replace(/[\\*_<>[\]]/g, '\\$&');
