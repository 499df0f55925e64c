// `pawl certify`, as a person types it: against packages as they were released, good successors and bad ones.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Command } from 'commander';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { faultsOf } from '../input-error.ts';
import { nodePorts } from '../node-ports.ts';
import type { Ports } from '../ports.ts';
import { fakePorts } from '../testing/fake-ports.ts';
import { packReleased, writeReleased } from '../testing/released-package.ts';
import { addCertifyCommand } from './register.ts';

const engine = fileURLToPath(new URL('../../../reconciler/src', import.meta.url));
let folder: string;
let tarball: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pawl-certify-'));
  const released = join(folder, 'released');
  await writeReleased(released, { name: 'boxes', version: '1.4.0', code: boxes({ from: '@pawl/reconciler', kubernetes: '@pawl/reconciler/kubernetes' }, V1) });
  tarball = await packReleased(released);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

interface Said {
  readonly code: number;
  readonly output: string;
  readonly faults: readonly string[];
}

async function certify(line: string, changed: Partial<Ports> = {}): Promise<Said> {
  const fake = fakePorts();
  const clock = { ...nodePorts().clock, now: () => Date.UTC(2026, 4, 1) };
  const ports: Ports = { ...nodePorts(), clock, terminal: fake.terminal, writeError: fake.writeError, workingFolder: folder, ...changed };
  let code = 0;
  const program = new Command().exitOverride();
  addCertifyCommand(program, ports, (exit) => (code = exit));
  try {
    await program.parseAsync(['certify', ...line.split(' ')], { from: 'user' });
    return { code, output: fake.output(), faults: [] };
  } catch (error) {
    return { code: 1, output: fake.output(), faults: faultsOf(error) ?? [String(error)] };
  }
}

const V1 = `
const stored = forBoxes.defineAction({ name: 'Stored', owns: { maps: ConfigMaps }, run: async ({ cluster }) => {
  await cluster.maps.apply({ metadata: { name: 'content' }, data: {} });
  await cluster.maps.apply({ metadata: { name: 'index' }, data: {} });
  return done();
} });
const v1 = forBoxes.defineProcedure({ version: '1.0.0', minVersion: '0.1.0', actions: [stored] });
const procedures = [v1];`;

/** The second version has no index any more. @param owns how it owns ConfigMaps @param body what it does beside its content */
const v2 = (owns = 'ConfigMaps', body = ''): string => `
const storedAlone = forBoxes.defineAction({ name: 'Stored', owns: { maps: ${owns} }, run: async ({ cluster }) => {
  await cluster.maps.apply({ metadata: { name: 'content' }, data: { new: 'yes' } });
  ${body}
  return done();
} });
const v2 = forBoxes.deriveProcedure(v1, { version: '2.0.0', rollbackTo: '1.0.0', replace: [forBoxes.replaceAction(stored, storedAlone)] });
procedures.push(v2);`;

function boxes({ from, kubernetes }: { readonly from: string; readonly kubernetes: string }, ...parts: readonly string[]): string {
  return `
import { done, proceduresFor } from '${from}';
import { ConfigMaps, crdFor, defineCatalog, definePackage, defineResource, explicit } from '${kubernetes}';
void explicit;
const Boxes = defineResource({ apiVersion: 'boxes.pawl.dev/v1', kind: 'Box', plural: 'boxes' });
const forBoxes = proceduresFor();
${parts.join('\n')}
export default definePackage({ name: 'boxes', kinds: [defineCatalog(Boxes, procedures)], crds: [crdFor(Boxes, { spec: { type: 'object' } })],
  examples: [{ apiVersion: 'boxes.pawl.dev/v1', kind: 'Box', metadata: { name: 'one', namespace: 'default' }, spec: {} }] });
`;
}

async function packageOf(name: string, ...parts: readonly string[]): Promise<string> {
  const file = join(folder, `${name}.ts`);
  await writeFile(file, boxes({ from: `${engine}/index.ts`, kubernetes: `${engine}/kubernetes/index.ts` }, ...parts));
  return file;
}

const page = async (out: string, format: string): Promise<string> => readFile(join(folder, out, `certify.${format}`), 'utf8');
const MODES = '--mode upgrade --mode interrupted --mode rollback --budget 90s';
const UPGRADE = '--mode upgrade --budget 60s';

