// What released versions left in clusters, as files of their packages: every one of them is taken over by the newest
// version, and a released version of which nothing is known is named.
import { explorationText, exploreCatalog, recordStates, type StartState } from '@pawl/testkit';
import { compareVersions, type Procedure, type ProceduresLock } from '@pawl/reconciler';
import { defineCatalog, type KubernetesContext, type KubernetesObject } from '@pawl/reconciler/kubernetes';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { allPackages, enrollments, websites } from './packages.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

test('every procedure package is explored', () => {
  const folders = readdirSync(join(root, 'packages/procedures')).map((name) => `packages/procedures/${name}`);
  expect(allPackages.map(({ folder }) => folder).toSorted()).toEqual(['examples/website', ...folders].toSorted());
});

test.each(allPackages)('the recorded states of $folder are small, and there is one of each version at rest', ({ folder, package: from, options }) => {
  const files = readdirSync(join(root, folder, 'recorded'), { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  expect(files.reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0)).toBeLessThan(100 * 1024);
  const names = (options.recorded ?? []).map(({ name }) => name);
  const versions = from.kinds.flatMap(({ procedures }) => procedures.map(({ version }) => version));
  expect(names).toEqual(expect.arrayContaining(versions.map((version) => `${version}/install-end`)));
});

/** Of each version what was there in the end, and one state on the way. */
const chosen = (states: readonly StartState[] = []): readonly StartState[] => states.filter(({ name }) => name.endsWith('-end') || name === '1.0.0/install-before-write-04');

test.each([websites, enrollments])('the newest version of $folder takes over what older ones left, without knowing them', async ({ package: from, options }) => {
  const [catalog] = from.kinds;
  if (catalog === undefined) throw new Error('no kind');
  const newest = catalog.procedures.toSorted((a, b) => compareVersions(a.version, b.version)).slice(-1);
  const alone = { ...from, kinds: [defineCatalog(catalog.resource, newest as unknown as readonly Procedure<KubernetesContext<KubernetesObject>>[])] };
  const recorded = chosen(options.recorded);
  const result = await exploreCatalog(alone, { ...options, modes: ['recorded'], recorded, budgetMs: 20_000 });
  expect(result.failures.length, explorationText(result)).toBe(0);
  expect(result.crashPoints).toBeGreaterThan(20);
  const edges = result.coverage.filter(({ mode }) => mode === 'recorded').map(({ edge }) => edge);
  for (const { name } of recorded) expect(edges.some((edge) => edge.startsWith(name)), `${name} is not among ${edges.join('; ')}`).toBe(true);
}, 90_000);

test('a released version with neither a procedure nor a recorded state is named', async () => {
  const row = (version: string) => ({ version, content: '', permissions: '', from: '*', fromPartial: '*', rollbackTo: 'none', firstRelease: '0.1', lastRelease: '0.4', owns: [], rendered: {} });
  const lock: ProceduresLock = { lockVersion: 1, package: 'website', kinds: [{ kind: 'Website', names: {}, versions: ['0.8.0', '0.9.0', '1.0.0', '2.0.0'].map(row) }] };
  const notRun = async (recorded: readonly StartState[], support?: string): Promise<readonly string[]> =>
    (await exploreCatalog(websites.package, { ...websites.options, modes: [], recorded, released: { lock, ...(support === undefined ? {} : { support }) } })).notRun;
  const says = (version: string): string => `${version} of Website, released in 0.4: its procedure has left the catalog, and there is no recorded state of it`;
  expect(await notRun([])).toEqual([says('0.8.0'), says('0.9.0')]);
  expect(await notRun([], '>=0.9.0')).toEqual([says('0.9.0')]);
  const [end] = await recordStates(websites.package, { ...websites.options, versions: ['1.0.0'], moments: 'ends' });
  if (end === undefined) throw new Error('no state');
  const older = JSON.parse(JSON.stringify(end).replaceAll('"1.0.0"', '"0.9.0"')) as StartState;
  expect(await notRun([older])).toEqual([says('0.8.0')]);
});
