// The enrollment package, explored over its three versions: installs, every declared hop, and the ways back.
import enrollment from '@pawl/procedures-enrollment';
import { explorationText, exploreCatalog } from '@pawl/testkit';
import { expect, test } from 'vitest';

test('no kill leaves an Enrollment wrong', async () => {
  const result = await exploreCatalog(enrollment, {
    modes: ['install', 'upgrade', 'interrupted', 'rollback', 'teardown'],
    budgetMs: 20_000,
    config: { openKinds: { SinkEntry: [{ apiVersion: 'v1', kind: 'ConfigMap', plural: 'configmaps' }] } },
    mayTouch: [{ path: 'liquidjs', why: 'it limits how long a template may render' }],
  });
  expect(result.failures.length, explorationText(result)).toBe(0);
  expect(result.crashPoints).toBeGreaterThan(30);
}, 60_000);
