// The write protocol, step by step: what is written when, and what a crash after any write leaves to be done.
import { expect, test } from 'vitest';
import { normalizeCatalog, type ProcedureDeclaration } from './catalog.ts';
import { nextStep } from './next-step.ts';
import { recordInvariantFaults } from './record-invariants.ts';
import { mirrorOf, type VersionRecord } from './record.ts';
import type { CycleReport, ObjectState, ProtocolFacts, ProtocolState, Step } from './step.ts';

const v1: ProcedureDeclaration = { version: '1.0.0' };
const v2: ProcedureDeclaration = { version: '2.0.0', minVersion: '1.0.0', rollbackTo: '>=1.0.0' };
const maps = [{ group: '', kind: 'ConfigMap', namespaces: ['shop'] }];
const clean: CycleReport = { version: '2.0.0', clean: true, verified: false, extras: 0 };
const verified: CycleReport = { ...clean, verified: true };

interface World {
  readonly catalog?: readonly ProcedureDeclaration[];
  readonly cr?: Partial<ObjectState>;
  readonly facts?: Partial<ProtocolFacts>;
  readonly cycle?: CycleReport;
  readonly stamps?: readonly string[];
}
const stateOf = ({ catalog = [v1, v2], cr = {}, facts = {}, cycle, stamps = [] }: World): ProtocolState => ({
  catalog: normalizeCatalog(catalog),
  cr: { uid: 'u', deleting: false, spec: {}, requests: {}, finalizer: false, ...cr },
  stamps,
  facts: { settled: true, ...facts },
  scope: maps,
  cycle,
});
const step = (world: World): Step => nextStep(stateOf(world));

/** A step in one line. */
function said(taken: Step): string {
  switch (taken.step) {
    case 'intent':
    case 'finalize':
    case 'complete': {
      const { target, version, applied, epoch } = taken.record;
      const entries = applied.map((entry) => `${entry.version} ${entry.state}`).join(', ');
      return `${taken.step} ${target === undefined ? `at ${version ?? 'nothing'}` : `to ${target}`}: ${entries}; epoch ${epoch}`;
    }
    case 'metadata': {
      const { finalizer, mirror, drop } = taken;
      const kept = finalizer === undefined ? '' : finalizer ? ' finalizer' : ' no finalizer';
      const mirrored = mirror === undefined ? '' : ` mirror ${mirror.epoch}`;
      return `metadata${kept}${mirrored}${drop.length > 0 ? ` drop ${drop.join(' ')}` : ''}`;
    }
    case 'runActions':
      return `${taken.mode} ${taken.version ?? taken.how ?? ''}${taken.verify === true ? ' again' : ''}`;
    case 'prune':
      return `prune for ${taken.version}`;
    case 'hold':
      return `hold ${taken.reason}`;
    case 'report':
      return 'report';
  }
}
const recordOf = (taken: Step): VersionRecord => {
  if (!('record' in taken)) throw new Error(`no record in ${said(taken)}`);
  return taken.record;
};
/** The object as it is after a record was written and mirrored. */
const mirrored = (record: VersionRecord, more: Partial<ObjectState> = {}): Partial<ObjectState> => ({
  record,
  mirror: mirrorOf(record, 'u'),
  finalizer: true,
  ...more,
});

const atOne = recordOf(
  step({
    catalog: [v1, { ...v2, withdrawn: true }],
    cr: mirrored(recordOf(step({ catalog: [v1, { ...v2, withdrawn: true }] }))),
    cycle: { ...verified, version: '1.0.0' },
  }),
);
const toTwo = recordOf(step({ cr: mirrored(atOne) }));

test('a hop: record, mirror, actions, verification, prune, completion, mirror', () => {
  expect(said(step({ cr: mirrored(atOne) }))).toBe('intent to 2.0.0: 1.0.0 Complete, 2.0.0 Partial; epoch 3');
  expect(said(step({ cr: { ...mirrored(atOne), record: toTwo } }))).toBe('metadata finalizer mirror 3');
  const cr = mirrored(toTwo);
  expect(said(step({ cr }))).toBe('Hop 2.0.0');
  expect(said(step({ cr, cycle: { ...clean, clean: false } }))).toBe('Hop 2.0.0');
  expect(said(step({ cr, cycle: { ...clean, failed: true } }))).toBe('Hop 2.0.0');
  expect(said(step({ cr, cycle: clean, facts: { settled: false } }))).toBe('hold Settling');
  expect(said(step({ cr, cycle: clean }))).toBe('Verify 2.0.0');
  expect(said(step({ cr, cycle: { ...verified, extras: 2 } }))).toBe('prune for 2.0.0');
  expect(said(step({ cr, cycle: verified }))).toBe('complete at 2.0.0: 2.0.0 Complete; epoch 4');
  const atTwo = recordOf(step({ cr, cycle: verified }));
  expect(said(step({ cr: { ...cr, record: atTwo } }))).toBe('metadata finalizer mirror 4');
  expect(said(step({ cr: mirrored(atTwo) }))).toBe('Steady 2.0.0');
  expect(said(step({ cr: mirrored(atTwo), cycle: clean }))).toBe('report');
});

