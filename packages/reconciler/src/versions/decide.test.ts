// The worked examples of the selection: a catalog, what is recorded or asked for, and what is decided.
import { expect, test } from 'vitest';
import { normalizeCatalog, type ProcedureDeclaration } from './catalog.ts';
import { decide } from './decide.ts';
import type { Decision } from './decision.ts';
import type { DecisionInput } from './inputs.ts';
import { parseRecord } from './parse-record.ts';
import { mirrorOf, type RecordEntry, type VersionRecord } from './record.ts';
import { testEntry } from './testing.ts';

const one: ProcedureDeclaration = { version: '1.0.0' };
const onePlus: ProcedureDeclaration = { version: '1.2.0', minVersion: '1.0.0' };
const two: ProcedureDeclaration = { version: '2.0.0', minVersion: '1.0.0', rollbackTo: '>=1.2.0' };
const twoFixed: ProcedureDeclaration = { ...two, version: '2.0.1', fromPartial: '2.0.0' };
const three: ProcedureDeclaration = { version: '3.0.0', minVersion: '1.0.0' };
const four: ProcedureDeclaration = { version: '4.0.0', minVersion: '2.0.0' };
const derived: ProcedureDeclaration = { version: '2.0.0', derivedFrom: '1.0.0' };
const superseding: ProcedureDeclaration = { ...three, fromPartial: '>=1.0.0' };

type Extra = Partial<RecordEntry>;
const complete = (version: string, rollbackTo = 'none', extra: Extra = {}): RecordEntry => ({
  version,
  state: 'Complete',
  rollbackTo,
  teardown: 'Inventory',
  ...extra,
});
const partial = (version: string, rollbackTo = 'none', extra: Extra = {}): RecordEntry => ({
  ...complete(version, rollbackTo, extra),
  state: 'Partial',
});
const recordOf = (applied: readonly RecordEntry[], extra: Partial<VersionRecord> = {}): VersionRecord => ({
  formatVersion: 1,
  minReader: 1,
  epoch: 5,
  applied,
  avoid: [],
  scope: [],
  ...(extra.target === undefined && applied[0] !== undefined ? { version: applied[0].version } : {}),
  ...extra,
});
const avoiding = (...versions: readonly string[]): Pick<VersionRecord, 'avoid'> => ({
  avoid: versions.map((version) => ({ version, digest: version })),
});
const done = (version: string, rollbackTo?: string): VersionRecord => recordOf([complete(version, rollbackTo)]);
const half = recordOf([complete('1.0.0'), partial('2.0.0', '>=1.2.0')], { target: '2.0.0' });
const goingBack = recordOf([partial('1.2.0'), partial('2.0.0', '>=1.2.0')], { target: '1.2.0', ...avoiding('2.0.0') });
const plain: Extra = { plain: true };
const ladder = [one, onePlus, two];

type Rest = Omit<Partial<DecisionInput>, 'catalog'>;
type Row = readonly [name: string, catalog: readonly ProcedureDeclaration[], rest: Rest, said: string];

