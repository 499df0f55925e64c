// The order of work.
import { describe, expect, it } from 'vitest';
import { manualClock } from '../../testing/manual-clock.ts';
import { Activity } from './activity.ts';
import { WorkQueue } from './queue.ts';

function queueOf(run: (key: string, queue: WorkQueue) => Promise<number | undefined>) {
  const clock = manualClock();
  const activity = new Activity();
  const queue: WorkQueue = new WorkQueue({
    clock,
    activity,
    turn: () => Promise.resolve(),
    run: (key) => run(key, queue),
  });
  return { clock, activity, queue };
}

describe('a queue', () => {
  it('runs each key once, in order, and not before it is opened', async () => {
    const ran: string[] = [];
    const { activity, queue } = queueOf(async (key) => void ran.push(key) as undefined);
    for (const key of ['a', 'b', 'a']) queue.add(key);
    await Promise.resolve();
    expect(ran).toEqual([]);
    queue.open();
    await activity.none();
    expect(ran).toEqual(['a', 'b']);
  });

  it('runs a key again that was added while it ran, never twice at a time', async () => {
    let running = 0;
    let runs = 0;
    const { activity, queue } = queueOf(async (key, self) => {
      expect(++running).toBe(1);
      if (++runs === 1) self.add(key);
      await Promise.resolve();
      running--;
      return undefined;
    });
    queue.open();
    queue.add('a');
    await activity.none();
    expect(runs).toBe(2);
  });

  it('looks again after the delay, or earlier if there is news, then with a new delay', async () => {
    const ran: number[] = [];
    const { activity, clock, queue } = queueOf(async () => {
      ran.push(clock.now());
      return ran.length < 3 ? 1000 : undefined;
    });
    const start = clock.now();
    queue.open();
    queue.add('a');
    await activity.none();
    clock.advance(400);
    queue.add('a');
    await activity.none();
    clock.advance(999);
    await activity.none();
    expect(ran.map((at) => at - start)).toEqual([0, 400]);
    clock.advance(1);
    await activity.none();
    expect(ran.map((at) => at - start)).toEqual([0, 400, 1400]);
  });

  it('drops what waits when it is stopped, and counts nothing as going on', async () => {
    const ran: string[] = [];
    const { activity, queue } = queueOf(async (key) => void ran.push(key) as undefined);
    queue.add('a');
    await queue.stop();
    queue.open();
    queue.add('b');
    await activity.none();
    expect([ran, activity.busy]).toEqual([[], false]);
  });
});
