// Every mistake in a definition that only shows at run time: what is said names the procedure, the field, what was found
// and what to do.
import { expect, test } from 'vitest';
import { done, lintCatalog, normalizeCatalog, proceduresFor, type LockedKind } from './index.ts';
import { catalogFaults } from './versions/catalog.ts';

const { defineAction, forEach, replaceAction, defineProcedure, deriveProcedure } = proceduresFor<object>();
const run = () => done();
const b = defineAction({ name: 'B', run });
const a = defineAction({ name: 'A', requires: { b }, run });
const late = defineAction({ name: 'Late', stage: 'finalize', run });
const base = defineProcedure({ version: '1.0.0', actions: [a] });

const MISTAKES: Readonly<Record<string, () => unknown>> = {
  'name of an action': () => defineAction({ name: 'createTables', run }),
  'times of an action': () => defineAction({ name: 'A', timeoutMs: 0, cacheForMs: -1, run }),
  'items at a time': () => forEach({ name: 'E', items: () => [1], key: String, atATime: 0, concurrency: 1.5, run }),
  'name of a replacement': () => replaceAction(b, defineAction({ name: 'Bb', run })),
  'version and ranges': () =>
    defineProcedure({ version: '2.0', minVersion: 'v1', fromPartial: '>=1,<2', rollbackTo: 'latest', actions: [a] }),
  'minVersion beside from': () => defineProcedure({ version: '2.0.0', minVersion: '1.0.0', from: '1.x', actions: [a] }),
  'minVersion above the version': () => defineProcedure({ version: '2.0.0', minVersion: '3.0.0', actions: [a] }),
  'soak of finalize actions': () => defineProcedure({ version: '2.0.0', finalize: { soakMs: -5 }, actions: [a] }),
  'two actions of a name': () => defineProcedure({ actions: [a, defineAction({ name: 'B', run })] }),
  'a cycle': () =>
    deriveProcedure(base, {
      version: '2.0.0',
      replace: [replaceAction(b, defineAction({ name: 'B', requires: { a }, run }))],
    }),
  'a missing prerequisite': () => deriveProcedure(base, { version: '2.0.0', remove: [b] }),
  'a removal of nothing': () => deriveProcedure(base, { version: '2.0.0', remove: [late] }),
  'a replacement of nothing': () => deriveProcedure(base, { version: '2.0.0', replace: [replaceAction(late, late)] }),
  'a replacement of another action': () => {
    const other = defineAction({ name: 'B', run });
    return deriveProcedure(base, { version: '2.0.0', replace: [replaceAction(other, other)] });
  },
  'apply behind finalize': () => defineProcedure({ actions: [defineAction({ name: 'C', requires: { late }, run })] }),
};

test('each mistake, with what to do about it', async () => {
  const texts = Object.entries(MISTAKES).map(([name, make]) => {
    expect(make, name).toThrow();
    try {
      make();
    } catch (error) {
      return `${name}\n  ${(error as Error).message.split('; ').join(';\n  ')}\n`;
    }
    return '';
  });
  await expect(texts.join('\n')).toMatchFileSnapshot('faults.expected.txt');
});

test('catalogs, all faults at once', () => {
  const second = defineProcedure({ version: '2.0.0', actions: [b] });
  const found = (...procedures: Parameters<typeof catalogFaults>[0]): readonly string[] =>
    catalogFaults(procedures).map(({ message }) => message);
  expect(found()).toEqual(['procedures is empty; give it at least one']);
  expect(found(base, second, second)).toEqual([
    '2.0.0 says nothing about older versions: give it minVersion or from, or derive it',
    'two procedures have version 2.0.0; raise one of them',
  ]);
  expect(found(base, defineProcedure({ actions: [b] }))).toContain(
    'one of several procedures has no version: give each one its version',
  );
});

test('findings of lint, each with its version and a remedy', async () => {
  const catalog = normalizeCatalog([
    { version: '1.0.0-rc10' },
    { version: '1.1.0', from: '>=0.1.0 <0.9.0', finalizes: true },
    { version: '1.1.1', minVersion: '1.1.0', digest: 'changed', rollbackTo: '>=1.0.0' },
    { version: '2.0.0', from: '>=1.1.1 <2.0.0', rollbackTo: '>=9.0.0', withdrawn: true },
    { version: '3.0.0', from: '1.1.x' },
  ]);
  const row = { fromPartial: 'none', rollbackTo: 'none', permissions: '', firstRelease: '5', lastRelease: '7' };
  const locked: LockedKind = {
    kind: 'Site',
    names: { finalizer: 'old.example/finalizer' },
    versions: [
      { ...row, version: '0.9.5', content: 'x', from: '*', owns: ['batch/Job'], rendered: {} },
      { ...row, version: '1.1.1', content: '1.1.1', from: '>=0.9.5', owns: [], rendered: { sample: 'before' } },
    ],
  };
  const rendered = new Map([['1.1.1', { sample: 'after' }]]);
  const now = { names: { finalizer: 'new.example/finalizer' }, owns: new Set(['/ConfigMap']), rendered };
  const findings = lintCatalog({ kind: 'Site', catalog, locked, now });
  const lines = findings.map(({ severity, code, message }) => `${severity} ${code} ${message}`);
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('lint/lint.expected.txt');
});

