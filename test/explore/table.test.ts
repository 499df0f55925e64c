// The documentation says what the cases are, and the planted bug in it is found as it says.
import { readFileSync } from 'node:fs';
import { explorationText, exploreCatalog } from '@pawl/testkit';
import { expect, test } from 'vitest';
import { allCases } from './cases/all.ts';
import { casesTable, documentedTable } from './table.ts';

test('the table of cases is up to date', () => {
  expect(documentedTable(), 'run: node --conditions=@pawl/source test/explore/table.ts').toBe(casesTable());
});

test('the planted bug is reported in the words of the document', async () => {
  const planted = allCases.find(({ name }) => name.startsWith('the second of two secrets'));
  if (planted === undefined) throw new Error('the case is gone');
  const result = await exploreCatalog(planted.faulty, { ...planted.options, modes: ['install'], budgetMs: 20_000 });
  const document = readFileSync(new URL('../../docs/exploring.md', import.meta.url), 'utf8');
  const [quoted = '', because = ''] = Array.from(document.matchAll(/```text\n([^`]*)```/g), ([, text = '']) => text);
  // Revisions count what the server did before, which is no matter of the report.
  const counted = (text: string): string => text.replace(/@\d+/g, '@N');
  expect(explorationText(result)).toContain(quoted.trim());
  expect(counted(explorationText(result))).toContain(counted(because).trim());
}, 60_000);
