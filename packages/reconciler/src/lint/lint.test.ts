import { expect, test } from 'vitest';
import { decide } from '../versions/decide.ts';
import { normalizeCatalog, type ProcedureDeclaration } from '../versions/catalog.ts';
import { lintCatalog } from './lint.ts';
import { formatLock, lockedVersion, mergedVersions, parseLock, type LockedKind } from './lock.ts';

const lint = (
  declarations: readonly ProcedureDeclaration[],
  released: readonly string[] = [],
  support?: string,
): readonly string[] =>
  lintCatalog({
    kind: 'Site',
    catalog: normalizeCatalog(declarations),
    locked: released.length === 0 ? undefined : locked(released),
    support,
  }).map(({ severity, code, version }) => `${severity} ${code} ${version ?? ''}`.trim());

function locked(versions: readonly string[]): LockedKind {
  const rows = versions.map((version) => ({
    version,
    content: version,
    permissions: '',
    from: '*',
    fromPartial: '*',
    rollbackTo: 'none',
    firstRelease: '1',
    lastRelease: '1',
    owns: [],
    rendered: {},
  }));
  return { kind: 'Site', names: {}, versions: rows };
}

test('a clean ladder has nothing but its ways to review', () => {
  const ladder = [
    { version: '1.0.0' },
    { version: '1.2.0', minVersion: '1.0.0' },
    { version: '2.0.0', minVersion: '1.2.0' },
  ];
  expect(lint(ladder)).toEqual(['info G032 1.0.0']);
});

test('a version from which nothing can act is an error inside the supported range, information outside', () => {
  const gap = [{ version: '3.0.0', from: '1.x || >=2.1.0 <3.0.0-0' }];
  expect(lint(gap, ['1.0.0', '2.0.0', '2.1.0'])).toContain('error G030 2.0.0');
  expect(lint(gap, ['1.0.0', '2.0.0', '2.1.0'], '>=2.1.0')).toContain('info G030 2.0.0');
});

test('traps of ranges and prereleases are named', () => {
  const traps = [
    { version: '1.0.0-rc10' },
    { version: '2.0.0', from: '>=1.0.0 <2.0.0' },
    { version: '3.0.0', minVersion: '2.0.0' },
  ];
  const found = lint(traps);
  expect(found).toContain('warning V005 1.0.0-rc10');
  expect(found).toContain('warning G021 2.0.0');
});

test('taking the newest compatible version would end in a dead end that the plan avoids', () => {
  const trap = [
    { version: '1.0.0' },
    { version: '2.0.0', from: '1.x' },
    { version: '3.0.0', from: '1.x' },
    { version: '4.0.0', from: '2.x' },
  ];
  expect(lint(trap)).toContain('info G036 1.0.0');
});

test('a withdrawn version needs a way out', () => {
  const stuck = [
    { version: '1.0.0' },
    { version: '2.0.0', from: '1.x', withdrawn: true },
    { version: '2.0.1', from: '1.x' },
  ];
  expect(lint(stuck)).toContain('error G035 2.0.0');
  expect(lint([...stuck.slice(0, 2), { version: '2.0.1', from: '1.x || 2.0.0', fromPartial: '2.0.0' }])).not.toContain(
    'error G035 2.0.0',
  );
});

test('a patch release says whether it rescues what its predecessor left half done', () => {
  const ladder = [{ version: '1.0.0' }, { version: '2.0.0', minVersion: '1.0.0' }];
  expect(lint([...ladder, { version: '2.0.1', minVersion: '1.0.0' }])).toContain('warning G034 2.0.1');
  expect(lint([...ladder, { version: '2.0.1', minVersion: '1.0.0', fromPartial: '2.0.0' }])).not.toContain(
    'warning G034 2.0.1',
  );
});

test('a way back behind a version that finalizes is pointed out', () => {
  const ladder = [
    { version: '1.0.0' },
    { version: '2.0.0', minVersion: '1.0.0', finalizes: true },
    { version: '3.0.0', minVersion: '1.0.0', rollbackTo: '>=1.0.0' },
  ];
  expect(lint(ladder)).toContain('info G039 3.0.0');
});

