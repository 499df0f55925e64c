// `pawl explore`, as a person types it: on the example, on a procedure that hangs, and on what is not understood.
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
import { addExploreCommand } from './register.ts';

const website = fileURLToPath(new URL('../../../../examples/website', import.meta.url));
const engine = fileURLToPath(new URL('../../../reconciler/src', import.meta.url));
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pawl-explore-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

interface Ended {
  readonly code: number;
  readonly output: string;
  readonly faults: readonly string[];
}

const explore = (line: string, changed: Partial<Ports> = {}): Promise<Ended> => exploreWith(line.split(' '), changed);

async function exploreWith(args: readonly string[], changed: Partial<Ports> = {}): Promise<Ended> {
  const fake = fakePorts();
  const ports: Ports = { ...nodePorts(), terminal: fake.terminal, writeError: fake.writeError, workingFolder: folder, ...changed };
  let code = 0;
  const program = new Command().exitOverride();
  addExploreCommand(program, ports, (exit) => (code = exit));
  try {
    await program.parseAsync(['explore', ...args], { from: 'user' });
    return { code, output: fake.output(), faults: [] };
  } catch (error) {
    return { code: 1, output: fake.output(), faults: faultsOf(error) ?? [String(error)] };
  }
}

/** A package whose only Action does what `body` says. */
async function packageWith(name: string, body: string, takes = '{ cluster }'): Promise<string> {
  const file = join(folder, `${name}.ts`);
  const text = `
import { done, proceduresFor } from '${engine}/index.ts';
import { ConfigMaps, crdFor, defineCatalog, definePackage, defineResource } from '${engine}/kubernetes/index.ts';
const Odds = defineResource({ apiVersion: 'odd.pawl.dev/v1', kind: 'Odd', plural: 'odds' });
const act = proceduresFor().defineAction({ name: 'Act', owns: { maps: ConfigMaps }, run: async (${takes}) => { ${body} } });
const v1 = proceduresFor().defineProcedure({ version: '1.0.0', minVersion: '0.1.0', actions: [act] });
export default definePackage({ name: 'odd', kinds: [defineCatalog(Odds, [v1])], crds: [crdFor(Odds, { spec: { type: 'object' } })],
  examples: [{ apiVersion: 'odd.pawl.dev/v1', kind: 'Odd', metadata: { name: 'one', namespace: 'default' }, spec: {} }] });
`;
  await writeFile(file, text);
  return file;
}

test('the example is explored, with the objects of a file', async () => {
  const line = `--package ${website}/src/index.ts -f ${website}/website.yaml --mode install --budget 20s`;
  const { code, output, faults } = await explore(line);
  expect([code, faults]).toEqual([0, []]);
  expect(output).toMatch(/^website: nothing found in \d+ runs/);
  expect(output).toMatch(/install +install 2\.0\.0 +\d+ runs, \d+ kills/);
}, 60_000);

test('what is found is saved, and found again from there', async () => {
  const guarded = `
    const first = await cluster.maps.get('a');
    const second = await cluster.maps.get('b');
    if (first === undefined) { await cluster.maps.apply({ metadata: { name: 'a' }, data: {} }); await cluster.maps.apply({ metadata: { name: 'b' }, data: {} }); }
    else for (const one of [first, second]) if (one !== undefined) cluster.maps.keep(one);
    return done();`;
  const file = await packageWith('guarded', guarded);
  const found = await explore(`--package ${file} --mode install`);
  expect(found.code).toBe(1);
  expect(found.output).toContain('ConfigMap default/b is missing');
  expect(found.output).toContain(`replay: pawl explore --package ${file} --replay pawl-failure-1.json`);
  expect(JSON.parse(await readFile(join(folder, 'pawl-failure-1.json'), 'utf8'))).toMatchObject({ kind: 'Odd' });
  const again = await explore(`--package ${file} --replay pawl-failure-1.json`);
  expect([again.code, again.output]).toEqual([1, expect.stringContaining('ConfigMap default/b is missing')]);
  const machine = await explore(`--package ${file} --mode install -o json`);
  expect(JSON.parse(machine.output)).toMatchObject({ package: 'odd', violations: [{ check: 'ends like a fresh install' }] });
}, 90_000);

test('an Action that does not give back the thread is ended, and is named with its version and the run', async () => {
  const file = await packageWith('endless', "await cluster.maps.get('a'); for (;;);");
  const real = nodePorts().clock;
  const hasty = { ...real, setTimer: (ms: number, callback: () => void) => real.setTimer(Math.min(ms, 15_000), callback) };
  const { code, faults } = await explore(`--package ${file} --mode install`, { clock: hasty });
  expect([code, faults]).toEqual([1, ['Action Act of 1.0.0 hangs, and the whole process with it, in: install by 1.0.0']]);
}, 60_000);

