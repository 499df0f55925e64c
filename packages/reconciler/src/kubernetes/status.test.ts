// What people and tools read in status, after each kind of step.
import { expect, test } from 'vitest';
import type { ActionOutcome } from '../cycle.ts';
import { proceduresFor } from '../define.ts';
import { done, pending, undetermined, type ActionResult } from '../result.ts';
import { normalizeCatalog, type ProcedureDeclaration } from '../versions/catalog.ts';
import { nextStep } from '../versions/next-step.ts';
import { mirrorOf, type VersionRecord } from '../versions/record.ts';
import type { CycleReport, ObjectState, ProtocolFacts, Step } from '../versions/step.ts';
import type { Condition } from './condition.ts';
import { buildStatus, type FrameworkStatus, type StatusInput } from './status.ts';
import { testEntry, testRecord } from '../versions/testing.ts';

const { defineAction, defineProcedure } = proceduresFor<object>();
const stored = defineAction({ name: 'Stored', run: () => done() });
const served = defineAction({ name: 'Served', requires: { stored }, run: () => done() });
const procedure = defineProcedure({ version: '2.0.0', actions: [served] });
const one: ProcedureDeclaration = { version: '1.0.0' };
const two: ProcedureDeclaration = { version: '2.0.0', minVersion: '1.0.0' };
const subject = { apiVersion: 'example.pawl.dev/v1', kind: 'Website', namespace: 'shop', name: 'front' };

const atOne = testRecord({ version: '1.0.0', applied: [testEntry('1.0.0', 'Complete')] });
const atTwo = testRecord({ version: '2.0.0', applied: [testEntry('2.0.0', 'Complete')] });
const toTwo = testRecord({ target: '2.0.0', applied: [testEntry('1.0.0', 'Complete'), testEntry('2.0.0', 'Partial')] });
const installing = testRecord({ target: '2.0.0', applied: [testEntry('2.0.0', 'Partial')] });

interface World {
  readonly catalog?: readonly ProcedureDeclaration[];
  readonly cr?: Partial<ObjectState>;
  readonly facts?: Partial<ProtocolFacts>;
  readonly cycle?: CycleReport;
}
function stepOf(
  held: VersionRecord | undefined,
  { catalog = [one, two], cr = {}, facts = {}, cycle }: World = {},
): Step {
  const mirror = held === undefined ? undefined : mirrorOf(held, 'u');
  return nextStep({
    catalog: normalizeCatalog(catalog),
    cr: { uid: 'u', deleting: false, spec: {}, requests: {}, finalizer: true, record: held, mirror, ...cr },
    stamps: [],
    facts: { settled: true, ...facts },
    scope: [],
    cycle,
  });
}
const clean: CycleReport = { version: '2.0.0', clean: true, verified: true, extras: 0 };
const ran = (results: Readonly<Record<string, ActionResult>>): NonNullable<StatusInput['ran']> => ({
  procedure,
  outcomes: new Map(
    Object.entries(results).map(([name, result]): readonly [string, ActionOutcome] => [
      name,
      { name, level: 'check', result, changes: [], durationMs: 1, assumed: false },
    ]),
  ),
});
const allTrue = ran({ Served: done(), Stored: done() });

function statusOf(
  held: VersionRecord | undefined,
  world: World = {},
  more: Partial<StatusInput> = {},
): FrameworkStatus {
  return buildStatus({
    subject,
    generation: 3,
    deleting: world.cr?.deleting === true,
    previous: undefined,
    step: stepOf(held, world),
    record: held,
    history: [],
    verified: false,
    now: 1_000,
    ...more,
  });
}
const said = ({ procedure: { phase, version, target }, conditions }: FrameworkStatus): string =>
  [
    [phase, version, target].filter((part) => part !== undefined).join(' '),
    ...conditions.map(({ type, status, reason }) => `${type}=${status} ${reason}`),
  ].join('; ');
const conditionOf = ({ conditions }: FrameworkStatus, type: string): Condition | undefined =>
  conditions.find((condition) => condition.type === type);

test('settled and serving', () => {
  const status = statusOf(atTwo, { cycle: clean }, { ran: allTrue, verified: true });
  expect(said(status)).toBe(
    'Steady 2.0.0; Ready=True Established; Reconciling=False Established; Stalled=False AsExpected',
  );
  expect(status).toMatchObject({
    observedGeneration: 3,
    verifiedGeneration: 3,
    procedure: { summary: '2.0.0 is established' },
  });
});

test('a generation counts as verified only when it was', () => {
  const status = statusOf(atTwo, { cycle: clean }, { ran: allTrue, previous: { verifiedGeneration: 2 } });
  expect(status).toMatchObject({ observedGeneration: 3, verifiedGeneration: 2 });
  expect(conditionOf(status, 'Reconciling')).toMatchObject({ status: 'True', reason: 'NotVerified' });
});

