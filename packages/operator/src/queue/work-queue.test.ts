// The guarantees of the queue, one by one, and then any sequence of calls against a simple model.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fixedRandom } from '../testing/fixed-random.ts';
import { ManualClock } from '../testing/manual-clock.ts';
import { type Urgency, WorkQueue } from './work-queue.ts';

const HALF = 0.5;
function setUp() {
  const clock = new ManualClock();
  return { clock, queue: new WorkQueue({ clock, random: fixedRandom(HALF) }) };
}
/** What is handed out now, or nothing. */
async function take(queue: WorkQueue): Promise<string | undefined> {
  return queue.size.ready === 0 ? undefined : queue.next();
}
async function takeAll(queue: WorkQueue): Promise<readonly string[]> {
  const keys: string[] = [];
  for (let key = await take(queue); key !== undefined; key = await take(queue)) keys.push(key);
  return keys;
}

describe('a key', () => {
  test('is handed out once, however often it was added', async () => {
    const { queue } = setUp();
    for (const key of ['a', 'b', 'a', 'a']) queue.add(key);
    expect(await takeAll(queue)).toEqual(['a', 'b']);
  });

  test('is in one pair of hands at a time, and comes again if it was added meanwhile', async () => {
    const { queue } = setUp();
    queue.add('a');
    await take(queue);
    queue.add('a');
    queue.add('a');
    expect(queue.size).toEqual({ ready: 0, delayed: 0, processing: 1 });
    queue.done('a');
    expect(await takeAll(queue)).toEqual(['a']);
    queue.done('a');
    expect(await takeAll(queue)).toEqual([]);
  });

  test('goes to who has waited longest', async () => {
    const { queue } = setUp();
    const [first, second] = [queue.next(), queue.next()];
    queue.add('a');
    queue.add('b');
    expect(await Promise.all([first, second])).toEqual(['a', 'b']);
  });

  test('that is fresh comes before all that are resync, also when it was resync before', async () => {
    const { queue } = setUp();
    for (const key of ['a', 'b', 'c']) queue.add(key, 'resync');
    queue.add('d');
    queue.add('c');
    queue.add('d', 'resync');
    expect(await takeAll(queue)).toEqual(['d', 'c', 'a', 'b']);
  });

  test('that was added fresh while in hands stays fresh', async () => {
    const { queue } = setUp();
    queue.add('a');
    await take(queue);
    queue.add('a');
    queue.add('a', 'resync');
    queue.add('b', 'resync');
    queue.done('a');
    expect(await takeAll(queue)).toEqual(['a', 'b']);
  });
});

describe('later', () => {
  test('is when the earliest request says', async () => {
    const { queue, clock } = setUp();
    queue.addAfter('a', 5_000);
    queue.addAfter('a', 2_000);
    queue.addAfter('a', 9_000);
    clock.advance(1_999);
    expect(await takeAll(queue)).toEqual([]);
    clock.advance(1);
    expect(await takeAll(queue)).toEqual(['a']);
    queue.done('a');
    clock.advance(60_000);
    expect(await takeAll(queue)).toEqual([]);
  });

  test('is not put off when the wall clock is set forth', async () => {
    const { queue, clock } = setUp();
    queue.addAfter('a', 60_000);
    clock.correct(3_600_000);
    queue.addAfter('a', 1_000);
    clock.advance(1_000);
    expect(await takeAll(queue)).toEqual(['a']);
  });

  test('is not cancelled by an event', async () => {
    const { queue, clock } = setUp();
    queue.retry('a');
    queue.addAfter('b', 1_000);
    for (const key of ['a', 'b']) queue.add(key);
    for (const key of await takeAll(queue)) queue.done(key);
    clock.advance(1_000);
    expect(await takeAll(queue)).toEqual(['a', 'b']);
  });

  test('comes again after the work in hand, when its moment comes meanwhile', async () => {
    const { queue, clock } = setUp();
    queue.add('a');
    await take(queue);
    queue.addAfter('a', 10);
    clock.advance(10);
    expect(queue.size.ready).toBe(0);
    queue.done('a');
    expect(await takeAll(queue)).toEqual(['a']);
  });
});

describe('retries', () => {
  test('wait for up to 1 s, then up to twice as long each time, up to 5 min, without end', () => {
    const { queue } = setUp();
    const waits = Array.from({ length: 14 }, () => queue.retry('a'));
    expect(waits).toEqual([
      500, 1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 64_000, 128_000, 150_000, 150_000, 150_000, 150_000, 150_000,
    ]);
    expect(queue.failures('a')).toBe(14);
  });

  test('wait no less than was asked for', () => {
    expect(setUp().queue.retry('a', 7_000)).toBe(7_000);
  });

  test('are forgotten after success, requests are not', async () => {
    const { queue, clock } = setUp();
    queue.retry('a');
    queue.addAfter('a', 3_000);
    queue.forget('a');
    clock.advance(2_999);
    expect([await takeAll(queue), queue.failures('a')]).toEqual([[], 0]);
    clock.advance(1);
    expect(await takeAll(queue)).toEqual(['a']);
  });

  test('and requests of an object that is gone are discarded', async () => {
    const { queue, clock } = setUp();
    queue.retry('a');
    queue.addAfter('a', 3_000);
    queue.discard('a');
    expect([clock.pending, queue.size.delayed]).toEqual([0, 0]);
  });
});

