// The operating verbs on a cluster that really runs the example: what a person types and what he reads.
import { createApiServer, startActors, type Actors, type ApiServer, type Listening } from '@pawl/kube-api';
import { createOperator, operatorConfig, systemClock, systemRandom, type Operator } from '@pawl/operator';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { nodePorts } from '../node-ports.ts';
import { runProgram } from '../program.ts';
import { fakePorts } from '../testing/fake-ports.ts';

const folder = fileURLToPath(new URL('../../../../examples/website', import.meta.url));
const sample = readFileSync(`${folder}/website.yaml`, 'utf8');
const sites = '/apis/example.pawl.dev/v1alpha1/namespaces/default/websites';
const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

let server: ApiServer;
let listening: Listening;
let actors: Actors;
let operator: Operator;

beforeAll(async () => {
  server = createApiServer();
  listening = await server.listen();
  actors = startActors(server, { clock: systemClock });
  const { default: release1 } = (await import(`${folder}/src/release-1.ts`)) as { default: Parameters<typeof createOperator>[1][number] };
  const crds = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
  for (const crd of release1.crds)
    await server.request({ method: 'POST', path: crds, body: { apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition', ...crd } });
  await server.request({ method: 'POST', path: sites, body: parse(sample) as unknown });
  const config = operatorConfig({ operatorName: 'website', settleMs: 0 });
  operator = createOperator(config, [release1], { transport: server, clock: systemClock, random: systemRandom, log: silent });
  await operator.start();
  const isReady = async (): Promise<boolean> => {
    const { body } = await server.request({ method: 'GET', path: `${sites}/hello` });
    const { status } = body as { status?: { procedure?: { version?: string; phase?: string } } };
    return status?.procedure?.version === '1.0.0' && status.procedure.phase === 'Steady';
  };
  while (!(await isReady())) await new Promise((resolve) => setTimeout(resolve, 20));
}, 30_000);

afterAll(async () => {
  await operator.stop();
  await actors.stop();
  server.close();
});

async function pawl(line: string): Promise<{ readonly code: number; readonly output: string; readonly errors: string }> {
  const fake = fakePorts();
  const ports = { ...nodePorts(), terminal: fake.terminal, writeError: fake.writeError, workingFolder: folder };
  const connection = line.startsWith('graph') ? [] : ['--server', listening.url];
  const args = [...line.split(' '), '--package', './src/index.ts', ...connection];
  const code = await runProgram(args, ports, 0);
  return { code, output: fake.output(), errors: fake.errors() };
}

test('explain says what is recorded, what would be decided and which versions may act', async () => {
  const { code, output } = await pawl('explain website/hello');
  expect(code).toBe(0);
  expect(output).toContain('recorded   1.0.0 complete');
  expect(output).toContain('decision   Upgrade with 2.0.0');
  expect(output).toMatch(/2\.0\.0 +may act/);
});

test('plan shows the change of version field by field and ends with 2', async () => {
  const { code, output } = await pawl('plan website/hello');
  expect(code).toBe(2);
  expect(output).toContain('Website default/hello: 1.0.0 -> 2.0.0');
  expect(output).toContain('+ ConfigMap default/hello-content-');
  expect(output).toContain('- ConfigMap default/hello-content  (pruning)');
  expect(output).toContain('restarts its pods');
});

test('plan of what is there is empty and ends with 0', async () => {
  expect(await pawl('plan website/hello --to 1.0.0')).toMatchObject({ code: 0, output: expect.stringContaining('nothing to do') as unknown });
});

test('plan of a manifest shows an install; nothing is created', async () => {
  const before = server.resourceVersion();
  const { code, output } = await pawl('plan -f website.yaml');
  expect(code).toBe(2);
  expect(output).toContain('1.0.0 -> 2.0.0');
  expect(server.resourceVersion()).toBe(before);
});

test('versions counts objects; can-drop names what a version is needed for', async () => {
  expect((await pawl('versions')).output).toMatch(/Website +1\.0\.0 +1 +0 +yes/);
  expect(await pawl('can-drop 1.0.0')).toMatchObject({ code: 0 });
  expect(await pawl('can-drop 7.0.0')).toMatchObject({ code: 1, errors: expect.stringContaining('1.0.0') as unknown });
});

test('graph draws prerequisites, in both notations', async () => {
  expect((await pawl('graph')).output).toContain('ContentStored -->|content| PodsReady');
  expect((await pawl('graph --format dot')).output).toContain('"ContentStored" -> "PodsReady"');
  expect(await pawl('graph --format svg')).toMatchObject({ code: 1, errors: expect.stringContaining('mermaid, dot') as unknown });
});

test('a request that is useless is refused with the reason; a bulk one needs a yes', async () => {
  expect((await pawl('rollback website/hello --to 0.9.0')).errors).toContain('is not in these packages');
  expect((await pawl('rollback website/hello --to 1.0.0')).errors).toContain('nothing to go back from');
  expect((await pawl('retry website --all')).errors).toContain('--yes');
  expect((await pawl('retry website --all --dry-run')).output).toContain('would be asked');
});

test('pause and resume change the object, once', async () => {
  expect((await pawl('pause website/hello')).code).toBe(0);
  expect((await pawl('pause website/hello')).errors).toContain('paused already');
  expect((await pawl('explain website/hello')).output).toContain('Paused');
  expect((await pawl('resume website/hello')).code).toBe(0);
});

test('an object or kind that is not there is named, with what there is', async () => {
  expect((await pawl('explain website/nix')).errors).toContain('is not in namespace default');
  expect((await pawl('explain pod/x')).errors).toContain('the kinds of these packages are Website');
});
