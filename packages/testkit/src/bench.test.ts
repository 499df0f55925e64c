// What the benchmark explores is what its name says.
import { expect, test } from 'vitest';
import { benchCrashes, bundleOf } from './bench.ts';

test('a bundle has so many children, objects and versions', () => {
  const { kinds, examples } = bundleOf({ children: 3, owners: 2, versions: 4 });
  expect(examples.map(({ metadata }) => metadata.name)).toEqual(['bundle-1', 'bundle-2']);
  expect(kinds[0]?.procedures.map(({ version, actions }) => [version, actions.size])).toEqual([['4.0.0', 3], ['3.0.0', 3], ['2.0.0', 3], ['1.0.0', 3]]);
});

test('each child is one write more, and each object as many as the first', async () => {
  const writesOf = async (children: number, owners: number): Promise<number> => (await benchCrashes({ children, owners }, 1)).writes;
  const [one, two, twice] = [await writesOf(1, 1), await writesOf(2, 1), await writesOf(1, 2)];
  expect([two - one, twice]).toEqual([1, 2 * one]);
}, 30_000);