test('a result of another version proves nothing about this one', () => {
  expect(said(step({ cr: mirrored(toTwo), cycle: { ...verified, version: '1.0.0' } }))).toBe('Hop 2.0.0');
});

test('nothing is written to children before the record, the finalizer and the mirror are acknowledged', () => {
  expect(said(step({}))).toBe('intent to 2.0.0: 2.0.0 Partial; epoch 1');
  const fresh = recordOf(step({}));
  expect(said(step({ cr: { record: fresh } }))).toBe('metadata finalizer mirror 1');
  expect(said(step({ cr: { record: fresh, finalizer: true } }))).toBe('metadata finalizer mirror 1');
  expect(said(step({ cr: { ...mirrored(fresh), mirror: mirrorOf(fresh, 'another') } }))).toBe(
    'metadata finalizer mirror 1',
  );
  expect(said(step({ cr: mirrored(fresh), facts: { notPersisted: true } }))).toBe('hold RecordNotPersisted');
});

test('a product without versions keeps no mirror', () => {
  const record = recordOf(step({ catalog: [{}] }));
  expect(record.applied).toMatchObject([{ version: '0.0.0', plain: true }]);
  expect(said(step({ catalog: [{}], cr: { record } }))).toBe('metadata finalizer');
  expect(said(step({ catalog: [{}], cr: { record, finalizer: true } }))).toBe('Hop 0.0.0');
});

test('an install needs no settling, for there is nothing to remove', () => {
  const cr = mirrored(recordOf(step({})));
  expect(said(step({ cr, cycle: clean, facts: { settled: false } }))).toBe('Verify 2.0.0');
});

test('an object that somebody has touched and nothing is known about: late writes first, then the stamps', () => {
  const cr = { finalizer: true };
  expect(said(step({ cr, stamps: ['2.0.0'], facts: { settled: false } }))).toBe('hold Settling');
  const found = step({ cr, stamps: ['2.0.0'] });
  expect(said(found)).toBe('intent to 2.0.0: 2.0.0 Partial; epoch 1');
  expect(recordOf(found).floor).toBe('2.0.0');
});

test('a mirror that agrees is verified again before it counts', () => {
  const atTwo = recordOf(step({ cr: mirrored(toTwo), cycle: verified }));
  const lost = { mirror: mirrorOf(atTwo, 'u'), finalizer: true };
  const found = step({ cr: lost, stamps: ['2.0.0'] });
  expect(said(found)).toBe('intent to 2.0.0: 2.0.0 Complete; epoch 5');
  expect(said(step({ cr: mirrored(recordOf(found)), stamps: ['2.0.0'] }))).toBe('Hop 2.0.0');
});

test('the point of no return is recorded before it is passed', () => {
  const catalog = [v1, { ...v2, finalizes: true }];
  const cr = mirrored(toTwo);
  expect(said(step({ catalog, cr, cycle: verified, facts: { soaking: true } }))).toBe('hold Soaking');
  const finalize = step({ catalog, cr, cycle: verified });
  expect(said(finalize)).toBe('finalize to 2.0.0: 1.0.0 Complete, 2.0.0 Partial; epoch 4');
  const record = recordOf(finalize);
  expect(record).toMatchObject({ floor: '2.0.0', applied: [{}, { finalized: true, rollbackTo: 'none' }] });
  expect(said(step({ catalog, cr: { ...cr, record }, cycle: verified }))).toBe('metadata finalizer mirror 4');
  const past = mirrored(record);
  expect(said(step({ catalog, cr: past, cycle: { ...verified, finalizePending: true } }))).toBe('Finalize 2.0.0');
  expect(said(step({ catalog, cr: past, cycle: verified }))).toBe('complete at 2.0.0: 2.0.0 Complete; epoch 5');
  const refused = step({ catalog: [v1], cr: { ...past, requests: { rollback: '1.0.0' } } });
  expect(said(refused)).toBe('hold DowngradeRefused');
});