const ROWS: readonly Row[] = [
  ['a fresh object gets the newest version at once', [one, onePlus, two, three, four], {}, 'Install 4.0.0, intent'],
  [
    'the way to the newest, not the greatest next step',
    [one, onePlus, two, three, four],
    { record: done('1.0.0') },
    'Upgrade 3.0.0 > 4.0.0, intent',
  ],
  ['an interrupted hop goes on', ladder, { record: half }, 'Resume 2.0.0'],
  [
    'an older operator that may act, but nobody asked',
    [one, onePlus],
    { record: half },
    'Blocked RollbackNotRequested, permitted 1.2.0',
  ],
  [
    'permission and request: back, and the newer one is avoided',
    [one, onePlus],
    { record: half, requests: { rollback: '1.2.0' } },
    'Rollback 1.2.0, intent, avoid 2.0.0',
  ],
  [
    'a request without permission',
    [one, onePlus],
    { record: half, requests: { rollback: '1.0.0' } },
    'Blocked RollbackNotRequested, permitted 1.2.0; RollbackNotPermitted',
  ],
  [
    'a refused request never stops an open hop',
    ladder,
    { record: half, requests: { rollback: '1.0.0' } },
    'Resume 2.0.0; RollbackNotPermitted',
  ],
  ['what was begun is finished before the next', [...ladder, three], { record: half }, 'Resume 2.0.0 > 3.0.0'],
  ['a patch release rescues its predecessor', [...ladder, twoFixed], { record: half }, 'Supersede 2.0.1, intent'],
  ['half of a version that is gone', [three], { record: half }, 'Blocked StrandedMidUpgrade'],
  [
    'a person takes the risk',
    [three],
    { record: half, requests: { adopt: '3.0.0' } },
    'Supersede 3.0.0, intent, accepted 1.0.0 2.0.0',
  ],
  ['older than everything that is there', [one, two], { record: done('5.0.0') }, 'Blocked DowngradeRefused'],
  ['a single procedure with a limit accepts nothing below it', [four], { record: done('1.0.0') }, 'Blocked Stranded'],
  [
    'everything lost but the stamps',
    ladder,
    { stamps: ['1.0.0', '2.0.0'] },
    'Blocked StrandedMidUpgrade (RecordReconstructed)',
  ],
  [
    'a record for newer readers',
    [one, two],
    { record: parseRecord({ minReader: 9, applied: [complete('9.0.0')] }) },
    'Blocked RecordTooNew',
  ],
  [
    'a pin is a ceiling',
    [one, onePlus, two, three, four],
    { record: done('1.0.0'), spec: { version: '2.0.0' } },
    'Upgrade 2.0.0, intent; HeldBack',
  ],
  [
    'a pin that names nothing keeps what is there',
    [one, two, three],
    { record: done('2.0.0'), spec: { version: '7.0.0' } },
    'Steady 2.0.0; PinnedVersionUnknown',
  ],
  [
    'a pin below the current version turns nothing back',
    ladder,
    { record: done('2.0.0', '>=1.2.0'), spec: { version: '1.2.0' } },
    'Steady 2.0.0; RollbackNotRequested',
  ],
  [
    'back from a complete version',
    ladder,
    { record: done('2.0.0', '>=1.2.0'), requests: { rollback: '1.2.0' } },
    'Rollback 1.2.0, intent, avoid 2.0.0',
  ],
  [
    'a prerelease is entered by nobody by itself',
    [one, two, { ...three, version: '3.0.0-rc.1' }],
    { record: done('2.0.0') },
    'Steady 2.0.0',
  ],
  ['a candidate goes on to its release', [two, three], { record: done('3.0.0-rc.1') }, 'Upgrade 3.0.0, intent'],
  [
    'unless the release does not admit it',
    [two, { version: '3.0.0', from: '>=1.0.0 <3.0.0-0' }],
    { record: done('3.0.0-rc.1') },
    'Blocked Stranded',
  ],
  [
    'a withdrawn version is passed by',
    [one, { ...two, withdrawn: true }, twoFixed],
    { record: done('1.0.0') },
    'Upgrade 2.0.1, intent',
  ],
  [
    'and left by its rescue',
    [one, { ...two, withdrawn: true }, twoFixed, { version: '3.0.0', from: '>=2.0.1 <3.0.0-0' }],
    { record: done('2.0.0') },
    'Upgrade 2.0.1 > 3.0.0, intent',
  ],
  [
    'the greatest next step would be a dead end',
    [one, { version: '2.0.0', from: '1.x' }, { version: '3.0.0', from: '1.x' }, { version: '4.0.0', from: '2.x' }],
    { record: done('1.0.0') },
    'Upgrade 2.0.0 > 4.0.0, intent',
  ],
  ['paused', [one, two], { record: half, spec: { paused: true } }, 'Hold Paused'],
  ['an open rollback goes on when its request is stripped', ladder, { record: goingBack }, 'Resume 1.2.0'],
  [
    'a newer live stamp: its writer may have done anything',
    ladder,
    { record: done('2.0.0'), stamps: ['3.0.0', '2.0.0'] },
    'Blocked DowngradeRefused (RecordDrift)',
  ],
  ['an older live stamp is a stray', ladder, { record: done('2.0.0'), stamps: ['1.0.0', '2.0.0'] }, 'Steady 2.0.0'],
  [
    'an interrupted install goes on',
    [two, three],
    { record: recordOf([partial('2.0.0')], { target: '2.0.0' }) },
    'Resume 2.0.0 > 3.0.0',
  ],
  [
    'build metadata makes no other version',
    [one, { ...two, version: '2.0.0+b2' }],
    { record: done('2.0.0') },
    'Steady 2.0.0+b2',
  ],
  [
    'a product without versions',
    [{}],
    { record: recordOf([partial('0.0.0', '*', plain)], { target: '0.0.0' }) },
    'Resume 0.0.0',
  ],
  [
    'a product without versions steps back unasked',
    [one],
    { record: recordOf([complete('2.0.0', '*', plain)]) },
    'Rollback 1.0.0, intent',
  ],
  [
    'but not over what a product with versions left',
    [one],
    { record: recordOf([complete('1.0.0', '*', plain), partial('2.0.0')], { target: '2.0.0' }) },
    'Blocked DowngradeRefused',
  ],
  [
    'the second release takes over an unfinished first one',
    [one, derived],
    { record: recordOf([partial('0.0.0', '*', plain)], { target: '0.0.0' }) },
    'Supersede 1.0.0 > 2.0.0, intent',
  ],
  [
    'the second release upgrades every object of the first',
    [one, derived],
    { record: recordOf([complete('1.0.0', '*', plain)]) },
    'Upgrade 2.0.0, intent',
  ],
  [
    'a second procedure that says nothing about the first',
    [one, { version: '2.0.0' }],
    { record: done('1.0.0') },
    'Steady 1.0.0; NoPathToNewest',
  ],
  [
    'after a rollback what was left is not entered again',
    ladder,
    { record: recordOf([complete('1.2.0')], avoiding('2.0.0')) },
    'Steady 1.2.0; HeldBack',
  ],
  [
    'but what is new is',
    [...ladder, twoFixed],
    { record: recordOf([complete('1.2.0')], avoiding('2.0.0')) },
    'Upgrade 2.0.1, intent',
  ],
  [
    'or what a person approves',
    ladder,
    { record: recordOf([complete('1.2.0')], avoiding('2.0.0')), requests: { approve: '2.0.0' } },
    'Upgrade 2.0.0, intent',
  ],
  ['an open rollback without its version', [two, superseding], { record: goingBack }, 'Blocked RollbackUnfinished'],
  [
    'is turned round by an approval only',
    [two, superseding],
    { record: goingBack, requests: { approve: '3.0.0' } },
    'Supersede 3.0.0, intent',
  ],
  [
    'a refused rollback keeps what is there',
    ladder,
    { record: done('2.0.0'), requests: { rollback: '1.0.0' } },
    'Steady 2.0.0; RollbackNotPermitted',
  ],
  [
    'a finished request holds back while it stands',
    ladder,
    { record: done('1.2.0'), requests: { rollback: '1.2.0' } },
    'Steady 1.2.0; HeldBack',
  ],
  [
    'a request that is no version starts nothing new',
    ladder,
    { record: done('1.0.0'), requests: { rollback: 'latest' } },
    'Steady 1.0.0; RequestNotUnderstood',
  ],
  [
    'policy Manual',
    [one, two],
    { record: done('1.0.0'), spec: { policy: 'Manual' } },
    'Steady 1.0.0; ApprovalRequired, available 2.0.0',
  ],
  [
    'a refused preflight keeps what is there',
    [one, two],
    { record: done('1.0.0'), facts: { gates: { '2.0.0': 'PreflightFailed' } } },
    'Steady 1.0.0; PreflightFailed, available 2.0.0',
  ],
  [
    'a child waits for its parent',
    [one, two],
    { record: done('1.0.0'), facts: { parent: { version: '1.0.0', target: '2.0.0', released: false } } },
    'Steady 1.0.0; ParentSkew',
  ],
  [
    'and follows when it is released',
    [one, two],
    { record: done('1.0.0'), facts: { parent: { version: '1.0.0', target: '2.0.0', released: true } } },
    'Upgrade 2.0.0, intent',
  ],
  [
    'a later permission does not reach behind a point of no return',
    [two, three, { ...four, rollbackTo: '>=2.0.0' }],
    { record: recordOf([complete('4.0.0', '>=2.0.0')], { floor: '3.0.0' }), requests: { rollback: '2.0.0' } },
    'Steady 4.0.0; RollbackNotPermitted',
  ],
  [
    'status lost, a mirror that the stamps agree with: verified again',
    [two, three],
    { mirror: mirrorOf(done('2.0.0'), 'u'), stamps: ['2.0.0'] },
    'Resume 2.0.0, intent (RecordReconstructed)',
  ],
  [
    'restored, and there is data',
    [two, three],
    { mirror: mirrorOf(done('2.0.0'), 'another'), stamps: ['2.0.0'], facts: { ownsData: true } },
    'Hold RestoreDetected (RecordReconstructed)',
  ],
  [
    'objects of unknown origin',
    [one, two],
    { record: recordOf([partial('unknown')], { reconstructed: true }) },
    'Blocked StrandedMidUpgrade',
  ],
  [
    'taken over by a procedure that adopts them',
    [one, { ...two, adopts: ['unknown'] }],
    { record: recordOf([partial('unknown')], { reconstructed: true }) },
    'Supersede 2.0.0, intent',
  ],
  [
    'text in the record that is no version',
    [one, two],
    { record: parseRecord({ applied: [{ version: 'newest', state: 'Complete' }] }) },
    'Blocked RecordAmbiguous',
  ],
  [
    'a critical section lets nothing but its own version in',
    [...ladder, twoFixed],
    { record: { ...half, hold: { action: 'DataMoved', reason: 'copying' } }, requests: { approve: '2.0.1' } },
    'Resume 2.0.0 > 2.0.1',
  ],
  [
    'deletion by the newest version that may act',
    ladder,
    { record: half, facts: { deleting: true } },
    'Teardown procedure 2.0.0',
  ],
  [
    'deletion by label where everything allows it',
    [one],
    { record: done('5.0.0'), facts: { deleting: true } },
    'Teardown inventory',
  ],
  [
    'deletion that needs its own procedure',
    [one],
    { record: recordOf([complete('5.0.0', 'none', { teardown: 'Procedure' })]), facts: { deleting: true } },
    'Blocked DeletionBlocked',
  ],
  [
    'deletion forced by label',
    [one],
    {
      record: recordOf([complete('5.0.0', 'none', { teardown: 'Procedure' })]),
      facts: { deleting: true },
      requests: { 'force-delete': 'inventory' },
    },
    'Teardown inventory',
  ],
  [
    'deletion given up',
    [one],
    {
      record: recordOf([complete('5.0.0', 'none', { teardown: 'Procedure' })]),
      facts: { deleting: true },
      requests: { 'force-delete': 'abandon' },
    },
    'Teardown abandon',
  ],
  ['deletion before anything was written', [one], { facts: { deleting: true } }, 'Teardown nothing'],
];

