import { describe, expect, it } from 'vitest';
import { computeDelta, type DeltaInput } from './delta.ts';
import type { Entry, Member } from './member.ts';

const member = (id: string): Member => ({ id, tags: {}, properties: {} });
const entry = (id: string, marks: Entry['marks'] = { sourceId: id }, more: Partial<Entry> = {}): Entry => ({
  id,
  tags: {},
  properties: {},
  marks,
  ownership: 'ours',
  place: {},
  isInSink: true,
  isReady: true,
  isDeleting: false,
  release: { requestedAt: undefined, isGiven: false },
  createdAt: '',
  ...more,
});
const keyOrFail = (id: string): string => {
  if (id.startsWith('error')) throw new Error(`not-matched:${id}`);
  return id;
};

function delta(members: readonly string[], entries: readonly string[], more: Partial<DeltaInput> = {}) {
  const result = computeDelta({
    members: members.map(member),
    entries: entries.map((id) => entry(id)),
    keyOfMember: ({ id }) => keyOrFail(id),
    keyOfEntry: ({ id }) => keyOrFail(id),
    onSourceKeyError: 'Hold',
    onEnrolledKeyError: 'Hold',
    ...more,
  });
  return { ...result, adds: result.add.map(({ key }) => key), removes: result.remove.map(({ key }) => key) };
}

const SOURCE_POLICIES = ['Hold', 'Isolate', 'Destroy'] as const;
const SINK_POLICIES = ['Hold', 'Isolate', 'Provision'] as const;

describe('the difference', () => {
  it('IC-01: adds what is missing and removes what is too much, sorted', () => {
    const { adds, removes } = delta(['5', '4', '3', '2', '1'], ['6', '5', '3', '2']);
    expect([adds, removes]).toEqual([['1', '4'], ['6']]);
  });

  it('IC-02: the policies do not matter as long as every key can be told', () => {
    for (const onSourceKeyError of SOURCE_POLICIES)
      for (const onEnrolledKeyError of SINK_POLICIES) {
        const { adds, removes } = delta(['common', 'a1', 'a2'], ['common', 'b1', 'b2'], {
          onSourceKeyError,
          onEnrolledKeyError,
        });
        expect([adds, removes]).toEqual([
          ['a1', 'a2'],
          ['b1', 'b2'],
        ]);
      }
  });

  it.each([
    ['Destroy', ['b1', 'b2']],
    ['Hold', []],
    ['Isolate', ['b1', 'b2']],
  ] as const)('IC-03: a member without a key, policy %s', (onSourceKeyError, wanted) => {
    const { adds, removes, unkeyedMembers } = delta(['common', 'a1', 'a2', 'error-a'], ['common', 'b1', 'b2'], {
      onSourceKeyError,
    });
    expect([adds, removes]).toEqual([['a1', 'a2'], wanted]);
    expect(unkeyedMembers).toEqual([{ id: 'error-a', message: 'not-matched:error-a' }]);
  });

  it.each([
    ['Provision', ['a1', 'a2']],
    ['Hold', []],
    ['Isolate', ['a1', 'a2']],
  ] as const)('IC-04: an entry without a key, policy %s', (onEnrolledKeyError, wanted) => {
    const { adds, removes } = delta(['common', 'a1', 'a2'], ['common', 'b1', 'b2', 'error-b'], { onEnrolledKeyError });
    expect([adds, removes]).toEqual([wanted, ['b1', 'b2']]);
  });

  it('IC-05: both without a key, with holding: nothing happens at all', () => {
    const { adds, removes, heldAdds, heldRemoves } = delta(['common', 'a1', 'error-a'], ['common', 'b1', 'error-b']);
    expect([adds, removes]).toEqual([[], []]);
    expect([heldAdds.length, heldRemoves.length]).toEqual([1, 1]);
  });

  it('IC-06: both without a key, each policy of one side with each of the other', () => {
    for (const onSourceKeyError of SOURCE_POLICIES)
      for (const onEnrolledKeyError of SINK_POLICIES) {
        const { adds, removes } = delta(['common', 'a1', 'error-a'], ['common', 'b1', 'error-b'], {
          onSourceKeyError,
          onEnrolledKeyError,
        });
        expect(adds).toEqual(onEnrolledKeyError === 'Hold' ? [] : ['a1']);
        expect(removes).toEqual(onSourceKeyError === 'Hold' ? [] : ['b1']);
      }
  });

  it('isolating holds exactly what may belong to the one whose key cannot be told', () => {
    const entries = [entry('b1', { sourceId: 'error-a' }), entry('b2', { sourceId: 'gone' }), entry('b3', {})];
    const { removes, heldRemoves } = delta(['error-a'], [], { entries, onSourceKeyError: 'Isolate' });
    expect(removes).toEqual(['b2']);
    expect(heldRemoves.map(({ key }) => key)).toEqual(['b1', 'b3']);
  });

  it('keeps the oldest ready one of several entries of one member', () => {
    const entries = [
      entry('x1', {}, { createdAt: '2026-01-01', isReady: false }),
      entry('x2', {}, { createdAt: '2026-01-03' }),
      entry('x3', {}, { createdAt: '2026-01-02' }),
    ];
    const { keep, duplicates } = delta(['m'], [], { entries, keyOfEntry: () => 'm' });
    expect(keep.map((each) => each.entry.id)).toEqual(['x3']);
    expect(duplicates.map((each) => each.entry.id)).toEqual(['x1', 'x2']);
  });

  it('moves entries of a former sink: added in the new one, removed in the old one', () => {
    const { adds, remove } = delta(['m'], [], { entries: [entry('m', {}, { isInSink: false })] });
    expect(adds).toEqual(['m']);
    expect(remove.map(({ key, reason }) => `${key} ${reason}`)).toEqual(['m SinkChanged']);
  });
});
