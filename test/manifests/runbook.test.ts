// Whatever an alert or a condition can name has its section in the runbook.
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { generate } from './generate.ts';
import { anchorOf, runbook, textsOfReasons } from './runbook.ts';
import { CONDITIONS } from './runbook-others.ts';
import { REASONS } from './runbook-reasons.ts';

const anchors = new Set([...runbook().matchAll(/^### (.+)$/gm)].map(([, title = '']) => anchorOf(title)));
const sourceOf = (path: string): string => readFileSync(new URL(`../../packages/${path}`, import.meta.url), 'utf8');

describe('the runbook', () => {
  test('in docs is up to date (vitest --update writes it)', async () => {
    await expect(runbook()).toMatchFileSnapshot('../../docs/runbook.md');
  });

  test('quotes the text of every reason', () => {
    const texts = textsOfReasons();
    expect(Object.keys(REASONS).filter((reason) => !texts.has(reason))).toEqual([]);
  });

  test('has a section for every reason that conditions and Actions can have', () => {
    const sources = ['reconciler/src/kubernetes/status.ts', 'reconciler/src/cycle.ts', 'reconciler/src/combinators.ts'].map(sourceOf).join('\n');
    const results = sourceOf('reconciler/src/result-of-error.ts');
    const literals = [
      ...sources.matchAll(/\breason: '(\w+)'/g),
      ...sources.matchAll(/\badd\('\w+', '\w+', '(\w+)'/g),
      ...sources.matchAll(/\b(?:undetermined|pending)\('(\w+)'/g),
      ...results.matchAll(/undetermined\('(\w+)'/g),
    ].map(([, reason = '']) => reason);
    // `Terminal` is shown as TerminalError, and what is known after an apply only in plans.
    const told = new Set(literals.filter((reason) => !['Terminal', 'KnownAfterApply', 'NotApplicable'].includes(reason)));
    expect(told.size).toBeGreaterThan(10);
    expect([...told].filter((reason) => !anchors.has(anchorOf(reason)))).toEqual([]);
  });

  test('has a section for every phase', () => {
    const [, names = ''] = /export type Phase =([^;]+);/.exec(sourceOf('reconciler/src/kubernetes/phase.ts')) ?? [];
    const phases = [...names.matchAll(/'(\w+)'/g)].map(([, phase = '']) => phase).filter((phase) => phase !== 'Steady');
    expect(phases.length).toBeGreaterThan(8);
    expect(phases.filter((phase) => !anchors.has(anchorOf(phase)))).toEqual([]);
  });

  test('has a section for every alert', async () => {
    const links = [...(await generate('--monitoring')).matchAll(/runbook_url: .*#(.+)$/gm)].map(([, anchor = '']) => anchor);
    expect(links.length).toBeGreaterThan(5);
    expect(links.filter((anchor) => !anchor.startsWith('{{') && !anchors.has(anchor))).toEqual([]);
    expect(links).toContain('{{ $labels.reason | toLower }}');
  });

  test('has no section twice, and no link that leads nowhere', () => {
    const text = runbook();
    expect([...text.matchAll(/^### (.+)$/gm)].length).toBe(anchors.size);
    expect([...text.matchAll(/\]\(#([\w-]+)\)/g)].map(([, anchor = '']) => anchor).filter((anchor) => !anchors.has(anchor))).toEqual([]);
    expect(Object.keys(CONDITIONS)).toContain('RolloutHeld');
  });
});