describe('shutting down', () => {
  test('waits for the work in hands, and hands out nothing more', async () => {
    const { queue, clock } = setUp();
    for (const key of ['a', 'b']) queue.add(key);
    queue.addAfter('c', 10);
    await take(queue);
    let isOver = false;
    const over = queue.shutDown().then(() => (isOver = true));
    expect([await queue.next(), clock.pending]).toEqual([undefined, 0]);
    queue.add('a');
    queue.add('z');
    expect([isOver, queue.size.ready]).toEqual([false, 0]);
    queue.done('a');
    await over;
    expect(await queue.next()).toBeUndefined();
  });

  test('ends the waiting', async () => {
    const { queue } = setUp();
    const waiting = [queue.next(), queue.next()];
    await queue.shutDown();
    expect(await Promise.all(waiting)).toEqual([undefined, undefined]);
  });
});

/** The queue as one would write it down without care for speed. */
class Model {
  now = 0;
  ready: { readonly key: string; readonly urgency: Urgency }[] = [];
  readonly processing = new Set<string>();
  readonly again = new Map<string, Urgency>();
  readonly deadlines = new Map<string, { readonly at: number; readonly urgency: Urgency }>();
  readonly failures = new Map<string, number>();

  add(key: string, urgency: Urgency): void {
    if (this.processing.has(key)) {
      this.again.set(key, urgency === 'fresh' || this.again.get(key) === 'fresh' ? 'fresh' : 'resync');
      return;
    }
    const known = this.ready.find((entry) => entry.key === key);
    if (known !== undefined && (known.urgency === 'fresh' || urgency === 'resync')) return;
    this.ready = [...this.ready.filter((entry) => entry.key !== key), { key, urgency }];
  }

  later(slot: string, ms: number, urgency: Urgency): void {
    const at = this.now + ms;
    const known = this.deadlines.get(slot);
    if (known !== undefined && known.at <= at) return;
    // The order of setting decides between deadlines that fall together.
    this.deadlines.delete(slot);
    this.deadlines.set(slot, { at, urgency });
  }

  next(): string | undefined {
    const found = this.ready.find(({ urgency }) => urgency === 'fresh') ?? this.ready[0];
    if (found === undefined) return undefined;
    this.ready = this.ready.filter(({ key }) => key !== found.key);
    this.processing.add(found.key);
    return found.key;
  }

  done(key: string): void {
    if (!this.processing.delete(key)) return;
    const urgency = this.again.get(key);
    this.again.delete(key);
    if (urgency !== undefined) this.add(key, urgency);
  }

  advance(ms: number): void {
    this.now += ms;
    for (const [slot, { urgency }] of [...this.deadlines]
      .filter(([, { at }]) => at <= this.now)
      .toSorted(([, a], [, b]) => a.at - b.at)) {
      this.deadlines.delete(slot);
      this.add(slot.slice(slot.indexOf(':') + 1), urgency);
    }
  }
}

interface Real {
  readonly queue: WorkQueue;
  readonly clock: ManualClock;
}
type Command = fc.AsyncCommand<Model, Real>;
const command = (name: string, run: (model: Model, real: Real) => Promise<void> | void): Command => ({
  check: () => true,
  run: async (model, real) => run(model, real),
  toString: () => name,
});

test('behaves like the model under any sequence of calls', async () => {
  const key = fc.constantFrom('a', 'b', 'c');
  const urgency = fc.constantFrom<Urgency>('fresh', 'resync');
  const ms = fc.integer({ min: 0, max: 8 }).map((n) => n * 250);
  const commands = [
    fc.tuple(key, urgency).map(([k, u]) =>
      command(`add(${k}, ${u})`, (model, { queue }) => {
        model.add(k, u);
        queue.add(k, u);
      }),
    ),
    fc.tuple(key, ms, urgency).map(([k, t, u]) =>
      command(`addAfter(${k}, ${t}, ${u})`, (model, { queue }) => {
        model.later(`request:${k}`, t, u);
        queue.addAfter(k, t, u);
      }),
    ),
    key.map((k) =>
      command(`retry(${k})`, (model, { queue }) => {
        const failures = (model.failures.get(k) ?? 0) + 1;
        model.failures.set(k, failures);
        const wait = Math.min(300_000, 1_000 * 2 ** (failures - 1)) * HALF;
        model.later(`retry:${k}`, wait, 'fresh');
        expect(queue.retry(k)).toBe(wait);
      }),
    ),
    key.map((k) =>
      command(`forget(${k})`, (model, { queue }) => {
        model.failures.delete(k);
        model.deadlines.delete(`retry:${k}`);
        queue.forget(k);
      }),
    ),
    key.map((k) =>
      command(`done(${k})`, (model, { queue }) => {
        model.done(k);
        queue.done(k);
      }),
    ),
    fc.constant(command('next()', async (model, { queue }) => expect(await take(queue)).toBe(model.next()))),
    ms.map((t) =>
      command(`advance(${t})`, (model, { clock }) => {
        model.advance(t);
        clock.advance(t);
      }),
    ),
  ];
  const agree = command('compare', (model, { queue }) => {
    expect(queue.size.ready).toBe(model.ready.length);
    expect(queue.size.processing).toBe(model.processing.size);
    expect(queue.size.delayed).toBe(new Set([...model.deadlines.keys()].map((slot) => slot.split(':')[1])).size);
  });
  await fc.assert(
    fc.asyncProperty(fc.commands([...commands, fc.constant(agree)], { size: '+1' }), async (sequence) => {
      await fc.asyncModelRun(() => ({ model: new Model(), real: setUp() }), [...sequence, agree]);
    }),
    { numRuns: 300 },
  );
}, 60_000);
