import { describe, expect, it } from 'vitest';
import { parseLabelSelector } from './label-selector.ts';

const matches = (selector: string, labels?: Record<string, string>): boolean =>
  parseLabelSelector(selector)?.matches(labels) ?? true;

describe('a label selector', () => {
  it.each([
    ['a=b', { a: 'b' }, true],
    ['a==b', { a: 'c' }, false],
    ['a!=b', {}, true],
    ['a!=b', { a: 'b' }, false],
    ['a in (b, c)', { a: 'c' }, true],
    ['a in (b,c)', {}, false],
    ['a notin (b,c)', {}, true],
    ['a notin (b,c)', { a: 'b' }, false],
    ['a', { a: '' }, true],
    ['!a', { a: '' }, false],
    ['a=', { a: '' }, true],
    ['x.y/z=1,!b,c in (d)', { 'x.y/z': '1', c: 'd' }, true],
    ['in in (in)', { in: 'in' }, true],
    ['a>3', { a: '4' }, true],
    ['a<3', { a: '4' }, false],
    ['', {}, true],
  ])('%j on %j is %j', (selector, labels, expected) => {
    expect(matches(selector, labels)).toBe(expected);
  });

  it.each(['a in b', 'a in (b', 'a=b,', ',', '-a=b', 'a=-b', 'a b', '!', 'a>x', 'a=b=c'])(
    '%j is refused with 400',
    (selector) => {
      expect(() => parseLabelSelector(selector)).toThrow(expect.objectContaining({ code: 400 }));
    },
  );
});
