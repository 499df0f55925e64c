// The page as one HTML file that needs nothing else: no script, no font, no picture from anywhere.
import type { Block, Page } from './page.ts';

const STYLE = `
:root { color-scheme: light dark; --ink: #1f2328; --paper: #fff; --faint: #656d76; --line: #d0d7de; --box: #f6f8fa; --pass: #1a7f37; --violation: #cf222e; --incomplete: #9a6700; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6edf3; --paper: #0d1117; --faint: #8d96a0; --line: #30363d; --box: #161b22; --pass: #3fb950; --violation: #f85149; --incomplete: #d29922; } }
body { margin: 0 auto; max-width: 62rem; padding: 2rem 1rem; font: 16px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper); }
h1 { font-size: 1.6rem; margin: 0 0 .5rem; } h2 { font-size: 1.15rem; margin: 2rem 0 .5rem; }
.verdict { border-left: .4rem solid; padding: .5rem .8rem; background: var(--box); font-weight: 600; }
.pass { border-color: var(--pass); color: var(--pass); } .violation { border-color: var(--violation); color: var(--violation); } .incomplete { border-color: var(--incomplete); color: var(--incomplete); }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .2rem 1rem; } dt { color: var(--faint); } dd { margin: 0; }
.wide { overflow-x: auto; } table { border-collapse: collapse; font-size: .9rem; } th, td { border: 1px solid var(--line); padding: .25rem .5rem; text-align: right; white-space: nowrap; } th:first-child, td:first-child { text-align: left; }
pre { background: var(--box); border: 1px solid var(--line); padding: .8rem; overflow-x: auto; font: .85rem/1.45 ui-monospace, monospace; } li { overflow-wrap: anywhere; }
`;

/** A whole document. */
export function pageHtml({ title, verdict, says, facts, sections }: Page): string {
  return [
    '<!doctype html>',
    '<html lang="en">',
    '<head>',
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>${escaped(title)}</title>`,
    `<style>${STYLE}</style>`,
    '</head>',
    '<body>',
    `<h1>${escaped(title)}</h1>`,
    `<p class="verdict ${verdict}">${escaped(says)}</p>`,
    `<dl>${facts.map(([name, value]) => `<dt>${escaped(name)}</dt><dd>${escaped(value)}</dd>`).join('')}</dl>`,
    ...sections.flatMap((section) => [`<h2>${escaped(section.title)}</h2>`, ...section.blocks.map(block)]),
    '</body>',
    '</html>',
    '',
  ].join('\n');
}

function block(one: Block): string {
  switch (one.type) {
    case 'text':
      return `<p>${escaped(one.text)}</p>`;
    case 'list':
      return `<ul>${one.items.map((item) => `<li>${escaped(item)}</li>`).join('')}</ul>`;
    case 'code':
      return `<pre>${escaped(one.text)}</pre>`;
    case 'table':
      return `<div class="wide"><table><thead>${row(one.header, 'th')}</thead><tbody>${one.rows.map((cells) => row(cells, 'td')).join('')}</tbody></table></div>`;
  }
}

const row = (cells: readonly string[], tag: 'th' | 'td'): string => `<tr>${cells.map((cell) => `<${tag}>${escaped(cell)}</${tag}>`).join('')}</tr>`;

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text: string): string => text.replace(/[&<>"]/g, (character) => ENTITIES[character] ?? character);
