// One page in three formats: the same facts, and words that stay words.
import { expect, test } from 'vitest';
import { pageHtml } from './html.ts';
import { pageMarkdown } from './markdown.ts';
import type { Page } from './page.ts';

const page: Page = {
  title: 'boxes certified against boxes@1.4.0',
  verdict: 'violation',
  says: 'Violation: something is wrong.',
  facts: [['Seed', '7']],
  sections: [
    { title: 'Hops', blocks: [{ type: 'table', header: ['', 'upgrade'], rows: [['1.0.0 → 2.0.0', '9 (8)']] }] },
    { title: 'Findings', blocks: [{ type: 'text', text: 'text is "<script>" & more | `x`' }, { type: 'code', text: 'a < b\n```\nc' }, { type: 'list', items: ['one\n# two'] }] },
  ],
};

test('HTML escapes what was found, and stands alone', () => {
  const html = pageHtml(page);
  expect(html).toContain('<p>text is &quot;&lt;script&gt;&quot; &amp; more | `x`</p>');
  expect(html).toContain('<pre>a &lt; b\n```\nc</pre>');
  expect(html).toContain('<tr><td>1.0.0 → 2.0.0</td><td>9 (8)</td></tr>');
  expect(html).not.toMatch(/<script|src=|href=|@import/);
});

test('Markdown keeps cells in their columns, fences closed and lines in their list', () => {
  const markdown = pageMarkdown(page);
  expect(markdown).toContain('|  | upgrade |\n|---|---|\n| 1.0.0 → 2.0.0 | 9 (8) |');
  expect(markdown).toContain('text is "\\<script\\>" & more | `x`');
  expect(markdown).toContain('````text\na < b\n```\nc\n````');
  expect(markdown).toContain('- one # two');
});
