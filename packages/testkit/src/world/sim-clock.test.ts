// Virtual time: timers in order, those of dead owners never.
import { expect, test } from 'vitest';
import { SimClock } from './sim-clock.ts';

const alive = { isAlive: () => true };

test('timers are called at their moments, equal ones in the order in which they were set', () => {
  const clock = new SimClock(1_000);
  const { setTimer } = clock.portOf(alive);
  const called: string[] = [];
  const note = (name: string) => () => void called.push(`${name} ${clock.now()}`);
  for (const [name, ms] of [['c', 30], ['a', 10], ['b', 20], ['b2', 20], ['late', 99]] as const) setTimer(ms, note(name));
  while (clock.advanceToNext(1_050));
  expect(called).toEqual(['a 1010', 'b 1020', 'b2 1020', 'c 1030']);
});

test('cancelled timers and timers of a dead process are not called', () => {
  const clock = new SimClock(0);
  let isAlive = true;
  const called: string[] = [];
  const mortal = clock.portOf({ isAlive: () => isAlive });
  mortal.setTimer(10, () => called.push('dead'));
  const cancel = clock.portOf(alive).setTimer(10, () => called.push('cancelled'));
  clock.portOf(alive).setTimer(20, () => called.push('alive'));
  isAlive = false;
  cancel();
  while (clock.advanceToNext(100));
  expect(called).toEqual(['alive']);
});

test('a jump of the wall clock moves nothing else', () => {
  const clock = new SimClock(5_000);
  let correction = 0;
  const port = clock.portOf(alive, () => correction);
  correction = 3_600_000;
  expect([port.now(), port.monotonic()]).toEqual([3_605_000, 5_000]);
});

test('what is due while its owner stands still comes when it goes on, and until then what others wait for', () => {
  const clock = new SimClock(0);
  let pausedUntil = 0;
  const called: string[] = [];
  const paused = { isAlive: () => true, pausedUntil: () => pausedUntil };
  clock.portOf(paused).setTimer(10, () => called.push(`paused ${clock.now()}`));
  clock.portOf(alive).setTimer(50, () => called.push(`other ${clock.now()}`));
  expect([clock.pendingOf(paused), clock.pendingOf(alive)]).toEqual([1, 1]);
  pausedUntil = 80;
  while (clock.advanceToNext(100));
  expect(called).toEqual(['other 50', 'paused 80']);
  expect(clock.pendingOf(paused)).toBe(0);
});
