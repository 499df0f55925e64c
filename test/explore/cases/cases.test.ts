// Every mistake is found, by the check that it is about, and its repaired twin is not complained about.
import { describe, expect, test } from 'vitest';
import { explorationText, exploreCatalog } from '@pawl/testkit';
import { allCases } from './all.ts';
import { settingsOf } from './shared.ts';

describe.each(allCases)('$name', (each) => {
  const { faulty, repaired, foundBy } = each;
  const explored = async (what: typeof faulty): ReturnType<typeof exploreCatalog> => exploreCatalog(what, { ...(await settingsOf(each)), mostFailures: 1 });

  test(`is found: ${foundBy}`, async () => {
    const result = await explored(faulty);
    const checks = result.failures.flatMap(({ violations }) => violations.map(({ check }) => check));
    expect(checks, explorationText(result)).toContain(foundBy);
  }, 60_000);

  test('is not found in the repaired twin', async () => {
    const result = await explored(repaired);
    expect(result.failures.length, explorationText(result)).toBe(0);
    expect(result.notRun).toEqual([]);
    expect(result.runs).toBeGreaterThan(3);
  }, 60_000);
});
