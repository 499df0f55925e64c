import { describe, expect, it } from 'vitest';
import type { Surplus } from './delta.ts';
import { guardRemovals, type GuardInput } from './guard.ts';

const surplus = (id: string, reason: Surplus['reason'] = 'NotInSource'): Surplus => ({
  key: id,
  reason,
  entry: { id } as Surplus['entry'],
});
function guard(
  remove: readonly Surplus[],
  more: Partial<GuardInput> & { readonly source?: number; readonly enrolled?: number } = {},
) {
  const { source = 5, enrolled = 10, ...rest } = more;
  return guardRemovals({
    delta: { source, enrolled, remove, duplicates: [] },
    allowEmptySource: false,
    prunesDuplicates: false,
    ...rest,
  });
}

describe('the guard of removals', () => {
  it('lets all go that is within the limit', () => {
    expect(guard([surplus('a')], { maxRemovals: { count: 1 } })).toMatchObject({ allowed: [{ key: 'a' }], held: [] });
    expect(guard([surplus('a'), surplus('b')])).toMatchObject({ allowed: [{ key: 'a' }, { key: 'b' }], held: [] });
  });

  it('holds everything that is beyond, until exactly that is confirmed', () => {
    const two = [surplus('a'), surplus('b')];
    const { held, hold } = guard(two, { maxRemovals: { count: 1 } });
    expect(held).toHaveLength(2);
    expect(hold).toMatchObject({ reason: 'TooManyRemovals', count: 2, of: 10, limit: 1 });
    expect(guard(two, { maxRemovals: { count: 1 }, confirmed: hold?.confirm }).held).toEqual([]);
    expect(guard([...two, surplus('c')], { maxRemovals: { count: 1 }, confirmed: hold?.confirm }).held).toHaveLength(3);
  });

  it('holds everything when the source is empty, whatever the limit', () => {
    expect(guard([surplus('a')], { source: 0, maxRemovals: { count: 9 } }).hold?.reason).toBe('SourceEmpty');
    expect(guard([surplus('a')], { source: 0, allowEmptySource: true }).held).toEqual([]);
  });

  it('does not count what only moves to another sink, and lets it go', () => {
    const { allowed, held } = guard([surplus('a'), surplus('moved', 'SinkChanged')], { source: 0 });
    expect([allowed.map(({ key }) => key), held.map(({ key }) => key)]).toEqual([['moved'], ['a']]);
  });
});
