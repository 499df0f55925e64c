import { type Decision, type IntentStep, type RecordEntry, type Step, type VersionRecord } from '@pawl/reconciler';
import type { KubernetesObject } from '@pawl/reconciler/kubernetes';
import { describe, expect, test } from 'vitest';
import { eventsOf } from './events-of.ts';
import { EVENT_REASONS } from './happening.ts';
import { eventsOfPruning, objectReplacedEvent, recordNotPersistedEvent } from './other-events.ts';

const decision: Decision = { kind: 'Run', mode: 'Steady', version: '1.0.0', path: [], intent: false, avoid: [], candidates: [] };
const entry = (version: string, state: 'Partial' | 'Complete', more: Partial<RecordEntry> = {}): RecordEntry => ({
  version,
  state,
  rollbackTo: 'none',
  teardown: 'Inventory',
  ...more,
});
const record = (applied: readonly RecordEntry[], target?: string): VersionRecord => ({
  formatVersion: 1,
  minReader: 1,
  epoch: 1,
  ...(target === undefined ? { version: applied[0]?.version ?? '' } : { target }),
  applied,
  avoid: [],
  scope: [],
});
const v1 = record([entry('1.0.0', 'Complete')]);
const to2 = record([entry('1.0.0', 'Complete'), entry('2.0.0', 'Partial')], '2.0.0');
const to21 = record([entry('1.0.0', 'Complete'), entry('2.0.0', 'Partial'), entry('2.0.1', 'Partial')], '2.0.1');
const v2 = record([entry('2.0.0', 'Complete')]);
const back = record([entry('1.0.0', 'Partial'), entry('2.0.0', 'Partial')], '1.0.0');

function object(of?: VersionRecord, conditions: readonly { type: string; reason: string }[] = []): KubernetesObject {
  const status = {
    procedure: of === undefined ? {} : { record: of },
    conditions: conditions.map((each) => ({ ...each, status: 'True', message: 'why', lastTransitionTime: 't' })),
  };
  const metadata = { name: 'front', namespace: 'shop', uid: 'u1', resourceVersion: '1' };
  return { apiVersion: 'web.test/v1', kind: 'Page', metadata, status } as never;
}
const intent = (after: VersionRecord, mode: NonNullable<IntentStep['mode']>, more: Partial<Decision> = {}): Step =>
  ({ step: 'intent', why: 'hop', mode, record: after, decision: { ...decision, ...more } }) as Step;
const report: Step = { step: 'report', decision };
const blocked = (reason: string): KubernetesObject => object(v1, [{ type: 'UpgradeBlocked', reason }]);
const effective = (note: 'RecordDrift' | 'RecordReconstructed'): Partial<Decision> =>
  ({ effective: { note, applied: [entry('1.0.0', 'Complete'), entry('3.0.0', 'Partial')] } }) as never;
const accepted = record([entry('1.0.0', 'Partial'), entry('3.0.0', 'Partial', { accepted: ['1.0.0'] })], '3.0.0');
const digest = (value: string): VersionRecord => record([entry('1.0.0', 'Complete', { digest: value })]);

type Row = readonly [what: string, step: Step, before: KubernetesObject, after: KubernetesObject, events: readonly string[]];
const install = record([entry('1.0.0', 'Partial')], '1.0.0');
const rows: readonly Row[] = [
  ['an install begins', intent(install, 'Install'), object(), object(install), ['Normal UpgradeStarted: 1.0.0 is being installed']],
  ['an upgrade begins', intent(to2, 'Upgrade'), object(v1), object(to2), ['Normal UpgradeStarted: going from 1.0.0 to 2.0.0']],
  ['a rollback begins', intent(back, 'Rollback'), object(v2), object(back), ['Normal RollbackStarted: going back from 2.0.0 to 1.0.0']],
  [
    'a patch release takes over',
    intent(to21, 'Supersede'),
    object(to2),
    object(to21),
    ['Normal UpgradeSuperseded: 2.0.0 was left unfinished for 2.0.1', 'Normal UpgradeStarted: going from 2.0.0 to 2.0.1'],
  ],
  [
    'a rollback is given up for an upgrade',
    intent(to21, 'Supersede'),
    object(back),
    object(to21),
    ['Normal RollbackSuperseded: 1.0.0 was left unfinished for 2.0.1', 'Normal UpgradeStarted: going from 2.0.0 to 2.0.1'],
  ],
  ['a hop is resumed', intent(to2, 'Resume'), object(to2), object({ ...to2, epoch: 2 }), []],
  ['the scope is widened', { ...intent(to2, 'Resume'), why: 'scope' } as Step, object(to2), object({ ...to2, epoch: 2 }), []],
  ['an upgrade ends', { step: 'complete', record: v2, decision }, object(to2), object(v2), ['Normal UpgradeCompleted: 2.0.0 is verified and complete']],
  ['a rollback ends', { step: 'complete', record: v1, decision }, object(back), object(v1), ['Normal RollbackCompleted: 1.0.0 is verified and complete']],
  ['the point of no return', { step: 'finalize', record: to2, decision }, object(to2), object({ ...to2, epoch: 2 }), ['Normal FinalizeStarted: 2.0.0 passes its point of no return']],
  ['an operator is too old', report, object(v1), blocked('DowngradeRefused'), ['Warning UpgradeBlocked: DowngradeRefused: why']],
  ['a rollback is not permitted', report, object(v1), blocked('RollbackNotPermitted'), ['Warning RollbackBlocked: RollbackNotPermitted: why']],
  ['an approval is awaited', report, object(v1), blocked('ApprovalRequired'), ['Normal UpgradeBlocked: ApprovalRequired: why']],
  ['it is still blocked', report, blocked('Stranded'), blocked('Stranded'), []],
  ['it is blocked for another reason', report, blocked('Stranded'), blocked('Avoided'), ['Warning UpgradeBlocked: Avoided: why']],
  ['it is free again', report, blocked('Stranded'), object(v1), ['Normal UpgradeUnblocked: Stranded no longer stands in the way']],
  ['a refused rollback is withdrawn', report, blocked('RollbackNotRequested'), object(v1), ['Normal RollbackUnblocked: RollbackNotRequested no longer stands in the way']],
  ['too much would be pruned', report, object(v1), object(v1, [{ type: 'PruneBlocked', reason: 'LimitExceeded' }]), ['Warning PruneSkipped: why']],
  [
    'a person takes a risk',
    intent(accepted, 'Supersede'),
    object(v1),
    object(accepted),
    ['Warning RiskAccepted: a person let 3.0.0 act upon 1.0.0, which no author declared', 'Normal UpgradeStarted: going from 1.0.0 to 3.0.0'],
  ],
  [
    'the record was lost',
    intent(to2, 'Resume', effective('RecordReconstructed')),
    object(),
    object(to2),
    ['Warning RecordReconstructed: the record was lost; from what is left of it, 1.0.0, 3.0.0 may be there'],
  ],
  [
    'a newer version was found on owned objects',
    { step: 'report', decision: { ...decision, ...effective('RecordDrift') } as Decision },
    object(v1),
    blocked('DowngradeRefused'),
    [
      'Warning RecordDrift: owned objects carry a version that the record does not hold; it now counts 1.0.0, 3.0.0',
      'Warning UpgradeBlocked: DowngradeRefused: why',
    ],
  ],
  [
    'a released version has other contents',
    intent(digest('b'), 'Resume'),
    object(digest('a')),
    object(digest('b')),
    ['Warning ProcedureContentChanged: 1.0.0 is not the procedure that acted here before under this version'],
  ],
];