test('an Action that allocates without bound is ended, and is named with its version and the run', async () => {
  const file = await packageWith('hoarding', 'const kept = []; for (;;) kept.push(Array.from({ length: 10_000 }, (_, index) => index));');
  const { code, faults } = await explore(`--package ${file} --mode install`, { threadMemoryMb: 128 });
  expect([code, faults]).toEqual([1, ['Action Act of 1.0.0 allocates more than 128 MB, in: install by 1.0.0']]);
}, 60_000);

test('an Action that never answers, although it gives back the thread, is named', async () => {
  const file = await packageWith('silent', 'await new Promise(() => {});');
  const { code, output } = await explore(`--package ${file} --mode install --budget 20s`);
  expect(code).toBe(1);
  expect(output).toContain('has an answer from every Action: Action Act of 1.0.0 has not answered for 40 minutes');
}, 60_000);

test('what versions leave is recorded once, and taken over by the newest', async () => {
  const files = `-f ${website}/website.yaml`;
  const first = await explore(`--package ${website}/src/release-1.ts ${files} --record recorded --moments ends`);
  expect([first.code, first.output]).toEqual([0, 'recorded/1.0.0/install-end.json\n1 states of 1.0.0 were recorded\n']);
  const before = await readFile(join(folder, 'recorded/1.0.0/install-end.json'), 'utf8');
  const second = await explore(`--package ${website}/src/index.ts ${files} --record recorded --moments ends`);
  expect(second.output).toContain('2 states of 2.0.0 were recorded\n1.0.0 stands in the folder already and was left as it is; delete recorded/1.0.0');
  expect(await readFile(join(folder, 'recorded/1.0.0/install-end.json'), 'utf8')).toBe(before);
  const replayed = await explore(`--package ${website}/src/index.ts --recorded recorded --mode recorded --budget 6s`);
  expect([replayed.code, replayed.faults]).toEqual([0, []]);
  expect(replayed.output).toMatch(/recorded +1\.0\.0\/install-end → 2\.0\.0 +\d+ runs, \d+ kills/);
}, 90_000);

test('a state that is none is bad input, with the file, the object and the field', async () => {
  await writeFile(join(folder, 'odd.yaml'), 'kind: StartState\nformatVersion: 1\ntakenAt: 2026-01-01T00:00:00Z\nobjects:\n- { apiVersion: example.pawl.dev/v1alpha1, kind: Website, metadata: { name: a, namespace: default }, spec: { replicas: many } }\n');
  const { code, faults } = await explore(`--package ${website}/src/index.ts --from odd.yaml`);
  expect(code).toBe(1);
  expect(faults.join('\n')).toContain('odd.yaml: Website default/a: spec.replicas: ');
  const flags = await explore(`--package x --from odd.yaml --recorded there --mode recorded --moments some --mask nonsense --may-touch nothing`);
  expect(flags.faults.map((fault) => fault.split(':')[0])).toEqual(['--moments', '--from, --recorded, --record', '--mask', '--may-touch', '--from']);
});

test('a field that is masked is not compared', async () => {
  const body = "const known = await cluster.maps.get('a'); if (known === undefined) await cluster.maps.apply({ metadata: { name: 'a' }, data: { made: random.uuid(), is: 'there' } }); else cluster.maps.keep(known); return done();";
  const file = await packageWith('lucky', body.replace('const known', 'const random = { uuid: () => String(Math.floor(clock.now() / 500)) }; const known'), '{ cluster, clock }');
  expect((await explore(`--package ${file} --mode install --record lucky --moments ends`)).code).toBe(0);
  const path = join(folder, 'lucky/1.0.0/install-end.json');
  await writeFile(path, (await readFile(path, 'utf8')).replaceAll(/"made":"\d+"/g, '"made":"1"'));
  const found = await explore(`--package ${file} --from lucky/1.0.0/install-end.json --budget 5s`);
  expect([found.code, found.output]).toEqual([1, expect.stringContaining('ConfigMap default/a .data.made is "1"')]);
  const masked = await exploreWith(['--package', file, '--from', 'lucky/1.0.0/install-end.json', '--budget', '5s', '--mask', 'ConfigMap:data.made=it is made up once']);
  expect([masked.code, masked.faults]).toEqual([0, []]);
  expect(masked.output).toContain('data.made of ConfigMap is not compared: it is made up once');
}, 60_000);

test('what is not understood is named, all at once', async () => {
  const { code, faults } = await explore('--package x --mode sideways --budget soon --seed one -o xml');
  expect(code).toBe(1);
  expect(faults.map((fault) => fault.split(':')[0])).toEqual(['--budget', '--seed', '--output', '--mode']);
});

test('a package that cannot be loaded is bad input', async () => {
  const { code, faults } = await explore('--package ./nowhere.ts');
  expect([code, faults[0]]).toEqual([1, expect.stringContaining('./nowhere.ts')]);
}, 30_000);
