import { expect, test } from 'vitest';
import { Spellings } from './spellings.ts';

const CLAIM = { spec: { cpu: '1000m', list: [1] } };
const ANSWER = { metadata: { name: 'a' }, spec: { cpu: '1', list: [1], other: true } };

test('what the server made of a claim counts as the claim, until one of both is another', () => {
  const spellings = new Spellings();
  expect(spellings.holds('a', CLAIM, ANSWER)).toBe(false);
  spellings.learn('a', CLAIM, ANSWER);
  expect(spellings.holds('a', CLAIM, { ...ANSWER, status: 'changed' })).toBe(true);
  expect(spellings.holds('b', CLAIM, ANSWER)).toBe(false);
  expect(spellings.holds('a', { spec: { cpu: '2000m', list: [1] } }, ANSWER)).toBe(false);
  expect(spellings.holds('a', CLAIM, { spec: { cpu: '2', list: [1] } })).toBe(false);
  expect(spellings.holds('a', CLAIM, { spec: { cpu: '1', list: [1, 2] } })).toBe(false);
  expect(spellings.holds('a', CLAIM, {})).toBe(false);
});
