// What holds for every decision and every step, whatever stands in record, requests and settings.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { normalizeCatalog, procedureOf, type ProcedureDeclaration } from './catalog.ts';
import { decide } from './decide.ts';
import type { DecisionInput, GateReason } from './inputs.ts';
import { nextStep } from './next-step.ts';
import { parseMirror, parseRecord } from './parse-record.ts';
import { refusal } from './permission.ts';
import { recordInvariantFaults } from './record-invariants.ts';
import { mirrorOf, type VersionRecord } from './record.ts';
import type { CycleReport } from './step.ts';
import { highest, isInRange, isNewer, isOlder, isSame } from './version.ts';

const VERSIONS = ['1.0.0', '1.1.0', '1.2.0', '2.0.0-rc.1', '2.0.0', '2.1.0', '3.0.0'] as const;
const version = fc.constantFrom(...VERSIONS);
const junk = fc.constantFrom('latest', '', '1.0', 'v2.0.0', '{}', '>=1', ' 2.0.0 ', '2');
const asked = fc.oneof({ weight: 4, arbitrary: version }, { weight: 1, arbitrary: junk });
const range = fc.oneof(
  version.map((low) => `>=${low}`),
  fc.tuple(version, version).map(([low, high]) => `>=${low} <=${high}`),
  fc.constantFrom('none', '*', '>=1,<2'),
);
const maybe = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> => fc.option(arbitrary, { nil: undefined });

const declaration = (of: string): fc.Arbitrary<ProcedureDeclaration> =>
  fc.record({
    version: fc.constant(of),
    from: maybe(range),
    fromPartial: maybe(range),
    rollbackTo: maybe(range),
    withdrawn: fc.boolean(),
    install: fc.boolean(),
    finalizes: fc.boolean(),
    adopts: fc.constantFrom([], ['unknown']),
  });
const catalogs = fc
  .subarray([...VERSIONS], { minLength: 1 })
  .chain((versions) => fc.tuple(...versions.map(declaration)));
const entry = fc
  .record(
    {
      version: fc.oneof({ weight: 30, arbitrary: version }, { weight: 1, arbitrary: fc.constant('unknown') }),
      state: fc.constantFrom('Partial', 'Complete'),
      rollbackTo: fc.oneof(range, fc.constant('none')),
      teardown: fc.constantFrom('Inventory', 'Procedure'),
      plain: maybe(fc.constant(true)),
      accepted: maybe(fc.array(version, { maxLength: 2 })),
    },
    { requiredKeys: ['version', 'state', 'rollbackTo', 'teardown'] },
  )
  .map((each) => ({ ...each, digest: each.version }));
const records = fc
  .record({
    epoch: fc.nat(5),
    minReader: fc.constantFrom(1, 1, 1, 1, 9),
    applied: fc.uniqueArray(entry, { selector: (each) => each.version, maxLength: 4 }),
    targetAt: maybe(fc.nat(3)),
    avoid: fc.array(
      version.map((each) => ({ version: each, digest: each })),
      { maxLength: 2 },
    ),
    floor: maybe(version),
    hold: fc.constantFrom(undefined, undefined, { action: 'DataMoved', reason: 'copying' }),
    reconstructed: maybe(fc.constant(true)),
  })
  .map(({ targetAt, ...record }) => {
    const target = targetAt === undefined ? undefined : record.applied[targetAt]?.version;
    return parseRecord({ ...record, target, version: target === undefined ? record.applied[0]?.version : undefined });
  });
const gates = fc.dictionary(version, fc.constantFrom<GateReason>('PreflightFailed', 'WaitingForSlot', 'NotSettled'), {
  maxKeys: 2,
});
const inputs: fc.Arbitrary<{
  readonly declarations: readonly ProcedureDeclaration[];
  readonly rest: Omit<DecisionInput, 'catalog'>;
}> = fc.record({
  declarations: catalogs,
  rest: fc.record({
    uid: fc.constant('u'),
    record: maybe(records),
    mirror: maybe(
      fc
        .tuple(records, fc.constantFrom('u', 'another'))
        .map(([record, uid]) => (record === undefined ? undefined : mirrorOf(record, uid))),
    ),
    stamps: fc.array(asked, { maxLength: 2 }),
    requests: fc.record(
      { rollback: asked, approve: asked, adopt: asked, retry: junk, 'force-delete': junk },
      { requiredKeys: [] },
    ),
    spec: fc.record(
      { version: fc.oneof(asked, range), paused: fc.boolean(), policy: fc.constantFrom('Manual', 'Automatic') },
      { requiredKeys: [] },
    ),
    facts: fc.record(
      {
        gates,
        deleting: fc.boolean(),
        prerelease: fc.boolean(),
        ownsData: fc.boolean(),
        parent: fc.record({ version: maybe(version), target: maybe(version), released: fc.boolean() }),
      },
      { requiredKeys: [] },
    ),
  }),
});

