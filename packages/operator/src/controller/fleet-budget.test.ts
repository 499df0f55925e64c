import { expect, test } from 'vitest';
import type { KubernetesObject } from '@pawl/reconciler/kubernetes';
import { fleetObject } from '../testing/fleet-object.ts';
import { FleetBudget } from './fleet-budget.ts';

const steady = (count: number): KubernetesObject[] => Array.from({ length: count }, (_, index) => fleetObject(`s${index}`));
const limits = { maxOpenPercent: 5, maxStalled: 3 };

test('of few objects one goes at a time', () => {
  const budget = new FleetBudget(limits, () => steady(10));
  expect([budget.admit('s0'), budget.admit('s1'), budget.admit('s0')]).toEqual([undefined, 'WaitingForSlot', undefined]);
  budget.release('s0');
  expect(budget.admit('s1')).toBeUndefined();
});

test('of a hundred objects five go at a time, those that the cache shows included', () => {
  const objects = [...steady(97), fleetObject('a', 'Upgrading'), fleetObject('b', 'Upgrading'), fleetObject('c', 'Soaking')];
  const budget = new FleetBudget(limits, () => objects);
  expect(['s0', 's1', 's2', 's3'].map(budget.admit)).toEqual([undefined, undefined, undefined, 'WaitingForSlot']);
});

test('after three stalled hops no further one is begun', () => {
  const objects = [...steady(200), fleetObject('a', 'Stalled'), fleetObject('b', 'Stalled'), fleetObject('c', 'Stalled')];
  const budget = new FleetBudget(limits, () => objects);
  expect(budget.admit('s0')).toBe('FleetHalted');
});

test('of many objects the cache is counted once a second at most, and still no slot is given twice', () => {
  let now = 0;
  let counts = 0;
  const objects = steady(200);
  const budget = new FleetBudget(limits, () => ((counts += 1), objects), () => now);
  const admitted = Array.from({ length: 200 }, (_, index) => budget.admit(`s${index}`)).filter((gate) => gate === undefined);
  expect([admitted.length, counts]).toEqual([10, 1]);
  now = 1_000;
  expect([budget.look('s100'), counts]).toEqual(['WaitingForSlot', 2]);
  budget.release('s0');
  expect([budget.look('s100'), budget.admit('s100'), budget.admit('s101')]).toEqual([undefined, undefined, 'WaitingForSlot']);
});

test('the more objects there are, the more rarely one that waits looks again', () => {
  const pauses = [1, 1_000, 10_000].map((count) => new FleetBudget(limits, () => steady(count)).pollMs);
  expect(pauses).toEqual([5_000, 10_000, 60_000]);
});