/** A decision in one line. */
function said(decision: Decision): string {
  const { upgradeBlocked, available, effective } = decision;
  const next = available === undefined ? '' : `, available ${available.join(' > ')}`;
  const blocked = upgradeBlocked === undefined ? '' : `; ${upgradeBlocked}`;
  const note = effective?.note === undefined ? '' : ` (${effective.note})`;
  return `${verdictOf(decision)}${blocked}${next}${note}`;
}

function verdictOf(decision: Decision): string {
  switch (decision.kind) {
    case 'Run': {
      const { mode, version, path, intent, avoid, accepted } = decision;
      const way = path.length > 1 ? path.join(' > ') : version;
      const left =
        mode === 'Rollback' && avoid.length > 0 ? `, avoid ${avoid.map((each) => each.version).join(' ')}` : '';
      const risk = accepted === undefined ? '' : `, accepted ${accepted.join(' ')}`;
      return `${mode} ${way}${intent ? ', intent' : ''}${left}${risk}`;
    }
    case 'Teardown':
      return `Teardown ${decision.how}${decision.version === undefined ? '' : ` ${decision.version}`}`;
    case 'Hold':
      return `Hold ${decision.reason}`;
    case 'Blocked': {
      const { reason, permitted } = decision;
      return `Blocked ${reason}${permitted.length > 0 ? `, permitted ${permitted.join(' ')}` : ''}`;
    }
  }
}

