// The website example, explored: whatever kills the operator and whenever, every end is that of a fresh install.
import { expect, test } from 'vitest';
import website from '@pawl/example-website';
import { explorationText, exploreCatalog } from '@pawl/testkit';

const hello = {
  apiVersion: 'example.pawl.dev/v1alpha1',
  kind: 'Website',
  metadata: { name: 'hello', namespace: 'default' },
  spec: { replicas: 2, html: '<h1>Hello</h1>' },
};

test('no kill and no failed request leaves a Website wrong', async () => {
  const result = await exploreCatalog(website, {
    objects: [hello],
    edits: [{ spec: { html: '<h1>Other</h1>' } }],
    budgetMs: 20_000,
  });
  expect(result.failures, explorationText(result)).toEqual([]);
  expect(result.actions.silent).toEqual([]);
  expect(result.crashPoints).toBeGreaterThan(50);
  expect(result.repeated).toBeGreaterThan(0);
  expect(new Set(result.coverage.map(({ mode }) => mode))).toEqual(
    new Set(['install', 'upgrade', 'interrupted', 'rollback', 'teardown', 'edit', 'requests']),
  );
}, 60_000);
