// The enrollment package, explored over its three versions: installs, every declared hop, the ways back, edits, failing
// requests, and what its versions left in clusters.
import { DEFAULT_MODES, explorationText, exploreCatalog } from '@pawl/testkit';
import { expect, test } from 'vitest';
import { enrollments } from './packages.ts';

test('no kill and no failed request leaves an Enrollment wrong', async () => {
  const result = await exploreCatalog(enrollments.package, { ...enrollments.options, budgetMs: 25_000 });
  expect(result.failures.length, explorationText(result)).toBe(0);
  expect(result.crashPoints).toBeGreaterThan(30);
  expect(new Set(result.coverage.map(({ mode }) => mode))).toEqual(new Set([...DEFAULT_MODES, 'recorded']));
}, 90_000);
