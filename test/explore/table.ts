// The table of docs/exploring.md: which mistake is found in which way. Run this file to write it.
import { readFileSync, writeFileSync } from 'node:fs';
import { allCases } from './cases/all.ts';
import { prevented } from './cases/impossible.ts';

const DOCUMENT = new URL('../../docs/exploring.md', import.meta.url);
const [BEGIN, END] = ['<!-- cases: begin -->', '<!-- cases: end -->'];

/** The table as it must be. */
export function casesTable(): string {
  const found = allCases.map(({ name, reported, modes, foundBy }) => `| ${name} | ${reported} | found: \`${modes.join(', ')}\` | ${foundBy} |`);
  const impossible = prevented.map(({ name, reported, because }) => `| ${name} | ${reported} | cannot happen | ${because} |`);
  const refused = [
    '| a claim of a living cluster is deleted by the name of a former one | pravega/zookeeper-operator 312 | cannot happen | a deletion names the uid of what was observed |',
  ];
  return ['| Mistake | Reported as | How | By |', '|---|---|---|---|', ...found, ...impossible, ...refused].join('\n');
}

/** The table as the document has it. */
export function documentedTable(): string {
  const text = readFileSync(DOCUMENT, 'utf8');
  return text.slice(text.indexOf(BEGIN) + BEGIN.length, text.indexOf(END)).trim();
}

if (import.meta.main) {
  const text = readFileSync(DOCUMENT, 'utf8');
  writeFileSync(DOCUMENT, `${text.slice(0, text.indexOf(BEGIN) + BEGIN.length)}\n${casesTable()}\n${text.slice(text.indexOf(END))}`);
}
