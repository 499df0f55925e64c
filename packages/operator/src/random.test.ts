// Chance of the machine.
import { expect, test } from 'vitest';
import { systemRandom } from './random.ts';

test('chance gives what it is asked for', () => {
  expect(systemRandom.bytes(5)).toHaveLength(5);
  expect(systemRandom.uuid()).not.toBe(systemRandom.uuid());
});
