// The real clock, as far as it can be told without waiting for it.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { systemClock } from './runtime.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('a timer fires in its time, also one that is longer than Node can wait at once', () => {
  const days = 40 * 86_400_000;
  let fired = 0;
  systemClock.setTimer(days, () => (fired += 1));
  vi.advanceTimersByTime(days - 1);
  expect(fired).toBe(0);
  vi.advanceTimersByTime(1);
  expect(fired).toBe(1);
});

test('a timer can be cancelled at any time', () => {
  let fired = 0;
  const cancel = systemClock.setTimer(2 ** 32, () => (fired += 1));
  vi.advanceTimersByTime(2 ** 31);
  cancel();
  vi.advanceTimersByTime(2 ** 32);
  expect([fired, vi.getTimerCount()]).toEqual([0, 0]);
});