test('a good successor of a packed release passes, and the page says what was done', async () => {
  const file = await packageOf('good', V1, v2());
  const { code, output, faults } = await certify(`--package ${file} --against ${tarball} ${MODES} --out good`);
  expect([code, faults, output.split('\n')[0]]).toEqual([0, [], expect.stringMatching(/^boxes against boxes@1\.4\.0: pass in \d+ runs with \d+ crash points/)]);
  const report = JSON.parse(await page('good', 'json')) as { readonly [name: string]: unknown };
  expect(report).toMatchObject({
    package: 'boxes',
    against: { package: 'boxes', release: 'boxes@1.4.0' },
    date: '2026-05-01T00:00:00.000Z',
    verdict: 'pass',
    reasons: [],
    edges: [{ from: '1.0.0', to: '2.0.0', kind: 'Box', isDirect: true }],
    exploration: { pairs: [{ object: 'ConfigMap default/index', severity: 'information' }], violations: [], notRun: [] },
  });
  const html = await page('good', 'html');
  expect(html).toContain('<p class="verdict pass">');
  expect(html).toContain('prefers-color-scheme: dark');
  expect(html).not.toMatch(/<script|<link|<img|https?:\/\/|url\(/);
  expect(await page('good', 'md')).toMatch(/^\| 1\.0\.0 → 2\.0\.0 \|.* \d+ \(\d+\) \|/m);
}, 120_000);

test('a successor that forgets what the release made is a violation, and the page says how to see it again', async () => {
  const file = await packageOf('forgets', V1, v2('explicit(ConfigMaps)'));
  const { code, output } = await certify(`--package ${file} --against ./released ${UPGRADE} --out forgets`);
  expect([code, output.split('\n')[0]]).toEqual([1, expect.stringContaining('boxes@1.4.0: violation')]);
  const markdown = await page('forgets', 'md');
  expect(markdown).toContain('leaves no orphans: ConfigMap default/index is there, and a fresh install has none');
  const replay = `pawl certify --package ${file} --against ./released --replay forgets/pawl-failure-1.json`;
  expect(markdown).toContain(`replay    ${replay}`);
  expect(await certify(replay.replace('pawl certify ', ''))).toMatchObject({ code: 1, output: expect.stringContaining('leaves no orphans') as string });
}, 120_000);

test('the release acts as it was released, whatever the new package makes of its versions today', async () => {
  // Today 1.0.0 would make no index either: among its own versions the new package finds nothing to clean.
  const revised = V1.replace("await cluster.maps.apply({ metadata: { name: 'index' }, data: {} });", '');
  const file = await packageOf('revised', revised, v2('explicit(ConfigMaps)'));
  const { code } = await certify(`--package ${file} --against ${tarball} ${UPGRADE} --out revised`);
  expect(code).toBe(1);
  const markdown = await page('revised', 'md');
  expect(markdown).toContain('leaves no orphans: ConfigMap default/index');
  expect(markdown).toContain('error: Box: 1.0.0 makes ConfigMap default/index otherwise than it did when it was released');
}, 120_000);

test('a released version whose content has changed is a violation', async () => {
  const file = await packageOf('renamed', V1.replaceAll("'Stored'", "'Kept'"), v2().replaceAll("'Stored'", "'Kept'"));
  const { code } = await certify(`--package ${file} --against ./released ${UPGRADE} --out renamed`);
  expect(code).toBe(1);
  expect(await page('renamed', 'md')).toContain('error: Box: the content of 1.0.0 has changed since it was released (in boxes@1.4.0)');
}, 120_000);

test('what the budget does not suffice for is incomplete, and so is a package without a new version', async () => {
  const good = await packageOf('hasty', V1, v2());
  const hasty = await certify(`--package ${good} --against ./released --budget 1ms --out hasty`);
  expect([hasty.code, hasty.output]).toEqual([3, expect.stringContaining('upgrade of Box: the budget was spent')]);
  const same = await packageOf('same', V1);
  const { code, output } = await certify(`--package ${same} --against ./released --out same`);
  expect([code, output]).toEqual([3, expect.stringContaining('there is no hop from a released version to a new one')]);
  const machine = await certify(`--package ${same} --against ./released --out same -o json`);
  expect([machine.code, JSON.parse(machine.output)]).toEqual([3, expect.objectContaining({ verdict: 'incomplete', edges: [] })]);
}, 120_000);

test('an Action that never gives back the thread is ended, and the run is named', async () => {
  const file = await packageOf('endless', V1, v2('ConfigMaps', 'for (;;);'));
  const real = nodePorts().clock;
  const clock = { ...real, setTimer: (ms: number, callback: () => void) => real.setTimer(Math.min(ms, 15_000), callback) };
  const { faults } = await certify(`--package ${file} --against ./released ${UPGRADE}`, { clock });
  expect(faults).toEqual(['Action Stored of 2.0.0 hangs, and the whole process with it, in: install by 2.0.0']);
}, 120_000);

test('a package that this engine cannot run is told field by field', async () => {
  const file = join(folder, 'foreign.ts');
  await writeFile(file, "export default { name: 'boxes', crds: [], kinds: [{ resource: { kind: 'Box' }, procedures: [{ actions: [] }] }] };\n");
  const { code, faults } = await certify(`--package ${await packageOf('plain', V1, v2())} --against ./foreign.ts`);
  expect(code).toBe(1);
  expect(faults.map((fault) => fault.split(';')[0])).toEqual([
    '--against: found ./foreign.ts: kinds[0].resource.id is no text',
    '--against: found ./foreign.ts: kinds[0].resource.apiVersion is no text',
    '--against: found ./foreign.ts: kinds[0].resource.plural is no text',
    '--against: found ./foreign.ts: kinds[0].procedures[0].version is no text',
    '--against: found ./foreign.ts: kinds[0].procedures[0].onDemand is no set',
    '--against: found ./foreign.ts: kinds[0].procedures[0].actions is no map',
    '--against: found ./foreign.ts: kinds[0].procedures[0].teardown is no map',
  ]);
}, 60_000);

test('what is not understood is named, all at once', async () => {
  const { code, faults } = await certify('--package x --against boxes --mode sideways --budget soon --seed one -o junit');
  expect(code).toBe(1);
  expect(faults.map((fault) => fault.split(':')[0])).toEqual(['--output', '--against', '--budget', '--seed', '--mode']);
});