const runs = { numRuns: 500 };

test('the order of procedures and entries does not matter, and nothing throws', () => {
  fc.assert(
    fc.property(inputs, ({ declarations, rest }) => {
      const one = decide({ catalog: normalizeCatalog(declarations), ...rest });
      const record = rest.record && { ...rest.record, applied: rest.record.applied.toReversed() };
      const other = decide({ catalog: normalizeCatalog(declarations.toReversed()), ...rest, record });
      const bare = (decision: typeof one): unknown => ({
        ...decision,
        effective: 0,
        candidates: 0,
        need: 0,
        accepted: 0,
      });
      expect(bare(other)).toEqual(bare(one));
    }),
    runs,
  );
});

test('a procedure acts only if it may act on everything that is recorded, and never below the floor', () => {
  fc.assert(
    fc.property(inputs, ({ declarations, rest }) => {
      const catalog = normalizeCatalog(declarations);
      const decision = decide({ catalog, ...rest });
      if (decision.kind !== 'Run' && decision.kind !== 'Teardown') return;
      const procedure = procedureOf(catalog, decision.version);
      const applied = decision.effective?.applied ?? [];
      if (procedure === undefined) return;
      const accepted = [
        ...(applied.find((each) => isSame(each.version, procedure.version))?.accepted ?? []),
        ...('accepted' in decision ? (decision.accepted ?? []) : []),
      ];
      expect(
        applied.map((each) => refusal(procedure, each, accepted)).filter((reason) => reason !== undefined),
      ).toEqual([]);
      const floor = decision.effective?.floor;
      if (floor !== undefined) expect(isOlder(procedure.version, floor)).toBe(false);
    }),
    runs,
  );
});

test('nothing goes back, enters what is avoided or passes a closed gate without a word', () => {
  fc.assert(
    fc.property(inputs, ({ declarations, rest }) => {
      const decision = decide({ catalog: normalizeCatalog(declarations), ...rest });
      if (decision.kind !== 'Run') return;
      const { effective, mode } = decision;
      const { rollback, approve, adopt } = rest.requests ?? {};
      const applied = effective?.applied ?? [];
      const isApplied = applied.some((each) => isSame(each.version, decision.version));
      const isPlain = applied.every((each) => each.plain === true);
      const top = highest(applied.map((each) => each.version));
      if (top !== undefined && isOlder(decision.version, top))
        expect(
          isPlain || mode === 'Rollback' || (mode === 'Resume' && isSame(effective?.target ?? '', decision.version)),
        ).toBe(true);
      if (mode === 'Rollback') expect(isPlain || rollback === decision.version).toBe(true);
      const isNamed = [rollback, approve, adopt].includes(decision.version);
      const isAvoided = effective?.avoid.some((each) => isSame(each.version, decision.version)) === true;
      if (decision.intent && isAvoided && rest.requests?.retry === undefined && mode !== 'Resume')
        expect(isNamed || isPlain).toBe(true);
      const isHop = mode === 'Upgrade' || mode === 'Supersede';
      if (isHop && decision.accepted === undefined && !isApplied) {
        expect(rest.facts?.gates?.[decision.version]).toBeUndefined();
        if (rest.spec?.policy === 'Manual') expect(approve).toBe(decision.version);
      }
    }),
    runs,
  );
});

