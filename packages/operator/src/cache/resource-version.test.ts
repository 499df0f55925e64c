// Revisions compare as numbers of any length.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compareResourceVersions, hasReached, isOlder, newerOf } from './resource-version.ts';

test('as numbers do', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 10n ** 30n }), fc.bigInt({ min: 0n, max: 10n ** 30n }), (a, b) => {
      const order = compareResourceVersions(String(a), String(b)) ?? NaN;
      expect(Math.sign(order)).toBe(a < b ? -1 : a > b ? 1 : 0);
    }),
  );
});

test('9 is older than 10, and leading zeros mean nothing', () => {
  expect([isOlder('9', '10'), compareResourceVersions('0010', '10')]).toEqual([true, 0]);
});

test('what is no number is neither older nor newer', () => {
  expect([isOlder('a', 'b'), isOlder('b', 'a'), hasReached('a', 'b')]).toEqual([false, false, false]);
  expect([compareResourceVersions('a', 'a'), hasReached('a', 'a')]).toEqual([0, true]);
  expect([newerOf('5', '4'), newerOf('5', 'x'), newerOf(undefined, '4')]).toEqual(['5', 'x', '4']);
});