test('a fresh install', () => {
  const status = statusOf(installing, {}, { ran: ran({ Stored: pending('Creating', 'being created') }) });
  expect(said(status)).toBe(
    'Installing 2.0.0; Ready=False Creating; Reconciling=True Installing; Stalled=False AsExpected; Upgradeable=False MigrationInProgress',
  );
  expect(status.procedure.summary).toBe('2.0.0 is being installed; Stored: being created');
});

test('an upgrade shows the version that was reached until the next one is', () => {
  const status = statusOf(
    toTwo,
    {},
    { ran: ran({ Stored: done(), Served: pending('RollingOut', 'pods are starting') }) },
  );
  expect(said(status)).toBe(
    'Upgrading 1.0.0 2.0.0; Ready=False RollingOut; Reconciling=True Upgrading; Stalled=False AsExpected; Upgradeable=False MigrationInProgress',
  );
  expect(status.procedure).toMatchObject({
    summary: 'Going from 1.0.0 to 2.0.0; Served: pods are starting',
    path: ['2.0.0'],
  });
});

test('a rollback', () => {
  const back = testRecord({
    target: '1.0.0',
    applied: [testEntry('1.0.0', 'Partial'), { ...testEntry('2.0.0', 'Partial'), rollbackTo: '*' }],
  });
  const status = statusOf(back, {}, { previous: { procedure: { version: '1.0.0' } } });
  expect(status.procedure).toMatchObject({
    phase: 'RollingBack',
    version: '1.0.0',
    summary: 'Going back from 2.0.0 to 1.0.0',
  });
});

test('a refused object keeps what was known of it', () => {
  const ready = {
    type: 'Ready',
    status: 'True',
    reason: 'Established',
    message: 'every Action is True',
    lastTransitionTime: 'then',
  };
  const observed = ran({ Stored: undetermined('ObservedOnly', 'looked at') });
  const status = statusOf(toTwo, { catalog: [one] }, { previous: { conditions: [ready] }, ran: observed });
  expect(said(status)).toBe(
    'Blocked 1.0.0 2.0.0; Ready=True Established; Reconciling=False Blocked; Stalled=False AsExpected; ' +
      'ProcedureResolved=False DowngradeRefused; UpgradeBlocked=True DowngradeRefused; Upgradeable=False MigrationInProgress',
  );
  expect(status.procedure.summary).toContain('Deploy an operator that contains 2.0.0');
});

test.each([
  ['4.0.0', 'AdoptRefused', 'the version must be in this operator (3.0.0), not older than 2.0.0'],
  ['newest', 'RequestNotUnderstood', 'procedures.pawl.dev/adopt="newest"'],
])('a request to adopt %s that cannot be granted is answered on an object that stands still all the same', (adopt, reason, text) => {
  const world: World = { catalog: [{ ...two, version: '3.0.0', from: '2.0.0' }], cr: { requests: { adopt } } };
  const status = statusOf(toTwo, world, { requests: { adopt } });
  expect(said(status)).toContain(`ProcedureResolved=False StrandedMidUpgrade; UpgradeBlocked=True ${reason}`);
  expect(conditionOf(status, 'UpgradeBlocked')?.message).toContain(text);
  expect(status.procedure.summary).toContain('no version of this operator (3.0.0) finishes or supersedes that');
  expect(status.procedure.summary).toContain(text);
});

test('a gate that is closed: what is there serves, and the way is shown', () => {
  const world: World = { cr: { spec: { policy: 'Manual' } }, cycle: { ...clean, version: '1.0.0' } };
  const status = statusOf(atOne, world, { ran: allTrue, verified: true });
  expect(said(status)).toBe(
    'Steady 1.0.0; Ready=True Established; Reconciling=False Established; Stalled=False AsExpected; ' +
      'UpgradeBlocked=True ApprovalRequired; UpgradeAvailable=True PathPlanned',
  );
  expect(conditionOf(status, 'UpgradeAvailable')?.message).toBe('the way is 2.0.0');
});

test.each<readonly [string, VersionRecord, World, Partial<StatusInput>, string]>([
  ['paused', atOne, { cr: { spec: { paused: true } } }, {}, 'Paused'],
  ['settling', toTwo, { cycle: { ...clean, verified: false }, facts: { settled: false } }, {}, 'Waiting'],
  [
    'soaking',
    toTwo,
    { catalog: [one, { ...two, finalizes: true }], cycle: clean, facts: { soaking: true } },
    {},
    'Soaking',
  ],
  ['in a critical section', { ...toTwo, hold: { action: 'A', reason: 'r' } }, { cycle: clean }, {}, 'Held'],
  ['a record that is not kept', toTwo, { facts: { notPersisted: true } }, {}, 'Blocked'],
  ['no progress', toTwo, {}, { stalled: true }, 'Stalled'],
  ['going', atTwo, { cr: { deleting: true } }, {}, 'Deleting'],
  [
    'not allowed to go',
    testRecord({ version: '5.0.0', applied: [{ ...testEntry('5.0.0', 'Complete'), teardown: 'Procedure' }] }),
    { cr: { deleting: true } },
    {},
    'Blocked',
  ],
])('%s', (_name, held, world, more, phase) => {
  expect(statusOf(held, world, more).procedure.phase).toBe(phase);
});

