// A plan is data: what was found once is found again from a file, and a run from a snapshot is the run from the start.
import website from '@pawl/example-website';
import { exploreCatalog, parsePlan, replayPlan, type Plan } from '@pawl/testkit';
import { expect, test } from 'vitest';
import { allCases } from './cases/all.ts';
import { thing } from './cases/shared.ts';

test.each(allCases.slice(3, 5))('found again from a file: $name', async ({ faulty, repaired, modes, options }) => {
  const { failures } = await exploreCatalog(faulty, { ...options, modes, budgetMs: 20_000, mostFailures: 1 });
  const [failure] = failures;
  if (failure === undefined) throw new Error('nothing was found');
  const plan = parsePlan(JSON.stringify(failure.found));
  const again = await replayPlan(faulty, plan, options);
  expect(again?.violations[0]?.check).toBe(failure.violations[0]?.check);
  expect(await replayPlan(repaired, plan, options)).toBeUndefined();
}, 60_000);

test('a plan of another kind or version is refused by name', async () => {
  const plan: Plan = { kind: 'Website', deed: { does: 'create' }, turns: [{ release: { upTo: '9.0.0' } }], faults: [], seed: 1 };
  const objects = [{ ...thing({}), apiVersion: 'example.pawl.dev/v1alpha1', kind: 'Website', spec: { html: 'x' } }];
  await expect(replayPlan(website, plan, { objects })).rejects.toThrow('versions: found 9.0.0; allowed are 1.0.0, 2.0.0');
  await expect(replayPlan(website, { ...plan, kind: 'Page' }, { objects })).rejects.toThrow('kind: found Page; allowed are Website');
});

test.each([
  ['no JSON', 'nonsense', /is not JSON/],
  ['no plan', '{"kind": 1}', /kind: allowed is the name of a kind; deed: .*; turns: .*; faults: .*; seed: /],
])('a file with %s is refused', (_what, text, says) => {
  expect(() => parsePlan(text)).toThrow(says);
});
