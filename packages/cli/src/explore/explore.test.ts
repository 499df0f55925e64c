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

async function explore(line: string, changed: Partial<Ports> = {}): Promise<{ readonly code: number; readonly output: string; readonly faults: readonly string[] }> {
  const fake = fakePorts();
  const ports: Ports = { ...nodePorts(), terminal: fake.terminal, writeError: fake.writeError, workingFolder: folder, ...changed };
  let code = 0;
  const program = new Command().exitOverride();
  addExploreCommand(program, ports, (exit) => (code = exit));
  try {
    await program.parseAsync(['explore', ...line.split(' ')], { from: 'user' });
    return { code, output: fake.output(), faults: [] };
  } catch (error) {
    return { code: 1, output: fake.output(), faults: faultsOf(error) ?? [String(error)] };
  }
}

/** A package whose only Action does what `body` says. */
async function packageWith(name: string, body: string): Promise<string> {
  const file = join(folder, `${name}.ts`);
  const text = `
import { done, proceduresFor } from '${engine}/index.ts';
import { ConfigMaps, crdFor, defineCatalog, definePackage, defineResource } from '${engine}/kubernetes/index.ts';
const Odds = defineResource({ apiVersion: 'odd.pawl.dev/v1', kind: 'Odd', plural: 'odds' });
const act = proceduresFor().defineAction({ name: 'Act', owns: { maps: ConfigMaps }, run: async ({ cluster }) => { ${body} } });
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

test('an Action that never gives back the thread is ended, and the run is named', async () => {
  const file = await packageWith('endless', 'for (;;);');
  const real = nodePorts().clock;
  const hasty = { ...real, setTimer: (ms: number, callback: () => void) => real.setTimer(Math.min(ms, 15_000), callback) };
  const { code, faults } = await explore(`--package ${file} --mode install`, { clock: hasty });
  expect([code, faults]).toEqual([1, ['an Action hangs, and the whole process with it, in: install by 1.0.0']]);
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
