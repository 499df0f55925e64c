// Defaults of what procedures declare about versions, and the fingerprint of what they consist of.
import { expect, test } from 'vitest';
import { proceduresFor } from '../define.ts';
import { done } from '../result.ts';
import { catalogOf, DEFAULT_SOAK_MS, normalizeCatalog, type ProcedureDeclaration } from './catalog.ts';
import { contentDigest } from './digest.ts';

const ranges = (...declarations: readonly ProcedureDeclaration[]): readonly string[] =>
  normalizeCatalog(declarations).procedures.map(
    ({ version, from, fromPartial, rollbackTo }) => `${version} from ${from} partial ${fromPartial} back ${rollbackTo}`,
  );

test('a single procedure that says nothing acts on anything, in both directions', () => {
  expect(ranges({})).toEqual(['0.0.0 from * partial * back *']);
  expect(normalizeCatalog([{}]).plain).toBe(true);
});

test('one word about versions ends that', () => {
  expect(normalizeCatalog([{ version: '2.0.0', minVersion: '1.0.0' }]).plain).toBe(false);
  expect(ranges({ version: '2.0.0', minVersion: '1.0.0' })).toEqual(['2.0.0 from >=1.0.0 partial none back none']);
});

test('the lowest of several takes over whatever came before, a derived one what it was derived from', () => {
  expect(ranges({ version: '2.0.0', derivedFrom: '1.0.0' }, { version: '1.0.0' })).toEqual([
    '1.0.0 from * partial * back none',
    '2.0.0 from >=1.0.0 partial none back none',
  ]);
  expect(ranges({ version: '1.0.0' }, { version: '2.0.0', derivedFrom: '1.0.0', from: '>=0.5.0' })[1]).toContain(
    'from >=0.5.0',
  );
});

test('what finalizes and can be rolled back soaks for a day, unless told otherwise', () => {
  const finalizeOf = (declared: ProcedureDeclaration): unknown =>
    normalizeCatalog([{ version: '1.0.0', finalizes: true, ...declared }]).procedures[0]?.finalize;
  expect(finalizeOf({})).toBe('Auto');
  expect(finalizeOf({ rollbackTo: '1.x' })).toEqual({ soakMs: DEFAULT_SOAK_MS });
  expect(finalizeOf({ rollbackTo: '1.x', finalize: 'Manual' })).toBe('Manual');
});

test('a fingerprint tells of names, edges, stages and revisions, and of nothing else', () => {
  const { defineAction, defineProcedure } = proceduresFor<object>();
  const a = defineAction({ name: 'A', run: () => done() });
  const procedure = (revision: number, version = '1.0.0', stage: 'apply' | 'finalize' = 'apply') =>
    defineProcedure({
      version,
      actions: [defineAction({ name: 'B', requires: { a }, revision, stage, run: () => done() })],
    });
  const digest = contentDigest(procedure(0));
  expect(contentDigest(procedure(0, '2.0.0'))).toBe(digest);
  expect(contentDigest(procedure(1))).not.toBe(digest);
  expect(contentDigest(procedure(0, '1.0.0', 'finalize'))).not.toBe(digest);
  expect(contentDigest(defineProcedure({ actions: [a] }))).not.toBe(digest);
  expect(catalogOf([procedure(0)]).procedures[0]?.digest).toBe(digest);
});
