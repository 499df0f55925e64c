import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { equalJson, freezeJson, isObject } from '../json.ts';
import type { Json } from '../json.ts';
import { canonical, covers, difference, has, intersection, isEmptySet, union } from './field-set.ts';
import type { FieldSet } from './field-set.ts';
import { merge } from './merge.ts';
import { apply, fieldsOf, thing, thingType } from './testing.ts';
import { toFieldSet } from './to-set.ts';

const word = fc.constantFrom('x', 'y', 'z');
const words = fc.dictionary(fc.constantFrom('a', 'b', 'c'), word, { maxKeys: 3 });
const port = fc.record(
  {
    name: fc.constantFrom('p', 'q', 'r'),
    protocol: fc.constantFrom('TCP', 'UDP'),
    port: fc.integer({ min: 1, max: 3 }),
    note: word,
  },
  { requiredKeys: ['name'] },
);
const spec = fc.record(
  {
    replicas: fc.integer({ min: 0, max: 3 }),
    image: word,
    atomic: fc.array(word, { maxLength: 3 }),
    set: fc.uniqueArray(word),
    ports: fc.uniqueArray(port, { selector: ({ name, protocol }) => `${name}/${protocol ?? 'TCP'}` }),
    labels: words,
    whole: words,
    free: words,
  },
  { requiredKeys: [] },
) as fc.Arbitrary<Json & object>;
const sets: fc.Arbitrary<FieldSet> = spec.map((value) => toFieldSet(thing(value), thingType));

describe('field sets', () => {
  it('obey the laws of sets', () => {
    fc.assert(
      fc.property(sets, sets, (a, b) => {
        expect(equalJson(union(a, b), union(b, a))).toBe(true);
        expect(covers(union(a, b), a)).toBe(true);
        expect(isEmptySet(difference(a, union(a, b)))).toBe(true);
        expect(isEmptySet(intersection(difference(a, b), b))).toBe(true);
        expect(equalJson(union(difference(a, b), intersection(a, b)), a)).toBe(true);
      }),
    );
  });

  it('survive the way through text, and are canonical whatever their order was', () => {
    const shuffled = (set: FieldSet): FieldSet =>
      Object.fromEntries(
        Object.entries(set)
          .reverse()
          .map(([key, node]) => [key, isObject(node) ? shuffled(node) : node]),
      );
    fc.assert(
      fc.property(sets, (set) => {
        const sorted = canonical(set);
        expect(JSON.stringify(canonical(shuffled(set)))).toBe(JSON.stringify(sorted));
        expect(canonical(sorted)).toBe(sorted);
        expect(equalJson(JSON.parse(JSON.stringify(set)) as Json, set)).toBe(true);
      }),
    );
  });

  it('know their members', () => {
    const set = toFieldSet(thing({ replicas: 1, labels: { a: 'x' } }), thingType);
    expect(has(set, ['f:spec', 'f:labels', 'f:a'])).toBe(true);
    expect(has(set, ['f:spec', 'f:labels'])).toBe(false);
  });
});

describe('apply', () => {
  it('twice is the same as once', () => {
    fc.assert(
      fc.property(spec, spec, (first, second) => {
        const live = freezeJson(apply(apply(undefined, 'a', first), 'b', second, 2, true));
        expect(apply(live, 'b', second, 3, true)).toBe(live);
      }),
    );
  });

  it('by force makes the applied values true', () => {
    fc.assert(
      fc.property(spec, spec, (first, second) => {
        const live = apply(apply(undefined, 'a', first), 'b', second, 2, true);
        expect(merge(live, thing(second), thingType)).toBe(live);
      }),
    );
  });

  it('never takes away what another manager owns, and forgets its own', () => {
    fc.assert(
      fc.property(spec, spec, spec, (mine, others, less) => {
        const both = apply(apply(undefined, 'a', others), 'b', mine, 2, true);
        const kept = fieldsOf(both, 'a') ?? {};
        const next = apply(both, 'b', less, 3, true);
        const still = toFieldSet(next, thingType);
        const claimed = toFieldSet(thing(less), thingType);
        expect(covers(union(still, claimed), leaves(kept))).toBe(true);
        expect(covers(claimed, fieldsOf(next, 'b') ?? {})).toBe(true);
      }),
    );
  });
});

/** The plain scalars of a set. */
function leaves(set: FieldSet): FieldSet {
  const specOf = set['f:spec'];
  if (!isObject(specOf)) return {};
  const kept = ['f:replicas', 'f:image'].filter((key) => specOf[key] !== undefined);
  return kept.length === 0 ? {} : { 'f:spec': Object.fromEntries(kept.map((key) => [key, specOf[key]])) };
}