test.each(rows)('when %s', (_what, step, before, after, events) => {
  const found = eventsOf(step, before, after);
  expect(found.map(({ type, reason, note }) => `${type} ${reason}: ${note}`)).toEqual(events);
});

test('nothing is said when nothing was written', () => {
  const same = blocked('Stranded');
  expect(eventsOf(intent(to2, 'Upgrade'), same, same)).toEqual([]);
});

test('an Event names the object as it was written', () => {
  expect(eventsOf(intent(to2, 'Upgrade'), object(v1), object(to2))[0]?.regarding).toEqual({
    apiVersion: 'web.test/v1',
    kind: 'Page',
    name: 'front',
    namespace: 'shop',
    uid: 'u1',
  });
});

describe('pruning', () => {
  const child = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'old', namespace: 'shop', uid: 'c1', resourceVersion: '1' } };

  test('tells what was deleted, and what is left for a reason that somebody should look into', () => {
    const kept = (['Wanted', 'NewerStamp', 'ActionSkipped', 'ForeignOwner', 'UnknownOrigin'] as const).map((reason) => ({
      object: child,
      reason,
    }));
    const found = eventsOfPruning(object(v1), [child], kept);
    expect(found.map(({ type, reason, note }) => `${type} ${reason}: ${note}`)).toEqual([
      'Normal ObjectPruned: ConfigMap shop/old is no longer wanted and was deleted',
      'Warning PruneSkipped: ConfigMap shop/old is no longer wanted and was left: a newer version wrote it',
      'Warning PruneSkipped: ConfigMap shop/old is no longer wanted and was left: it belongs to somebody else',
      'Warning PruneSkipped: ConfigMap shop/old is no longer wanted and was left: it carries no version or no Action',
    ]);
    expect(found[0]?.related?.uid).toBe('c1');
  });

  test('is not replacing, which is told as such', () => {
    expect(objectReplacedEvent(object(v1), child)).toMatchObject({
      reason: 'ObjectReplaced',
      note: 'ConfigMap shop/old was replaced, for a field of it that had to change cannot be changed',
      related: { uid: 'c1' },
    });
  });
});

test('a kind that drops the record is told on its definition', () => {
  expect(recordNotPersistedEvent({ apiVersion: 'web.test/v1', kind: 'Page', plural: 'pages' })).toMatchObject({
    type: 'Warning',
    reason: 'RecordNotPersisted',
    regarding: { kind: 'CustomResourceDefinition', name: 'pages.web.test' },
  });
});

test('the reasons are what they were in the last release', () => {
  expect([...EVENT_REASONS].sort()).toMatchInlineSnapshot(`
    [
      "FinalizeStarted",
      "ObjectPruned",
      "ObjectReplaced",
      "ProcedureContentChanged",
      "PruneSkipped",
      "RecordDrift",
      "RecordNotPersisted",
      "RecordReconstructed",
      "RiskAccepted",
      "RollbackBlocked",
      "RollbackCompleted",
      "RollbackStarted",
      "RollbackSuperseded",
      "RollbackUnblocked",
      "RolloutHeld",
      "UpgradeBlocked",
      "UpgradeCompleted",
      "UpgradeStarted",
      "UpgradeSuperseded",
      "UpgradeUnblocked",
    ]
  `);
});
