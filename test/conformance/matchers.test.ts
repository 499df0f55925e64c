// What a row may require of an answer.
import { describe, expect, it } from 'vitest';
import { absent, containing, exactly, from, mismatches, newer, other, present, size, text } from './matchers.ts';

const wrong = (expected: unknown, actual: unknown): readonly string[] => mismatches(expected, actual, 'body');

describe('mismatches', () => {
  it('compares the members named and leaves the others alone', () => {
    expect(wrong({ a: 1 }, { a: 1, b: 2 })).toEqual([]);
    expect(wrong({ a: { b: 1 } }, { a: { b: 2 } })).toEqual(['body.a.b: expected 1, found 2']);
  });

  it('compares lists item by item, with their length', () => {
    expect(wrong([{ a: 1 }, 2], [{ a: 1, b: 1 }, 2])).toEqual([]);
    expect(wrong([1], [1, 2])).toEqual(['body: expected 1 items [1], found [1,2]']);
  });

  it('names the path of what is missing', () => {
    expect(wrong({ a: { b: 1 } }, {})).toEqual(['body.a: expected an object {"b":1}, found nothing']);
  });

  it.each([
    [absent, undefined, null],
    [present, 0, undefined],
    [text('^a\\d$'), 'a1', 'b1'],
    [newer('9'), '10', '9'],
    [other('a'), 'b', 'a'],
    [containing({ a: 1 }, 2), [2, { a: 1, b: 1 }], [2]],
    [exactly({ a: 1 }), { a: 1 }, { a: 1, b: 2 }],
    [size(2), [1, 2], [1]],
    [from(3), 3, 2],
  ])('knows %j', (matcher, good, bad) => {
    expect(wrong(matcher, good)).toEqual([]);
    expect(wrong(matcher, bad)).toHaveLength(1);
  });
});