test('only what ends for good, and a stalled upgrade, count as failed', () => {
  const terminal = statusOf(atTwo, {}, { ran: ran({ Stored: undetermined('Terminal', 'the name is taken') }) });
  expect(conditionOf(terminal, 'Stalled')).toMatchObject({
    status: 'True',
    reason: 'TerminalError',
    message: 'Stored: the name is taken',
  });
  const failing = statusOf(atTwo, {}, { ran: ran({ Stored: undetermined('Failed', 'no answer') }) });
  expect(conditionOf(failing, 'Stalled')).toMatchObject({ status: 'False' });
  expect(conditionOf(statusOf(toTwo, {}, { stalled: true }), 'Stalled')).toMatchObject({
    status: 'True',
    reason: 'UpgradeStalled',
  });
});

test('rows of Actions stand in the order of the procedure, with their root causes', () => {
  const blocked = { ...undetermined('PrerequisiteNotMet', 'Stored: being created'), blockedBy: ['Stored'] };
  const status = statusOf(
    installing,
    {},
    {
      ran: ran({ Served: blocked, Stored: pending('Creating', 'being created', { progress: { done: 1, total: 2 } }) }),
    },
  );
  expect(status.actions).toEqual([
    {
      name: 'Stored',
      status: 'False',
      reason: 'Creating',
      message: 'being created',
      progress: { done: 1, total: 2 },
      lastTransitionTime: '1970-01-01T00:00:01Z',
    },
    {
      name: 'Served',
      status: 'Unknown',
      reason: 'PrerequisiteNotMet',
      message: 'Stored: being created',
      blockedBy: ['Stored'],
      lastTransitionTime: '1970-01-01T00:00:01Z',
    },
  ]);
});

test('rows of Actions of one version do not stand for those of the next one, which nobody has run yet', () => {
  const previous = statusOf(atOne, { catalog: [one] }, { ran: allTrue });
  expect(previous.actions).toHaveLength(2);
  const step = stepOf(atOne);
  expect(step.step).toBe('intent');
  expect(statusOf(toTwo, {}, { previous, step }).actions).toBeUndefined();
  const held = statusOf(atOne, { facts: { gates: { '2.0.0': 'ApprovalRequired' } } }, { previous });
  expect(held.actions).toEqual(previous.actions);
});

test('times change with the status alone, so that nothing is written while nothing changes', () => {
  const first = statusOf(atTwo, { cycle: clean }, { ran: allTrue, verified: true, now: 1_000 });
  const later = { ran: allTrue, verified: true, now: 90_000, previous: JSON.parse(JSON.stringify(first)) as unknown };
  expect(statusOf(atTwo, { cycle: clean }, later)).toEqual(first);
  const broken = statusOf(atTwo, {}, { ...later, ran: ran({ Stored: pending('Gone', 'it is gone'), Served: done() }) });
  expect(broken.conditions.map(({ type, lastTransitionTime }) => `${type} ${lastTransitionTime}`)).toEqual([
    'Ready 1970-01-01T00:01:30Z',
    'Reconciling 1970-01-01T00:01:30Z',
    'Stalled 1970-01-01T00:00:01Z',
  ]);
  expect(broken.actions?.map(({ lastTransitionTime }) => lastTransitionTime)).toEqual([
    '1970-01-01T00:01:30Z',
    '1970-01-01T00:00:01Z',
  ]);
});

test('in which order Actions ran does not show', () => {
  const [first, second] = [pending('One', 'one'), pending('Two', 'two')];
  const status = statusOf(installing, {}, { ran: ran({ Stored: first, Served: second }) });
  expect(statusOf(installing, {}, { ran: ran({ Served: second, Stored: first }) })).toEqual(status);
});

test('fields of the author are kept, and set with the same write', () => {
  const previous = { id: 'a', url: 'old', conditions: 'junk', actions: [3] };
  const status = statusOf(atTwo, {}, { previous, statusFields: new Map([['url', 'new']]) });
  expect(status).toMatchObject({ id: 'a', url: 'new' });
});

test('a prune that waits for a word', () => {
  const status = statusOf(toTwo, {}, { pruneBlocked: { hash: 'ab12', count: 12, of: 20 } });
  expect(conditionOf(status, 'PruneBlocked')?.message).toContain('approve-prune=ab12');
});