test('a critical section holds the completion back', () => {
  const cr = mirrored({ ...toTwo, hold: { action: 'DataMoved', reason: 'copying' } });
  expect(said(step({ cr, cycle: verified }))).toBe('hold HeldByAction');
});

test('a rollback: a pending approval goes first, the request goes last', () => {
  const asked = mirrored(toTwo, { requests: { rollback: '1.0.0', approve: '2.0.0' } });
  expect(said(step({ cr: asked }))).toBe('metadata drop approve');
  const cr = { ...asked, requests: { rollback: '1.0.0' } };
  const intent = step({ cr });
  expect(said(intent)).toBe('intent to 1.0.0: 1.0.0 Partial, 2.0.0 Partial; epoch 4');
  const back = recordOf(intent);
  expect(back.avoid).toEqual([{ version: '2.0.0', digest: '2.0.0' }]);
  // The request is gone, an approval for something else has come: the direction stays.
  const stripped = mirrored(back, { requests: { approve: '1.0.0' } });
  expect(said(step({ cr: stripped }))).toBe('Hop 1.0.0');
  expect(said(step({ cr: mirrored(back, { requests: { rollback: '1.0.0', approve: '2.0.0' } }) }))).toBe(
    'metadata drop approve',
  );
  const complete = step({ cr: mirrored(back), cycle: { ...verified, version: '1.0.0' } });
  expect(said(complete)).toBe('complete at 1.0.0: 1.0.0 Complete; epoch 5');
  const reached = { ...mirrored(back), record: recordOf(complete), requests: { rollback: '1.0.0' } };
  expect(said(step({ cr: reached }))).toBe('metadata finalizer mirror 5 drop rollback');
  expect(recordOf(complete).avoid).toEqual([{ version: '2.0.0', digest: '2.0.0' }]);
});

test('requests that are used up go with the mirror of their intent', () => {
  const approved = { ...mirrored(atOne), record: toTwo, requests: { approve: '2.0.0' } };
  expect(said(step({ cr: approved }))).toBe('metadata finalizer mirror 3 drop approve');
  const adopted = { ...mirrored(atOne), record: toTwo, requests: { adopt: '2.0.0' } };
  expect(said(step({ cr: adopted }))).toBe('metadata finalizer mirror 3 drop adopt');
});

test('retry forgets what a rollback left, unless the rollback is still open', () => {
  const back = recordOf(step({ cr: mirrored(toTwo, { requests: { rollback: '1.0.0' } }) }));
  expect(said(step({ cr: mirrored(back, { requests: { retry: 'now' } }) }))).toBe('metadata drop retry');
  const done = recordOf(step({ cr: mirrored(back), cycle: { ...verified, version: '1.0.0' } }));
  const forgiven = step({ cr: mirrored(done, { requests: { retry: 'now' } }) });
  expect(forgiven).toMatchObject({ step: 'intent', why: 'retry', record: { avoid: [], version: '1.0.0', epoch: 6 } });
  expect(said(step({ cr: mirrored(recordOf(forgiven), { requests: { retry: 'now' } }) }))).toBe('metadata drop retry');
  expect(said(step({ cr: mirrored(recordOf(forgiven)) }))).toBe(
    'intent to 2.0.0: 1.0.0 Complete, 2.0.0 Partial; epoch 7',
  );
});

test('a place is recorded before the first object is created there, in a hop as in the steady state', () => {
  const secrets = [{ group: '', kind: 'Secret', namespaces: ['other'] }];
  const widen = { ...clean, clean: false, widen: secrets };
  const wider = step({ cr: mirrored(toTwo), cycle: widen });
  expect(wider).toMatchObject({ step: 'intent', why: 'scope', record: { scope: [...maps, ...secrets], epoch: 4 } });
  expect(said(step({ cr: mirrored(recordOf(wider)), cycle: widen }))).toBe('Hop 2.0.0');
  const one: ProcedureDeclaration[] = [v1];
  const steady = step({ catalog: one, cr: mirrored(atOne), cycle: { ...widen, version: '1.0.0' } });
  expect(steady).toMatchObject({ step: 'intent', why: 'scope', record: { version: '1.0.0', epoch: 3 } });
  expect(recordInvariantFaults(atOne, recordOf(steady))).toEqual([]);
});

