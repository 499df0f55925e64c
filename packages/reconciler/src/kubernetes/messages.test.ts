// Every text for people about versions, as an operator's user would read it.
import { expect, test } from 'vitest';
import { normalizeCatalog, type ProcedureDeclaration } from '../versions/catalog.ts';
import { decide } from '../versions/decide.ts';
import type { Decision } from '../versions/decision.ts';
import type { DecisionInput, Reason } from '../versions/inputs.ts';
import { parseRecord } from '../versions/parse-record.ts';
import { mirrorOf, type RecordEntry, type VersionRecord } from '../versions/record.ts';
import { explainReason, prunedTooMuch, requestCommand, subjectOf, type Subject } from './messages.ts';
import { testEntry, testRecord } from '../versions/testing.ts';

const subject: Subject = { apiVersion: 'example.pawl.dev/v1', kind: 'Website', namespace: 'shop', name: 'front' };
const one: ProcedureDeclaration = { version: '1.0.0' };
const two: ProcedureDeclaration = { version: '2.0.0', minVersion: '1.0.0', rollbackTo: '>=1.0.0' };
const three: ProcedureDeclaration = { version: '3.0.0', minVersion: '2.0.0' };
const entry = (version: string, state: RecordEntry['state'], extra: Partial<RecordEntry> = {}): RecordEntry =>
  testEntry(version, state, { teardown: 'Procedure', digest: version, operator: `web ${version}`, ...extra });
const at = (version: string, extra: Partial<RecordEntry> = {}): VersionRecord =>
  testRecord({ version, applied: [entry(version, 'Complete', extra)] });
const half = testRecord({ target: '2.0.0', applied: [entry('1.0.0', 'Complete'), entry('2.0.0', 'Partial')] });
const back = testRecord({
  target: '1.0.0',
  applied: [entry('1.0.0', 'Partial'), entry('2.0.0', 'Partial', { rollbackTo: '>=1.0.0' })],
  avoid: [{ version: '2.0.0', digest: '2.0.0' }],
});

type World = Omit<Partial<DecisionInput>, 'catalog'> & { readonly catalog?: readonly ProcedureDeclaration[] };
const WORLDS: Readonly<Record<Reason, World>> = {
  ManagedElsewhere: { record: at('1.0.0'), facts: { managedElsewhere: 'pawl-blue' } },
  RecordTooNew: { record: testRecord({ minReader: 2 }) },
  RecordAmbiguous: { record: parseRecord({ applied: [{ version: 'newest' }] }) },
  RecordNotPersisted: { record: at('1.0.0') },
  RestoreDetected: { mirror: mirrorOf(at('1.0.0'), 'former'), facts: { ownsData: true } },
  Paused: { record: at('1.0.0'), spec: { paused: true } },
  PinnedVersionUnknown: { record: at('1.0.0'), spec: { version: '7.0.0' } },
  NothingInstallable: { catalog: [{ ...one, install: false }] },
  HeldBack: { record: { ...at('1.0.0'), avoid: [{ version: '2.0.0', digest: '2.0.0' }] } },
  HeldByAction: { record: half },
  Avoided: { catalog: [two], record: { ...at('1.0.0'), avoid: [{ version: '2.0.0', digest: '2.0.0' }] } },
  AdoptRefused: { catalog: [three], record: half, requests: { adopt: '1.0.0' } },
  NoPathToNewest: { catalog: [one, { version: '2.0.0', from: 'none' }], record: at('1.0.0') },
  DowngradeRefused: { record: at('5.0.0') },
  RollbackNotRequested: { catalog: [one], record: at('2.0.0', { rollbackTo: '>=1.0.0' }) },
  RollbackNotPermitted: { record: at('2.0.0'), requests: { rollback: '1.0.0' } },
  RollbackUnfinished: { catalog: [two], record: back },
  RequestNotUnderstood: { record: at('2.0.0'), requests: { rollback: 'latest' } },
  Stranded: { catalog: [three], record: at('1.0.0') },
  StrandedMidUpgrade: { catalog: [three], record: half },
  DeletionBlocked: { catalog: [one], record: at('5.0.0'), facts: { deleting: true } },
  Settling: { record: half },
  Soaking: { record: half },
  Gone: { record: at('1.0.0') },
  ApprovalRequired: { record: at('1.0.0'), spec: { policy: 'Manual' } },
  PreconditionNotMet: { record: at('1.0.0'), facts: { gates: { '2.0.0': 'PreconditionNotMet' } } },
  NotSettled: { record: at('1.0.0'), facts: { gates: { '2.0.0': 'NotSettled' } } },
  PreflightFailed: { record: at('1.0.0'), facts: { gates: { '2.0.0': 'PreflightFailed' } } },
  ImmutableFieldChange: { record: at('1.0.0'), facts: { gates: { '2.0.0': 'ImmutableFieldChange' } } },
  ParentSkew: { record: at('1.0.0'), facts: { parent: { version: '1.0.0' } } },
  WaitingForSlot: { record: at('1.0.0'), facts: { gates: { '2.0.0': 'WaitingForSlot' } } },
  FleetHalted: { record: at('1.0.0'), facts: { gates: { '2.0.0': 'FleetHalted' } } },
};
const refused = {
  action: 'Served',
  target: 'Deployment shop/web',
  refused: 'Invalid: Deployment.apps "web" is invalid: spec.selector: Invalid value: v1.LabelSelector{}: field is immutable',
};
/** Reasons that the protocol or the runtime finds, not the decision. */
const ELSEWHERE: ReadonlySet<string> = new Set(['RecordNotPersisted', 'HeldByAction', 'Settling', 'Soaking', 'Gone']);

const decided = ({ catalog = [one, two], ...rest }: World): Decision =>
  decide({ catalog: normalizeCatalog(catalog), uid: 'u', ...rest });

test('each reason, in a world where it is what is found', async () => {
  const texts = Object.entries(WORLDS).map(([name, world]) => {
    const decision = decided(world);
    const found = [decision.upgradeBlocked, 'reason' in decision ? decision.reason : undefined];
    if (!ELSEWHERE.has(name)) expect(found).toContain(name);
    const { spec = {}, requests = {} } = world;
    return `${name}\n  ${explainReason(name as Reason, { subject, decision, settings: spec, requests, refused })}\n`;
  });
  await expect(texts.join('\n')).toMatchFileSnapshot('messages.expected.txt');
});

test('the same world gives the same text, so that a report is not written again', () => {
  const world = WORLDS.StrandedMidUpgrade;
  const text = (): string => explainReason('StrandedMidUpgrade', { subject, decision: decided(world) });
  expect(text()).toBe(text());
});

test('commands name the object as kubectl takes it', () => {
  expect(requestCommand(subject, 'rollback', '1.2.0')).toBe(
    'kubectl annotate website.example.pawl.dev/front -n shop --overwrite procedures.pawl.dev/rollback=1.2.0',
  );
  const node: Subject = { apiVersion: 'v1', kind: 'Node', name: 'w' };
  expect(requestCommand(node, 'retry', 'now')).toBe(
    'kubectl annotate node/w --overwrite procedures.pawl.dev/retry=now',
  );
  expect(subjectOf(node)).toBe('Node w');
});

test('a prune that is too large names exactly what a person would release', () => {
  expect(prunedTooMuch(subject, { hash: 'ab12', count: 12, of: 20 })).toBe(
    "12 of 20 objects of Website shop/front would be deleted, more than is done without a person's word. " +
      'To release exactly these, run: kubectl annotate website.example.pawl.dev/front -n shop --overwrite procedures.pawl.dev/approve-prune=ab12',
  );
});