test.each(ROWS)('%s', (_name, catalog, rest, expected) => {
  expect(said(decide({ catalog: normalizeCatalog(catalog), uid: 'u', ...rest }))).toBe(expected);
});

test('each candidate that may not act says why', () => {
  const { candidates } = decide({ catalog: normalizeCatalog([...ladder, three]), uid: 'u', record: half });
  expect(candidates).toEqual([
    { version: '1.0.0', reasons: ['2.0.0 does not permit 1.0.0 to act on its state'] },
    { version: '1.2.0', reasons: [] },
    { version: '2.0.0', reasons: [] },
    { version: '3.0.0', reasons: ['3.0.0 does not supersede a partly applied 2.0.0'] },
  ]);
});

test('a blocked object says what would let it go on', () => {
  const blocked = (catalog: readonly ProcedureDeclaration[], record: VersionRecord): unknown => {
    const decision = decide({ catalog: normalizeCatalog(catalog), uid: 'u', record });
    return decision.kind === 'Blocked' ? decision.need : undefined;
  };
  expect(blocked([one, two], done('5.0.0'))).toEqual({ operator: { version: '5.0.0' } });
  expect(blocked([three], half)).toEqual({ operator: { version: '2.0.0' }, request: 'adopt' });
  expect(blocked([two, superseding], goingBack)).toEqual({ operator: { version: '1.2.0' }, request: 'approve' });
});

test('a copy of the record in which two versions claim to be whole was written by hand: both count as half applied', () => {
  const edited = { ...mirrorOf(half, 'u'), applied: ['1.0.0', '1.2.0', '2.0.0'].map((version) => testEntry(version, version === '2.0.0' ? 'Partial' : 'Complete')) };
  const { effective } = decide({ catalog: normalizeCatalog([...ladder, three]), uid: 'u', mirror: edited });
  expect(effective?.applied.map(({ version, state }) => `${version} ${state}`)).toEqual(['1.0.0 Partial', '1.2.0 Partial', '2.0.0 Partial']);
  expect(effective?.target).toBe(half.target);
});
