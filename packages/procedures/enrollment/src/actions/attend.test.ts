import { describe, expect, it } from 'vitest';
import { Attempts, delayMs, outageDelayMs } from '../delta/back-off.ts';
import { attend, toldOf, type Job } from './attend.ts';

const now = Date.UTC(2026, 0, 1);
const job = (key: string, run: () => Promise<undefined> = () => Promise.resolve(undefined)): Job => ({ key, run });
const failing =
  (message: string, name = 'Error') =>
  (): Promise<undefined> =>
    Promise.reject(Object.assign(new Error(message), { name }));
const work = (jobs: readonly Job[], concurrency = 2, rows: ConstructorParameters<typeof Attempts>[0] = []) =>
  attend({ jobs, concurrency, attempts: new Attempts(rows, now), now, failedState: 'Failed' });

describe('work on many entries', () => {
  it('goes on past failures, and tells when each is tried again', async () => {
    const result = await work([job('a'), job('b', failing('no')), job('c')]);
    expect(result).toMatchObject({
      done: 2,
      rows: [{ key: 'b', reason: 'Refused', message: 'no', attempts: 1, nextRetry: '2026-01-01T00:00:01.000Z' }],
    });
    expect(toldOf(result)).toBe('2 done, 1 not; b: no');
    expect(toldOf(await work([job('a')]))).toBe('');
  });

  it('leaves alone what is to wait, and counts on from there', async () => {
    const row = {
      key: 'b',
      state: 'Failed',
      reason: 'Refused',
      attempts: 3,
      nextRetry: '2026-01-01T00:00:04.000Z',
    } as const;
    expect(await work([job('b', failing('again'))], 1, [row])).toEqual({ done: 0, postponed: 0, rows: [row] });
    const due = { ...row, nextRetry: '2025-12-31T23:59:59.000Z' };
    expect((await work([job('b', failing('again'))], 1, [due])).rows).toMatchObject([
      { attempts: 4, nextRetry: '2026-01-01T00:00:08.000Z' },
    ]);
  });

  it('passes on what means the whole cycle, once everything that was begun has ended', async () => {
    const ended: string[] = [];
    const slow = job('a', async () => {
      await new Promise((resolve) => setImmediate(resolve));
      ended.push('a');
      return undefined;
    });
    await expect(work([slow, job('b', failing('the lease is lost', 'CycleAbandoned'))])).rejects.toThrow(
      'the lease is lost',
    );
    expect(ended).toEqual(['a']);
  });

  it('shows a plan every effect, although none is made', async () => {
    const asked: string[] = [];
    const jobs = ['a', 'b', 'c'].map((key) =>
      job(key, () => {
        asked.push(key);
        return failing('known after', 'KnownAfter')();
      }),
    );
    await expect(work(jobs, 1)).rejects.toThrow('known after');
    expect(asked).toEqual(['a', 'b', 'c']);
  });

  it('ends early where nothing succeeds', async () => {
    const { rows, postponed } = await work(
      Array.from({ length: 20 }, (_, index) => job(`k${index}`, failing('down'))),
      1,
    );
    expect([rows.length, postponed]).toEqual([5, 15]);
  });
});

describe('waiting', () => {
  it('doubles for each attempt, up to five minutes', () => {
    expect([1, 2, 3, 9, 10, 1_000].map(delayMs)).toEqual([1_000, 2_000, 4_000, 256_000, 300_000, 300_000]);
  });

  it('is as long as the outage lasts already', () => {
    expect([outageDelayMs(undefined, now), outageDelayMs(now - 7_000, now), outageDelayMs(now - 1e9, now)]).toEqual([
      1_000, 7_000, 300_000,
    ]);
  });
});
