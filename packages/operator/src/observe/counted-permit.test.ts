import { expect, test } from 'vitest';
import { CycleAbandoned, type WritePermit } from '../controller/guard.ts';
import { countedAssert, meteredPermit } from './counted-permit.ts';
import { noMetrics, type Metrics } from './metrics.ts';

function counting(): { readonly metrics: Metrics; readonly counted: unknown[] } {
  const counted: unknown[] = [];
  const count = (value: unknown): void => void counted.push(value);
  return { metrics: { ...noMetrics, mutationRefused: count, settleWaited: count }, counted };
}
const permit = (assert: () => void): WritePermit => ({ assert, settled: () => false, settlesInMs: () => 20_000 });

test('a refusal of the last guard is counted, and refuses', () => {
  const { metrics, counted } = counting();
  countedAssert(permit(() => {}), metrics)();
  expect(counted).toEqual([]);
  const refused = new CycleAbandoned('this process does not lead');
  expect(countedAssert(permit(() => { throw refused; }), metrics)).toThrow(refused);
  expect(counted).toEqual(['NotLeading']);
});

test('a metered permit measures the waiting for late writes, and is the same otherwise', () => {
  const { metrics, counted } = counting();
  const metered = meteredPermit(permit(() => { throw new CycleAbandoned('no'); }), metrics);
  expect(metered.assert).toThrow('no');
  expect([metered.settled(), metered.settlesInMs()]).toEqual([false, 20_000]);
  expect(counted).toEqual([20_000]);
});
