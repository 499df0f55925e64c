// One thing goes on at a time; time moves when nothing else can.
import { expect, test } from 'vitest';
import { Scheduler } from './scheduler.ts';
import { SimClock } from './sim-clock.ts';

test('one request goes on, and all that follows from it, before the next one', async () => {
  const scheduler = new Scheduler(new SimClock(0));
  const seen: string[] = [];
  const client = async (name: string): Promise<void> => {
    await scheduler.park(name);
    seen.push(`${name} 1`);
    await Promise.resolve();
    seen.push(`${name} 2`);
  };
  void client('a');
  void client('b');
  await scheduler.run(1_000, () => true);
  expect(seen).toEqual(['a 1', 'a 2', 'b 1', 'b 2']);
});

test('time moves to the next timer when nothing is parked, and to the end when there is none', async () => {
  const clock = new SimClock(0);
  const scheduler = new Scheduler(clock);
  let at: number | undefined;
  clock.portOf({ isAlive: () => true }).setTimer(400, () => (at = clock.now()));
  expect(await scheduler.run(1_000, () => false)).toBe(false);
  expect([at, clock.now()]).toEqual([400, 1_000]);
});

test('what asks again and again without a pause is ended', async () => {
  const scheduler = new Scheduler(new SimClock(0));
  const restless = async (): Promise<void> => {
    for (;;) await scheduler.park('restless');
  };
  void restless();
  expect(await scheduler.run(1_000, () => true)).toBe(false);
  expect(scheduler.isExhausted).toBe(true);
});
