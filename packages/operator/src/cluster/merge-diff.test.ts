import fc from 'fast-check';
import { expect, test } from 'vitest';
import { mergeDiff, sameJson } from './merge-diff.ts';

type Fields = Readonly<Record<string, unknown>>;
const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null && !Array.isArray(value);

function merged(into: unknown, patch: unknown): unknown {
  if (!isFields(patch)) return patch;
  const result: Record<string, unknown> = isFields(into) ? { ...into } : {};
  for (const [name, value] of Object.entries(patch))
    if (value === null) delete result[name];
    else result[name] = merged(result[name], value);
  return result;
}

const { object } = fc.letrec<{ value: unknown; object: Fields }>((tie) => ({
  value: fc.oneof({ maxDepth: 3 }, fc.integer(), fc.string(), fc.boolean(), fc.array(fc.integer(), { maxLength: 3 }), tie('object')),
  object: fc.dictionary(fc.constantFrom('a', 'b', 'c'), tie('value'), { maxKeys: 3 }) as fc.Arbitrary<Fields>,
}));

test('applying the difference gives the other value; equal values differ by nothing', () => {
  fc.assert(
    fc.property(object, object, (before, after) => {
      const patch = mergeDiff(before, after);
      if (sameJson(before, after)) expect(patch).toBeUndefined();
      else expect(sameJson(merged(before, patch), after)).toBe(true);
    }),
  );
});

test('an empty object that replaces a filled one removes its fields', () => {
  expect(mergeDiff({ a: { b: 1 } }, { a: {} })).toEqual({ a: { b: null } });
});
