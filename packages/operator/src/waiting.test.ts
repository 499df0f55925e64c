// Pauses, deadlines and back-off on a clock that the test moves.
import { describe, expect, test } from 'vitest';
import { fixedRandom } from './testing/fixed-random.ts';
import { ManualClock } from './testing/manual-clock.ts';
import { backoffMs, bounded, fraction, pause } from './waiting.ts';

const RANGE = { baseMs: 1_000, maxMs: 60_000 };

test('a fraction is what the bytes say, from 0 to just below 1', () => {
  expect(fraction(fixedRandom(0))).toBe(0);
  expect(fraction(fixedRandom(0.25))).toBe(0.25);
  const highest = fraction({ uuid: () => '', bytes: (length) => new Uint8Array(length).fill(255) });
  expect([highest < 1, highest > 0.999]).toEqual([true, true]);
});

describe('back-off', () => {
  test('lies between nothing and a ceiling that doubles up to the highest', () => {
    const ceilings = [1, 2, 3, 7, 8, 2_000].map((failures) => backoffMs(failures, RANGE, fixedRandom(0.5)) * 2);
    expect(ceilings).toEqual([1_000, 2_000, 4_000, 60_000, 60_000, 60_000]);
    expect(backoffMs(5, RANGE, fixedRandom(0))).toBe(0);
  });
});

describe('a pause', () => {
  test('ends in its time', async () => {
    const clock = new ManualClock();
    const over = pause(clock, 100, new AbortController().signal);
    clock.advance(100);
    await over;
  });

  test('ends with the reason of its signal, before or meanwhile, and leaves no timer', async () => {
    const clock = new ManualClock();
    const controller = new AbortController();
    const over = pause(clock, 100, controller.signal);
    controller.abort(new Error('stop'));
    await expect(over).rejects.toThrow('stop');
    await expect(pause(clock, 100, controller.signal)).rejects.toThrow('stop');
    expect(clock.pending).toBe(0);
  });
});

describe('a bounded call', () => {
  const bounds = (signal?: AbortSignal) => ({ clock: new ManualClock(), timeoutMs: 100, signal });

  test('hands through result and error, and leaves no timer', async () => {
    const within = bounds();
    expect(await bounded(within, () => Promise.resolve(1))).toBe(1);
    await expect(bounded(within, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(within.clock.pending).toBe(0);
  });

  test('ends at its deadline and aborts the call, even one that does not care', async () => {
    const within = bounds();
    let inner: AbortSignal | undefined;
    const call = bounded(within, (signal) => {
      inner = signal;
      return new Promise(() => {});
    });
    within.clock.advance(100);
    await expect(call).rejects.toMatchObject({ name: 'DeadlineError', message: 'no answer within 100 ms' });
    expect(inner?.aborted).toBe(true);
  });

  test('ends with the signal of its caller', async () => {
    const controller = new AbortController();
    const within = bounds(controller.signal);
    const call = bounded(within, () => new Promise(() => {}));
    controller.abort(new Error('stop'));
    await expect(call).rejects.toThrow('stop');
    await expect(bounded(within, () => Promise.resolve(1))).rejects.toThrow('stop');
    expect(within.clock.pending).toBe(0);
  });
});
