// The website example, explored: whatever kills the operator and whenever, every end is that of a fresh install.
import { expect, test } from 'vitest';
import { DEFAULT_MODES, explorationText, exploreCatalog } from '@pawl/testkit';
import { websites } from './packages.ts';

test('no kill and no failed request leaves a Website wrong', async () => {
  const result = await exploreCatalog(websites.package, { ...websites.options, budgetMs: 25_000 });
  expect(result.failures.length, explorationText(result)).toBe(0);
  expect(result.actions.silent).toEqual([]);
  expect(result.crashPoints).toBeGreaterThan(50);
  expect(result.repeated).toBeGreaterThan(0);
  expect(new Set(result.coverage.map(({ mode }) => mode))).toEqual(new Set([...DEFAULT_MODES, 'recorded']));
}, 60_000);
