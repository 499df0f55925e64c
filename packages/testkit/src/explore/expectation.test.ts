// What must come of an object, worked out from declarations alone.
import { proceduresFor, type VersionRecord } from '@pawl/reconciler';
import { expect, test } from 'vitest';
import { expectationOf } from './expectation.ts';

const kit = proceduresFor<object>();
const action = kit.defineAction({ name: 'Nothing', run: () => ({ status: 'True', reason: 'AsExpected', message: '', value: undefined }) as never });
const v1 = kit.defineProcedure({ version: '1.0.0', minVersion: '0.1.0', actions: [action] });
const v2 = kit.deriveProcedure(v1, { version: '2.0.0', rollbackTo: '1.0.0' });
const v3 = kit.defineProcedure({ version: '3.0.0', from: '2.0.0', actions: [action] });
const catalog = (...procedures: readonly (typeof v1)[]) => ({ procedures: procedures as unknown as readonly never[] });

const entry = (version: string, state: 'Complete' | 'Partial', rollbackTo = 'none') =>
  ({ version, state, rollbackTo, teardown: 'Inventory' }) as const;
const record = (applied: VersionRecord['applied'], rest: Partial<VersionRecord> = {}): VersionRecord =>
  ({ formatVersion: 1, minReader: 1, epoch: 1, applied, avoid: [], scope: [], ...rest });

test.each([
  { what: 'a fresh object gets the newest', release: [v1, v2, v3], before: undefined, ends: 'at 3.0.0' },
  { what: 'hops that are declared one after the other lead to the newest', release: [v1, v2, v3], before: record([entry('1.0.0', 'Complete')]), ends: 'at 3.0.0' },
  { what: 'what was begun is finished, and then goes on', release: [v1, v2, v3], before: record([entry('1.0.0', 'Partial')], { target: '1.0.0' }), ends: 'at 3.0.0' },
  { what: 'a hop over a version that was left out is refused', release: [v3], before: record([entry('1.0.0', 'Complete')]), ends: 'refused' },
  { what: 'an older release may not act', release: [v1], before: record([entry('2.0.0', 'Complete', '1.0.0')]), ends: 'refused' },
  { what: 'a half-applied version that is not known is refused', release: [v3], before: record([entry('2.0.0', 'Partial')]), ends: 'refused' },
  { what: 'an open way back is finished', release: [v1, v2], before: record([entry('2.0.0', 'Partial', '1.0.0'), entry('1.0.0', 'Partial')], { target: '1.0.0' }), ends: 'at 1.0.0' },
])('$what', ({ release, before, ends }) => {
  const expectation = expectationOf(catalog(...release), before, undefined);
  expect(expectation.ends === 'at' ? `at ${expectation.version}` : expectation.ends).toBe(ends);
});

test('a request to go back is granted where the newer version permits it', () => {
  const open = record([entry('2.0.0', 'Complete', '1.0.0')]);
  expect(expectationOf(catalog(v1), open, '1.0.0')).toEqual({ ends: 'at', version: '1.0.0' });
  const oneWay = record([entry('2.0.0', 'Partial')], { target: '2.0.0' });
  expect(expectationOf(catalog(v1), oneWay, '1.0.0').ends).toBe('refused');
  expect(expectationOf(catalog(v1, v2), oneWay, '1.0.0')).toEqual({ ends: 'at', version: '2.0.0' });
});
