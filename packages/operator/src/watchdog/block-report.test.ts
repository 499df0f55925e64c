import { expect, test } from 'vitest';
import { messageOf, parseReport, type BlockReport } from './block-report.ts';

const report: BlockReport = {
  active: { action: 'Served', apiVersion: 'v1', kind: 'Page', namespace: 'default', name: 'front', uid: 'u', generation: 3 },
  where: ['layOut (src/layout.ts:12)', 'run (src/v1.ts:40)'],
  blockedMs: 30_000,
  at: '2026-01-01T00:00:00.000Z',
  release: 'web:1',
};

test('the message names Action, object, function and line, and says what to do', () => {
  expect(messageOf(report)).toBe(
    [
      'Action Served of Page default/front has blocked the process for 30 seconds, so that it could do nothing else; it ended itself.',
      'It was in layOut (src/layout.ts:12), called by run (src/v1.ts:40).',
      'It is started again. Once is forgiven; the second time the object is left out, and tried again each hour after all others.',
      'Repair the loop, or the spec that leads into it.',
    ].join('\n'),
  );
});

test('the message says so if no Action is to blame', () => {
  expect(messageOf({ ...report, active: undefined, where: [] })).toMatch(/^Something that is no Action has blocked the process/);
});

test('a report goes through a file unharmed, and junk is none', () => {
  expect(parseReport(JSON.stringify(report))).toEqual(report);
  expect(parseReport(JSON.stringify({ ...report, active: { action: 'Served' } }))?.active).toBeUndefined();
  for (const junk of ['', 'null', '{}', '3', '{"at":1}']) expect(parseReport(junk)).toBeUndefined();
});
