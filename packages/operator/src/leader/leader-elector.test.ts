import { createApiServer } from '@pawl/kube-api';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { CycleAbandoned } from '../controller/guard.ts';
import { ElectionLab, LEASE, type Network, type Replica } from './testing/election-lab.ts';
import { LEASES } from './lease.ts';
import { LEASE_TIMING } from './timing.ts';

const RETRY_MS = LEASE_TIMING.retryPeriodMs;
let lab: ElectionLab;
beforeEach(() => {
  lab = new ElectionLab(createApiServer);
});
afterEach(() => lab.close());

const leads = (replica: Replica) => (): boolean => replica.elector.isLeading;
async function leaderAndFollower(): Promise<readonly [Replica, Replica]> {
  const [first, second] = [lab.replica('first'), lab.replica('second')];
  first.seek();
  await lab.until(leads(first), 1_000);
  second.seek();
  await lab.run(15_000);
  return [first, second];
}

describe('taking the Lease', () => {
  test('the first replica creates it and may write at once, for nobody was there before', async () => {
    const first = lab.replica('first');
    expect(first.mayWrite).toBe(false);
    first.seek();
    await lab.until(leads(first), 1_000);
    expect([first.mayWrite, first.elector.permit.settled(), first.elector.permit.settlesInMs()]).toEqual([true, true, 0]);
    expect(await lab.lease()).toMatchObject({
      holderIdentity: expect.stringMatching(/^first_/),
      leaseDurationSeconds: 60,
      leaseTransitions: 0,
      acquireTime: expect.stringMatching(/^2026-01-01T00:00:0\d\.\d{6}Z$/),
    });
  });

  test('a second replica waits as long as the first one renews', async () => {
    const [first, second] = await leaderAndFollower();
    await lab.run(600_000, 1_000);
    expect([first.mayWrite, second.mayWrite, first.lost]).toEqual([true, false, []]);
  });

  test('a refused write says who does not lead, as a cycle that is given up', async () => {
    const [, second] = await leaderAndFollower();
    expect(() => second.elector.permit.assert()).toThrow(CycleAbandoned);
    expect(() => second.elector.permit.assert()).toThrow('this process does not lead: another process does, or none yet');
  });

  test('a Lease in a format that is not known is left alone', async () => {
    const spec = { holderIdentity: 'x', leaseDurationSeconds: 15, strategy: 'OldestEmulationVersion', preferredHolder: 'y' };
    await lab.client.create(LEASES, { metadata: LEASE, spec });
    const first = lab.replica('first');
    first.seek();
    await lab.run(300_000, 1_000);
    expect(first.mayWrite).toBe(false);
    expect(await lab.lease()).toEqual(spec);
    expect(first.logged).toEqual(['the Lease is not in a known format, so nobody leads here: ' + expectedWhy]);
  });

  test('whoever stops seeking is told so, and never leads', async () => {
    const [, second] = await leaderAndFollower();
    const third = lab.replica('third');
    const stop = new AbortController();
    const told = third.elector.whenLeading(stop.signal).catch((error: unknown) => (error as Error).message);
    await lab.run(5_000);
    stop.abort(new Error('stopping'));
    expect(await told).toBe('stopping');
    await second.elector.release();
    await lab.run(200_000, 1_000);
    expect(third.mayWrite).toBe(false);
  });
});
const expectedWhy = 'spec.strategy: found "OldestEmulationVersion"; allowed is nothing, for the API server would choose the holder';

describe('hand-over', () => {
  test('a release is taken up within a retry period, and nothing is waited for then', async () => {
    const [first, second] = await leaderAndFollower();
    const released = first.elector.release();
    await lab.run(250);
    await released;
    expect(first.mayWrite).toBe(false);
    expect(await lab.lease()).toMatchObject({ holderIdentity: '' });
    expect(await lab.until(leads(second), 60_000)).toBeLessThanOrEqual(RETRY_MS);
    expect(second.elector.permit.settlesInMs()).toBe(0);
    expect(await lab.lease()).toMatchObject({ leaseTransitions: 1 });
    expect(first.lost).toEqual([]);
  });

  test('a Lease is not released while a write without an answer may still take effect', async () => {
    const [first, second] = await leaderAndFollower();
    first.network.cut = 'answers';
    void first.ledger.transport.request({ method: 'POST', path: '/api/v1/namespaces/default/configmaps', body: {} });
    first.network.cut = 'no';
    const released = first.elector.release();
    await lab.run(250);
    await released;
    expect(await lab.lease()).toMatchObject({ holderIdentity: expect.stringMatching(/^first_/) });
    expect(await lab.until(leads(second), 90_000)).toBeGreaterThan(40_000);
    expect(second.elector.permit.settled()).toBe(false);
  });

  test('after a crash the successor waits until the Lease has run out, and then for late requests', async () => {
    const [first, second] = await leaderAndFollower();
    first.network.cut = 'requests';
    const took = await lab.until(leads(second), 90_000);
    expect(took).toBeGreaterThan(50_000);
    expect(took).toBeLessThanOrEqual(LEASE_TIMING.leaseDurationMs + RETRY_MS);
    expect(second.elector.permit.settled()).toBe(false);
    await lab.run(second.elector.permit.settlesInMs());
    expect(second.elector.permit.settled()).toBe(true);
  });

  test('a Lease that vanished in the hands of another is waited for like one that is not renewed', async () => {
    const [first, second] = await leaderAndFollower();
    first.network.cut = 'requests';
    await lab.client.remove(LEASES, LEASE);
    expect(await lab.until(leads(second), 90_000)).toBeGreaterThan(40_000);
    expect(second.elector.permit.settled()).toBe(false);
  });

  test('a claim whose answer was lost is confirmed, not waited for', async () => {
    const first = lab.replica('first');
    first.network.answerMs = 20_000;
    first.seek();
    await lab.run(5_000);
    first.network.answerMs = 0;
    await lab.until(leads(first), 45_000);
    expect(await lab.lease()).toMatchObject({ holderIdentity: expect.stringMatching(/^first_/) });
  });
});

