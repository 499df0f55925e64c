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
  const [, quoted = ''] = /```text\n([^`]*)```/.exec(document) ?? [];
  expect(explorationText(result)).toContain(quoted.trim());
}, 60_000);
