import type { KubernetesObject } from '@pawl/reconciler/kubernetes';
import { describe, expect, test } from 'vitest';
import { claimSpec, microTime, readLease } from './lease.ts';
import { LeaseWatch } from './lease-watch.ts';
import { LEASE_TIMING, timingFaults } from './timing.ts';

const lease = (spec: unknown): KubernetesObject =>
  ({ apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: { name: 'pawl-web', uid: 'u' }, spec }) as never;
const held = { holderIdentity: 'a', leaseDurationSeconds: 60, renewTime: '2026-01-01T00:00:00.000000Z', leaseTransitions: 3 };

describe('a Lease', () => {
  test.each([
    ['nothing', undefined, 'missing'],
    ['one in somebody’s hands', lease(held), 'held'],
    ['one that was released', lease({ ...held, holderIdentity: '' }), 'released'],
    ['one without a holder', lease({ leaseTransitions: 3 }), 'vacant'],
    ['one without a spec', lease(undefined), 'vacant'],
    ['one whose holder the API server chooses', lease({ ...held, strategy: 'OldestEmulationVersion' }), 'foreign'],
    ['one with a holder that is no text', lease({ ...held, holderIdentity: { name: 'a' } }), 'foreign'],
    ['one without a duration', lease({ holderIdentity: 'a', renewTime: 'x' }), 'foreign'],
    ['one that was never renewed', lease({ holderIdentity: 'a', leaseDurationSeconds: 15 }), 'foreign'],
    ['one with a spec that is none', lease('held'), 'foreign'],
  ])('%s', (_what, object, is) => {
    expect(readLease(object).is).toBe(is);
  });

  test('of an unknown format says which field, what was found and what is allowed', () => {
    expect(readLease(lease({ ...held, leaseDurationSeconds: 0 }))).toEqual({
      is: 'foreign',
      why: 'spec.leaseDurationSeconds: found 0; allowed is a whole number above 0',
    });
  });

  test('is claimed with times of six digits, one transition on', () => {
    expect(claimSpec({ identity: 'b', durationMs: 60_000, now: 1, state: readLease(lease(held)) })).toEqual({
      holderIdentity: 'b',
      leaseDurationSeconds: 60,
      acquireTime: '1970-01-01T00:00:00.001000Z',
      renewTime: '1970-01-01T00:00:00.001000Z',
      leaseTransitions: 4,
    });
    expect(microTime(1, 42)).toBe('1970-01-01T00:00:00.001042Z');
  });
});

describe('waiting for a Lease', () => {
  test('begins anew with each change that is seen, whatever times are written in it', () => {
    const watch = new LeaseWatch(60_000);
    const renewed = (renewTime: string) => readLease(lease({ ...held, renewTime }));
    expect(watch.note(renewed('1999-01-01T00:00:00.000000Z'), 1_000)).toBe(60_000);
    expect(watch.note(renewed('1999-01-01T00:00:00.000000Z'), 51_000)).toBe(10_000);
    expect(watch.note(renewed('1999-01-01T00:00:00.000001Z'), 52_000)).toBe(60_000);
    expect(watch.note(renewed('1999-01-01T00:00:00.000001Z'), 112_000)).toBe(0);
  });

  test('takes as long as the holder says, if that is longer', () => {
    const watch = new LeaseWatch(60_000);
    expect(watch.note(readLease(lease({ ...held, leaseDurationSeconds: 90 })), 0)).toBe(90_000);
    expect(new LeaseWatch(60_000).note(readLease(lease({ ...held, leaseDurationSeconds: 1 })), 0)).toBe(60_000);
  });

  test('ends with a release, and never ends for a Lease that is not understood', () => {
    const watch = new LeaseWatch(60_000);
    watch.note(readLease(lease(held)), 0);
    expect(watch.note(readLease(lease({ ...held, strategy: 'x' })), 1)).toBe(Infinity);
    expect(watch.note(readLease(undefined), 2)).toBe(59_998);
    expect(watch.note(readLease(lease({ ...held, holderIdentity: '' })), 3)).toBe(0);
  });
});

describe('durations', () => {
  test('of the defaults fit together', () => {
    expect(timingFaults(LEASE_TIMING)).toEqual([]);
  });

  test('that let a change land after the Lease has run out are refused by the names of the fields', () => {
    expect(timingFaults({ ...LEASE_TIMING, requestTimeoutMs: 16_000 })).toEqual([
      'requestTimeoutMs + skewMs: found 16000 + 5000; allowed is at most leaseDurationMs - renewDeadlineMs, which is 20000',
    ]);
  });

  test('that are no durations are all named', () => {
    expect(timingFaults({ ...LEASE_TIMING, retryPeriodMs: 0, skewMs: -1 })).toEqual([
      'retryPeriodMs: found 0; allowed is a whole number of milliseconds above 0',
      'skewMs: found -1; allowed is a whole number of milliseconds from 0',
    ]);
    expect(timingFaults({ ...LEASE_TIMING, leaseDurationMs: 60_500, retryPeriodMs: 30_000 })).toHaveLength(2);
  });
});