describe('losing the Lease', () => {
  test('a leader that cannot renew stops writing well before another may take over', async () => {
    const [first, second] = await leaderAndFollower();
    first.network.cut = 'requests';
    const stopped = await lab.until(() => !first.mayWrite, 60_000);
    expect(first.lost).toEqual(['the Lease was not renewed in time']);
    expect(stopped).toBeLessThanOrEqual(LEASE_TIMING.renewDeadlineMs);
    const later = await lab.until(leads(second), 90_000);
    expect(later).toBeGreaterThanOrEqual(LEASE_TIMING.requestTimeoutMs);
  });

  test('the deadline counts from when the renewal was sent, not from its answer', async () => {
    const [first] = await leaderAndFollower();
    first.network.answerMs = 12_000;
    await lab.run(30_000);
    first.network.cut = 'requests';
    const sentAt = Date.parse(String((await lab.lease())?.['renewTime']));
    await lab.until(() => !first.mayWrite, 60_000);
    expect(lab.clock.now() - sentAt).toBeLessThanOrEqual(LEASE_TIMING.renewDeadlineMs);
  });

  test('who finds another name in the Lease stops at once', async () => {
    const [first] = await leaderAndFollower();
    await lab.client.mergePatch(LEASES, LEASE, { spec: { holderIdentity: 'somebody' } });
    await lab.run(RETRY_MS + 2_000);
    expect([first.mayWrite, first.lost]).toEqual([false, ['the Lease is held by somebody']]);
    await lab.run(300_000, 1_000);
    expect(first.mayWrite).toBe(false);
  });

  test('a deleted Lease is restored by its holder, who goes on', async () => {
    const [first, second] = await leaderAndFollower();
    await lab.client.remove(LEASES, LEASE);
    await lab.run(60_000, 1_000);
    expect([first.mayWrite, second.mayWrite]).toEqual([true, false]);
    expect(await lab.lease()).toMatchObject({ holderIdentity: expect.stringMatching(/^first_/) });
  });

  test('a wall clock that stands still hides no renewal', async () => {
    const [first, second] = await leaderAndFollower();
    for (let seconds = 0; seconds < 300; seconds += 1) {
      first.wallOffsetMs -= 1_000;
      await lab.run(1_000, 1_000);
      expect([first.mayWrite, second.mayWrite]).toEqual([true, false]);
    }
  });

  test('a wall clock that jumps changes nothing', async () => {
    const [first, second] = await leaderAndFollower();
    for (const jump of [3_600_000, -7_200_000, 0]) {
      first.wallOffsetMs += jump;
      second.wallOffsetMs -= jump;
      await lab.run(120_000, 1_000);
      expect([first.mayWrite, second.mayWrite]).toEqual([true, false]);
    }
    expect(first.lost).toEqual([]);
  });
});

type Trouble = { readonly who: 0 | 1 | 2; readonly afterMs: number; readonly network: Network; readonly jumpMs: number };
const delay = fc.oneof(fc.constant(0), fc.nat({ max: 20_000 }));
const troubles = fc.array(
  fc.record<Trouble>({
    who: fc.constantFrom(0, 1, 2),
    afterMs: fc.integer({ min: 1_000, max: 90_000 }),
    network: fc.record<Network>({ requestMs: delay, answerMs: delay, cut: fc.constantFrom('no', 'no', 'requests', 'answers') }),
    jumpMs: fc.oneof(fc.constant(0), fc.integer({ min: -600_000, max: 600_000 })),
  }),
  { minLength: 1, maxLength: 12 },
);

test('whatever networks and clocks do, no two replicas may write, and the last write of one is over before another may', async () => {
  let takeovers = 0;
  await fc.assert(
    fc.asyncProperty(troubles, async (sequence) => {
      const world = new ElectionLab(createApiServer);
      const replicas = [world.replica('a'), world.replica('b'), world.replica('c')];
      let last: { readonly who: Replica; readonly at: number } | undefined;
      world.onStep(() => {
        const writers = replicas.filter(({ mayWrite }) => mayWrite);
        if (writers.length > 1) throw new Error('two replicas may write');
        const [who] = writers;
        if (who === undefined) return;
        const at = world.clock.now();
        if (last !== undefined && last.who !== who) {
          takeovers += 1;
          expect(at - last.at).toBeGreaterThanOrEqual(LEASE_TIMING.requestTimeoutMs);
        }
        last = { who, at };
      });
      for (const replica of replicas) replica.seek();
      for (const { who, afterMs, network, jumpMs } of sequence) {
        await world.run(afterMs, 1_000);
        const replica = replicas[who];
        if (replica === undefined) continue;
        Object.assign(replica.network, network);
        replica.wallOffsetMs += jumpMs;
      }
      await world.run(200_000, 1_000);
      world.onStep(() => {});
      await world.close();
    }),
    { numRuns: 60 },
  );
  expect(takeovers).toBeGreaterThan(5);
}, 60_000);