test('completion shrinks the scope to what is declared and what is used', () => {
  const record = { ...toTwo, scope: [...maps, { group: 'apps', kind: 'Deployment', namespaces: ['shop'] }] };
  const used = [{ group: '', kind: 'Service', namespaces: ['shop'] }];
  expect(recordOf(step({ cr: mirrored(record), cycle: { ...verified, used } })).scope).toEqual([...maps, ...used]);
});

test('what nobody wants any more is also removed in the steady state, when a look at it was live', () => {
  const cr = mirrored(recordOf(step({ cr: mirrored(toTwo), cycle: verified })));
  expect(said(step({ cr, cycle: { ...clean, extras: 1 } }))).toBe('report');
  expect(said(step({ cr, cycle: { ...verified, extras: 1 } }))).toBe('prune for 2.0.0');
});

test('deletion: take down, wait for late writes, look again, let go', () => {
  const cr = mirrored(toTwo, { deleting: true });
  const gone = { version: '2.0.0', clean: true, verified: false, extras: 0, ownedLeft: 0 };
  expect(said(step({ cr }))).toBe('Teardown 2.0.0');
  expect(said(step({ cr, cycle: { ...gone, ownedLeft: 1 } }))).toBe('Teardown 2.0.0');
  expect(said(step({ cr, cycle: gone, facts: { settled: false } }))).toBe('hold Settling');
  expect(said(step({ cr, cycle: gone }))).toBe('Teardown 2.0.0 again');
  expect(said(step({ cr, cycle: { ...gone, verified: true } }))).toBe('metadata no finalizer');
  expect(said(step({ cr: { ...cr, finalizer: false } }))).toBe('hold Gone');
});

test('a refused object is written to by nobody', () => {
  const older = {
    catalog: [v1],
    cr: mirrored({ ...toTwo, applied: toTwo.applied.map((entry) => ({ ...entry, rollbackTo: 'none' })) }),
  };
  expect(said(step(older))).toBe('hold DowngradeRefused');
  expect(said(step({ ...older, cycle: { ...verified, version: '1.0.0' } }))).toBe('hold DowngradeRefused');
});

test('fields that a newer operator wrote are kept by every write', () => {
  const known = { ...atOne, shards: 3 } as VersionRecord;
  const intent = recordOf(step({ cr: mirrored(known) }));
  expect(intent).toMatchObject({ shards: 3, target: '2.0.0' });
  expect(recordOf(step({ cr: mirrored(intent), cycle: verified }))).toMatchObject({ shards: 3, version: '2.0.0' });
});

test('an object that another installation drives is left alone, whatever is asked for', () => {
  const facts = { managedElsewhere: 'pawl-blue' };
  const requests = { retry: 'now', approve: '2.0.0', rollback: '1.0.0' };
  const half = { ...atOne, target: '2.0.0' };
  for (const cr of [{}, mirrored(atOne), mirrored(half, { requests }), mirrored(atOne, { deleting: true }), { record: atOne }])
    for (const cycle of [undefined, verified]) {
      const taken = step({ cr, facts, ...(cycle === undefined ? {} : { cycle }) });
      expect(said(taken)).toBe('hold ManagedElsewhere');
      expect(taken).toMatchObject({ need: { lease: 'pawl-blue' } });
    }
});

test('a complete version with other contents is recorded as partly applied, verified, and complete again', () => {
  const catalog = [{ ...v1, digest: 'other' }, { ...v2, withdrawn: true }];
  const intent = step({ catalog, cr: mirrored(atOne) });
  expect(said(intent)).toBe(`intent to 1.0.0: 1.0.0 Partial; epoch ${atOne.epoch + 1}`);
  const begun = mirrored(recordOf(intent));
  expect(said(step({ catalog, cr: begun }))).toBe('Hop 1.0.0');
  const done = step({ catalog, cr: begun, cycle: { ...verified, version: '1.0.0' } });
  expect(said(done)).toBe(`complete at 1.0.0: 1.0.0 Complete; epoch ${atOne.epoch + 2}`);
  expect(recordOf(done).applied[0]?.digest).toBe('other');
  expect(said(step({ catalog, cr: mirrored(recordOf(done)) }))).toBe('Steady 1.0.0');
});
