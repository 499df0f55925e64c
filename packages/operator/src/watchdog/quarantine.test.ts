import { ANNOTATIONS, type KubernetesObject } from '@pawl/reconciler/kubernetes';
import { describe, expect, test } from 'vitest';
import type { BlockReport } from './block-report.ts';
import { markOf, nextMark, quarantinedForMs, quarantinedStatus, type BlockedMark } from './quarantine.ts';

const NOW = Date.UTC(2026, 0, 1, 12);
const mark = (parts: Partial<BlockedMark> = {}): BlockedMark => ({
  action: 'Served',
  times: 2,
  at: '2026-01-01T11:50:00.000Z',
  generation: 1,
  release: 'web:1',
  ...parts,
});
const page = (annotations: Readonly<Record<string, string>>, status: unknown = {}): KubernetesObject & { readonly status: unknown } => ({
  apiVersion: 'test.pawl.dev/v1',
  kind: 'Page',
  metadata: { name: 'front', namespace: 'default', uid: 'u', resourceVersion: '1', generation: 1, annotations },
  status,
});
const marked = (parts: Partial<BlockedMark> = {}): KubernetesObject => page({ [ANNOTATIONS.blocked]: JSON.stringify(mark(parts)) });
const report: BlockReport = {
  active: { action: 'Served', apiVersion: 'test.pawl.dev/v1', kind: 'Page', name: 'front', uid: 'u', generation: 1 },
  where: [],
  blockedMs: 30_000,
  at: '2026-01-01T11:59:00.000Z',
  release: 'web:1',
};

describe('an object is left out', () => {
  test('from the second time on, for an hour', () => {
    expect(quarantinedForMs(marked({ times: 1 }), { release: 'web:1', now: NOW })).toBeUndefined();
    expect(quarantinedForMs(marked(), { release: 'web:1', now: NOW })).toBe(50 * 60_000);
    expect(quarantinedForMs(marked({ at: '2026-01-01T10:00:00Z' }), { release: 'web:1', now: NOW })).toBe(0);
  });

  test('not under another spec or another release', () => {
    expect(quarantinedForMs(marked({ generation: 0 }), { release: 'web:1', now: NOW })).toBeUndefined();
    expect(quarantinedForMs(marked(), { release: 'web:2', now: NOW })).toBeUndefined();
  });

  test('not for a mark that cannot be read', () => {
    for (const junk of ['', '{', '[]', '{"times":2}', '{"action":"A","times":2,"at":"soon","generation":1,"release":"r"}'])
      expect(markOf(page({ [ANNOTATIONS.blocked]: junk }))).toBeUndefined();
    expect(quarantinedForMs(page({}), { release: 'web:1', now: NOW })).toBeUndefined();
  });
});

describe('a mark', () => {
  test('counts up, and begins anew under another spec or release', () => {
    expect(nextMark(undefined, report)).toEqual({ action: 'Served', times: 1, at: report.at, generation: 1, release: 'web:1' });
    expect(nextMark(mark(), report)?.times).toBe(3);
    expect(nextMark(mark({ generation: 0 }), report)?.times).toBe(1);
    expect(nextMark(mark({ release: 'web:0' }), report)?.times).toBe(1);
  });

  test('is not made of a report that names no Action', () => {
    expect(nextMark(mark(), { ...report, active: undefined })).toBeUndefined();
  });
});

describe('the status of an object that is left out', () => {
  const ready = { type: 'Ready', status: 'True', reason: 'Established', message: 'x', lastTransitionTime: '2026-01-01T00:00:00Z' };
  const before = page({}, { own: 1, procedure: { version: '1.0.0', record: { epoch: 3 }, phase: 'Steady' }, conditions: [ready] });
  const after = quarantinedStatus(before, mark(), NOW);

  test('says so, with what to do, and keeps everything else', () => {
    expect(after).toMatchObject({
      own: 1,
      procedure: { version: '1.0.0', record: { epoch: 3 }, phase: 'Stalled', summary: expect.stringMatching(/^Action Served of Page default\/front has blocked/) as string },
    });
    const { conditions } = after as { readonly conditions: readonly { readonly type: string; readonly status: string; readonly reason: string }[] };
    expect(conditions.map(({ type, status, reason }) => `${type} ${status} ${reason}`)).toEqual([
      'Ready True Established',
      'Reconciling False Stalled',
      'Stalled True Quarantined',
    ]);
  });

  test('is the same the next time', () => {
    const again = page({}, after);
    expect(quarantinedStatus(again, mark({ times: 3, at: '2026-01-01T13:00:00Z' }), NOW + 3_600_000)).toEqual(after);
  });
});
