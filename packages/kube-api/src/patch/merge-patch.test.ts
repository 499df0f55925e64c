import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { StatusError } from '../errors.ts';
import { freezeJson } from '../json.ts';
import type { Json } from '../json.ts';
import { applyMergePatch, mergeValue } from './merge-patch.ts';

describe('merge patch', () => {
  // The examples of RFC 7386, appendix A.
  it.each<[Json, Json, Json]>([
    [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
    [{ a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
    [{ a: 'b' }, { a: null }, {}],
    [{ a: 'b', b: 'c' }, { a: null }, { b: 'c' }],
    [{ a: ['b'] }, { a: 'c' }, { a: 'c' }],
    [{ a: 'c' }, { a: ['b'] }, { a: ['b'] }],
    [{ a: { b: 'c' } }, { a: { b: 'd', c: null } }, { a: { b: 'd' } }],
    [{ a: [{ b: 'c' }] }, { a: [1] }, { a: [1] }],
    [
      ['a', 'b'],
      ['c', 'd'],
      ['c', 'd'],
    ],
    [{ a: 'b' }, ['c'], ['c']],
    [{ a: 'foo' }, null, null],
    [{ a: 'foo' }, 'bar', 'bar'],
    [{ e: null }, { a: 1 }, { e: null, a: 1 }],
    [[1, 2], { a: 'b', c: null }, { a: 'b' }],
    [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
  ])('%j with %j is %j', (target, patch, result) => {
    expect(mergeValue(freezeJson(target), freezeJson(patch))).toEqual(result);
  });

  it('gives the object back if nothing changes', () => {
    const object = freezeJson({ a: { b: [1] }, c: 2 });
    expect(applyMergePatch(object, { a: { b: [1], x: null } })).toBe(object);
  });

  it('refuses what is no object', () => {
    expect(() => applyMergePatch({}, [])).toThrow(new StatusError(400, 'BadRequest', 'Invalid JSON Patch'));
  });

  it('leaves no null of a patch behind', () => {
    fc.assert(
      fc.property(
        fc.jsonValue({ maxDepth: 3 }),
        fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 })),
        (target, patch) => {
          const result = mergeValue(target as Json, patch as Json) as Record<string, Json>;
          for (const [key, value] of Object.entries(patch))
            if (value === null) expect(Object.keys(result)).not.toContain(key);
        },
      ),
    );
  });
});