test('stranded and unreachable versions are reported exactly where the decision blocks', () => {
  const ranges = ['none', '1.x', '2.x', '>=1.0.0'];
  for (const from2 of ranges)
    for (const from3 of ranges) {
      const declarations = [
        { version: '2.0.0', from: from2 },
        { version: '3.0.0', from: from3 },
      ];
      const catalog = normalizeCatalog(declarations);
      const found = lintCatalog({ kind: 'Site', catalog, locked: locked(['1.0.0']) });
      for (const version of ['1.0.0', '2.0.0']) {
        const applied = [{ version, state: 'Complete' as const, rollbackTo: 'none', teardown: 'Inventory' as const }];
        const decision = decide({
          catalog,
          uid: 'u',
          record: { formatVersion: 1, minReader: 1, epoch: 1, version, applied, avoid: [], scope: [] },
        });
        const says = (code: string): boolean => found.some((each) => each.code === code && each.version === version);
        expect({ from2, from3, version, stranded: says('G030') }).toEqual({
          from2,
          from3,
          version,
          stranded: decision.kind === 'Blocked',
        });
        expect(says('G031')).toBe(decision.kind === 'Run' && decision.upgradeBlocked !== undefined);
      }
    }
});

const released = normalizeCatalog([
  { version: '1.0.0', digest: 'a' },
  { version: '2.0.0', minVersion: '1.0.0', rollbackTo: '>=1.0.0', digest: 'b' },
]);
const row = { firstRelease: 'r1', lastRelease: 'r1', owns: ['/ConfigMap'], rendered: { sample: 'x' } };
const lock: LockedKind = {
  kind: 'Site',
  names: { finalizer: 'f' },
  versions: released.procedures.map((one) => lockedVersion(one, row)),
};

function against(
  declarations: readonly ProcedureDeclaration[],
  parts: { owns?: string[]; names?: Record<string, string>; hash?: string } = {},
): readonly string[] {
  const catalog = normalizeCatalog(declarations);
  const { owns = ['/ConfigMap'], names = { finalizer: 'f' }, hash = 'x' } = parts;
  const rendered = new Map(catalog.procedures.map(({ version }) => [version, { sample: hash }]));
  return lintCatalog({ kind: 'Site', catalog, locked: lock, now: { names, owns: new Set(owns), rendered } })
    .filter(({ code }) => code.startsWith('L') || code === 'K050')
    .map(({ severity, code, version }) => `${severity} ${code} ${version ?? ''}`.trim());
}
const one = { version: '1.0.0', digest: 'a' };
const two = { version: '2.0.0', minVersion: '1.0.0', rollbackTo: '>=1.0.0', digest: 'b' };

test('against its own lock a catalog is clean', () => {
  expect(against([one, two])).toEqual([]);
});

test('what was released may not change: content, rendering, names, permissions, owned kinds', () => {
  expect(against([{ ...one, digest: 'z' }, two])).toEqual(['error L040 1.0.0']);
  expect(against([one, two], { hash: 'y' })).toEqual(['error L044 1.0.0', 'error L044 2.0.0']);
  expect(against([one, two], { names: { finalizer: 'g' } })).toEqual(['error L042']);
  expect(against([one, { ...two, rollbackTo: 'none' }])).toEqual(['error L043 2.0.0']);
  expect(against([one, { ...two, rollbackTo: '>=0.9.0' }])).toEqual(['info L043 2.0.0']);
  expect(against([one, two], { owns: [] })).toEqual(['error K050 1.0.0', 'error K050 2.0.0']);
  expect(against([two])).toEqual(['warning L041 1.0.0']);
});

test('a lock survives being written and read; rows keep their first release and never leave', () => {
  const whole = { lockVersion: 1 as const, package: 'p', kinds: [lock] };
  expect(parseLock(formatLock(whole))).toEqual(whole);
  const next = mergedVersions(lock.versions, [
    lockedVersion(released.procedures[1] as never, { ...row, firstRelease: 'r2', lastRelease: 'r2' }),
  ]);
  expect(next.map(({ version, firstRelease, lastRelease }) => `${version} ${firstRelease} ${lastRelease}`)).toEqual([
    '1.0.0 r1 r1',
    '2.0.0 r1 r2',
  ]);
  expect(() => parseLock('{"lockVersion":2}')).toThrow('lockVersion: found 2; allowed is 1');
});
