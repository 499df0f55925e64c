import { describe, expect, it } from 'vitest';
import { compileJsonPath } from './json-path.ts';

const value = {
  a: {
    'b.c': 1,
    list: [
      { n: 'x', v: 1 },
      { n: 'y', v: 2 },
    ],
  },
  d: null,
};

describe('a path of a printer column', () => {
  it.each([
    ['.a.list[0].v', [1]],
    ['.a.list[-1].v', [2]],
    ['.a.list[*].v', [1, 2]],
    ['.a.list[?(@.n=="y")].v', [2]],
    [".a['b.c']", [1]],
    ['.a.b\\.c', [1]],
    ['$.a.list[1].n', ['y']],
    ['.nothing.there', []],
    ['.d', [null]],
  ])('%s finds %j', (path, found) => {
    expect(compileJsonPath(path)?.(value)).toEqual(found);
  });

  it.each(['.a[', '.a[?(@.n>1)]', 'a..b', '.a b['])('%s is none', (path) => {
    expect(compileJsonPath(path)).toBeUndefined();
  });
});