test('each hop of a path accepts the one before it', () => {
  fc.assert(
    fc.property(inputs, ({ declarations, rest }) => {
      const catalog = normalizeCatalog(declarations);
      const decision = decide({ catalog, ...rest });
      if (decision.kind !== 'Run') return;
      for (const [index, next] of decision.path.entries()) {
        const before = decision.path[index - 1];
        if (before === undefined) continue;
        expect(isNewer(next, before) && isInRange(before, procedureOf(catalog, next)?.from)).toBe(true);
      }
    }),
    runs,
  );
});

const cycles: fc.Arbitrary<CycleReport | undefined> = maybe(
  fc.record(
    {
      version,
      clean: fc.boolean(),
      verified: fc.boolean(),
      extras: fc.nat(2),
      failed: fc.boolean(),
      finalizePending: fc.boolean(),
      ownedLeft: fc.nat(1),
    },
    { requiredKeys: ['version', 'clean', 'verified', 'extras'] },
  ),
);

test('every record that the protocol writes over a sound one is sound', () => {
  const state = fc.tuple(inputs, cycles, fc.boolean(), fc.boolean());
  fc.assert(
    fc.property(state, ([{ declarations, rest }, cycle, settled, finalizer]) => {
      const { uid, record, mirror, requests = {}, spec = {}, stamps = [], facts = {} } = rest;
      if (recordInvariantFaults(undefined, record).length > 0) return;
      const { deleting = false } = facts;
      const step = nextStep({
        catalog: normalizeCatalog(declarations),
        cr: { uid, deleting, spec, requests, finalizer, mirror, record },
        stamps,
        facts: { ...facts, settled },
        scope: [],
        cycle,
      });
      // What is resumed was entered before, in a world that may not have been sound.
      const isResumed = step.decision.kind === 'Run' && step.decision.mode === 'Resume';
      const faults = 'record' in step ? recordInvariantFaults(record, step.record) : [];
      expect(faults.filter((fault) => !isResumed || !fault.endsWith('is one to be avoided'))).toEqual([]);
      if (step.decision.kind === 'Blocked') expect(['hold', 'metadata', 'intent']).toContain(step.step);
    }),
    runs,
  );
});

test('a record is read as it was written, with the fields of others; junk never throws', () => {
  fc.assert(
    fc.property(records, (record) => {
      expect(parseRecord(JSON.parse(JSON.stringify({ ...record, later: [1] })))).toEqual({ ...record, later: [1] });
    }),
    { numRuns: 300 },
  );
  fc.assert(
    fc.property(fc.jsonValue(), fc.string(), (value, text) => {
      const catalog = normalizeCatalog([{ version: '1.0.0' }]);
      const record: VersionRecord | undefined = parseRecord(value);
      decide({ catalog, uid: 'u', record, mirror: parseMirror(text) });
      decide({ catalog, uid: 'u', mirror: parseMirror(JSON.stringify(value)) });
    }),
    { numRuns: 1_000 },
  );
});

/** What is done, without what is said about it. */
const done = (input: DecisionInput): readonly unknown[] => {
  const decision = decide(input);
  const { mode, version: acting, path } = decision as { mode?: string; version?: string; path?: readonly string[] };
  return [decision.kind, mode, acting, path];
};

test('an older procedure matters only where nothing may act, and a newer one that leads nowhere never', () => {
  fc.assert(
    fc.property(inputs, ({ declarations, rest }) => {
      const { record, mirror, uid, stamps, facts } = rest;
      const declared = declarations.map((each) => ({ ...each, from: each.from ?? 'none' }));
      const isPlain = record?.applied.some(({ plain }) => plain === true) === true;
      fc.pre(record !== undefined && record.applied.length > 0 && !isPlain && facts?.deleting !== true);
      const input = { record, mirror, uid, stamps: stamps ?? [], facts: facts ?? {} };
      const before = done({ ...input, catalog: normalizeCatalog(declared) });
      const nowhere = { from: 'none', fromPartial: 'none', rollbackTo: 'none', install: false };
      const older = normalizeCatalog([{ ...nowhere, version: '0.1.0' }, ...declared]);
      if (before[0] !== 'Blocked') expect(done({ ...input, catalog: older })).toEqual(before);
      const newer = normalizeCatalog([...declared, { ...nowhere, version: '9.0.0' }]);
      expect(done({ ...input, catalog: newer })).toEqual(before);
    }),
    runs,
  );
});
