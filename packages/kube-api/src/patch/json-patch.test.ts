import { describe, expect, it } from 'vitest';
import { StatusError } from '../errors.ts';
import { freezeJson } from '../json.ts';
import type { Json } from '../json.ts';
import { applyJsonPatch } from './json-patch.ts';

const object = freezeJson({
  metadata: { labels: { 'a/b': 'x' } },
  spec: { list: [1, 2], deep: { a: 1 } },
  other: { z: 1 },
});

function failure(operations: Json): [number, string] {
  try {
    applyJsonPatch(object, operations);
  } catch (error) {
    if (error instanceof StatusError) return [error.code, error.message];
    throw error;
  }
  throw new Error('nothing was thrown');
}

describe('JSON patch', () => {
  it('carries out all operations without touching the object', () => {
    const result = applyJsonPatch(object, [
      { op: 'test', path: '/spec/list/0', value: 1 },
      { op: 'add', path: '/spec/list/-', value: 3 },
      { op: 'replace', path: '/metadata/labels/a~1b', value: 'y' },
      { op: 'copy', from: '/spec/deep', path: '/spec/copy' },
      { op: 'move', from: '/spec/deep', path: '/moved' },
      { op: 'remove', path: '/spec/list/0' },
    ]);
    expect(result).toEqual({
      metadata: { labels: { 'a/b': 'y' } },
      spec: { list: [2, 3], copy: { a: 1 } },
      moved: { a: 1 },
      other: { z: 1 },
    });
    expect((result as typeof object).other).toBe(object.other);
    expect(object.spec.list).toEqual([1, 2]);
  });

  it('adds a member that it should replace and does not find', () => {
    const result = applyJsonPatch(object, [{ op: 'replace', path: '/other/new', value: 1 }]);
    expect(result).toMatchObject({ other: { z: 1, new: 1 } });
  });

  it('gives the object back if nothing changes', () => {
    expect(applyJsonPatch(object, [{ op: 'replace', path: '/other/z', value: 1 }])).toBe(object);
  });

  const rejected: [number, string] = [422, 'the server rejected our request due to an error in our request'];

  it.each<[Json]>([
    [{ op: 'test', path: '/other/z', value: 2 }],
    [{ op: 'add', path: '/nope/a', value: 1 }],
    [{ op: 'remove', path: '/nope' }],
    [{ op: 'replace', path: '/spec/list/9', value: 1 }],
    [{ op: 'fly', path: '/spec' }],
    [{ op: 'add', path: 'spec', value: 1 }],
  ])('answers 422 to %j', (operation) => {
    expect(failure([operation])).toEqual(rejected);
  });

  it('answers 400 to what is no list of operations', () => {
    expect(failure({})).toEqual([400, 'json: cannot unmarshal object into Go value of type jsonpatch.Patch']);
  });

  it('answers 413 to more than ten thousand operations', () => {
    const many = Array.from({ length: 10_001 }, () => ({ op: 'remove', path: '/x' }));
    expect(failure(many)[0]).toBe(413);
  });
});
