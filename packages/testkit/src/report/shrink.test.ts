// Smaller plans: one thing less each, boldest first.
import { expect, test } from 'vitest';
import type { Plan } from '../explore/plan.ts';
import { smallerThan } from './shrink.ts';

const plan: Plan = {
  kind: 'Thing',
  deed: { does: 'create' },
  turns: [{ release: { upTo: '1.0.0' } }, { release: { upTo: '2.0.0' } }],
  faults: [
    { kind: 'crash', process: 1, write: 5, moment: 'before' },
    { kind: 'request', process: 2, request: 3, failure: '429' },
  ],
  seed: 1,
  order: 7,
};

test('first the order goes, then faults, then operators, then the place of a fault moves forward', () => {
  const [withoutOrder, ...rest] = smallerThan(plan);
  expect(withoutOrder?.order).toBeUndefined();
  expect(rest.slice(0, 2).map(({ faults }) => faults.map(({ kind }) => kind))).toEqual([['request'], ['crash']]);
  expect(rest[2]?.turns).toEqual([{ release: { upTo: '1.0.0' } }]);
  expect(rest.slice(3).map(({ faults: [first] }) => (first?.kind === 'crash' ? first.write : undefined))).toEqual([1, 2, 4]);
});

test('nothing is smaller than an undisturbed run of one operator', () => {
  const { order: _, ...least } = plan;
  expect(smallerThan({ ...least, faults: [], turns: plan.turns.slice(0, 1) })).toEqual([]);
});
