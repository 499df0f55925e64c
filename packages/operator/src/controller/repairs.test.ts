import { expect, test } from 'vitest';
import { RetryError } from '@pawl/reconciler';
import { Repairs } from './repairs.ts';

function lab() {
  let now = 1_000_000;
  const repairs = new Repairs(() => now);
  return {
    repairs,
    pass: (ms: number) => (now += ms),
    /** Milliseconds until the content may be applied; 0: now. */
    wait: (content = 'x'): number => {
      try {
        repairs.assertCalm('ConfigMap a', content);
        return 0;
      } catch (error) {
        return error instanceof RetryError ? (error.afterMs ?? -1) : -1;
      }
    },
  };
}

test('the first repairs follow at once, then each waits twice as long as the one before, up to a minute', () => {
  const { repairs, wait, pass } = lab();
  const waits = Array.from({ length: 14 }, () => {
    const ms = wait();
    pass(ms);
    repairs.applied('ConfigMap a', 'x');
    return ms;
  });
  expect(waits).toEqual([0, 0, 0, 0, 0, 0, 1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000]);
});

test('something else to apply does not wait, and an object that was left alone is repaired at once', () => {
  const { repairs, wait, pass } = lab();
  for (let count = 0; count < 9; count += 1) repairs.applied('ConfigMap a', 'x');
  expect([wait() > 0, wait('y')]).toEqual([true, 0]);
  pass(600_000);
  repairs.applied('ConfigMap a', 'x');
  expect(wait()).toBe(0);
});

test('a clock that was set back makes nobody wait', () => {
  const { repairs, wait, pass } = lab();
  for (let count = 0; count < 9; count += 1) repairs.applied('ConfigMap a', 'x');
  pass(-3_600_000);
  expect(wait()).toBe(0);
});
