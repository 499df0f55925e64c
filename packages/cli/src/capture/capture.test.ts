// `pawl capture` on a cluster that really runs the example: what it writes, what it refuses, and exploring from there.
import { createApiServer, startActors, type Actors, type ApiServer, type Listening } from '@pawl/kube-api';
import { createOperator, loadPackages, operatorConfig, systemClock, systemRandom, type Operator } from '@pawl/operator';
import { explorationText, exploreCatalog, parseStartState, type StartState } from '@pawl/testkit';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { nodePorts } from '../node-ports.ts';
import { runProgram } from '../program.ts';
import { fakePorts } from '../testing/fake-ports.ts';

const folder = fileURLToPath(new URL('../../../../examples/website', import.meta.url));
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
  const [release1] = await loadPackages(['./src/release-1.ts'], folder);
  if (release1 === undefined) throw new Error('no package');
  const post = (path: string, body: unknown) => server.request({ method: 'POST', path, body });
  for (const crd of release1.crds)
    await post('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', { apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition', ...crd });
  await post('/api/v1/namespaces/default/secrets', { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'door' }, stringData: { key: 'planted-key' } });
  await post(sites, parse(readFileSync(`${folder}/website.yaml`, 'utf8')) as unknown);
  operator = createOperator(operatorConfig({ operatorName: 'website', settleMs: 0 }), [release1], { transport: server, clock: systemClock, random: systemRandom, log: silent });
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

async function pawl(line: string): Promise<{ readonly code: number; readonly output: string; readonly errors: string; readonly files: ReadonlyMap<string, string> }> {
  const fake = fakePorts();
  const real = nodePorts();
  const files = new Map<string, string>();
  const write = (path: string, text: string): Promise<void> => Promise.resolve(void files.set(path, text));
  const ports = { ...real, files: { ...real.files, write }, terminal: fake.terminal, writeError: fake.writeError, workingFolder: folder };
  const code = await runProgram([...line.split(' '), '--package', './src/index.ts', '--server', listening.url], ports, 0);
  return { code, output: fake.output(), errors: fake.errors(), files };
}

const stateOf = (text: string): StartState => parseStartState(parse(text), 'captured.yaml');

test('the object is written with its status and everything that belongs to it', async () => {
  const { code, output } = await pawl('capture website/hello');
  expect(code).toBe(0);
  const { package: of, takenAt, objects } = stateOf(output);
  expect([of, Date.parse(takenAt) > Date.UTC(2026, 0, 1)]).toEqual(['website', true]);
  expect(objects.map(({ kind, metadata }) => `${kind} ${metadata.name}`)).toEqual([
    'Website hello',
    'Deployment hello',
    'ConfigMap hello-content',
    'Service hello',
    'Namespace default',
  ]);
  const [site, , content] = objects as readonly (StartState['objects'][number] & { readonly status?: object; readonly metadata: { readonly uid?: string; readonly managedFields?: readonly object[] } })[];
  expect(site?.status).toMatchObject({ procedure: { version: '1.0.0', record: { version: '1.0.0' } } });
  expect(site?.metadata.finalizers).toEqual(['procedures.pawl.dev/teardown']);
  expect(content?.metadata.ownerReferences?.[0]?.uid).toBe(site?.metadata.uid);
  expect(content?.metadata.managedFields?.length).toBeGreaterThan(0);
});

test('the next release takes over from what was written, killed at every write', async () => {
  const { files } = await pawl('capture website/hello -o hello.json');
  const [text = ''] = files.values();
  const [release2] = await loadPackages(['./src/index.ts'], folder);
  if (release2 === undefined) throw new Error('no package');
  const result = await exploreCatalog(release2, { from: parseStartState(JSON.parse(text), 'hello.json'), budgetMs: 30_000 });
  expect(result.failures, explorationText(result)).toEqual([]);
  const edges = new Map(result.coverage.map(({ mode, edge, crashPoints }) => [`${mode} ${edge}`, crashPoints]));
  expect(edges.get('recorded hello.json → 2.0.0')).toBeGreaterThan(10);
  expect(edges.get('recorded hello.json → 2.0.0, and back to 1.0.0')).toBeGreaterThan(10);
  expect(edges.get('recorded hello.json → 2.0.0, then deleted')).toBeGreaterThan(2);
}, 60_000);

test('a Secret is written with placeholders, or not at all', async () => {
  const refused = await pawl('capture website/hello --with secret/door -o hello.yaml');
  expect(refused).toMatchObject({ code: 1, errors: expect.stringContaining('Secret default/door is among the objects') as unknown });
  expect(refused.errors).toContain('--redact');
  expect(refused.files.size).toBe(0);
  const { code, output, files } = await pawl('capture website/hello --with secret/door --redact -o hello.yaml');
  const [text = ''] = files.values();
  expect(code).toBe(0);
  expect(output).toContain('hello.yaml holds 6 objects');
  expect(text).not.toContain('planted-key');
  expect(text).not.toContain(Buffer.from('planted-key').toString('base64'));
  expect(stateOf(text).redacted).toEqual(['default/door']);
});

test('what is not there, or not understood, is named', async () => {
  const { errors } = await pawl('capture website/hello --with Secret/none --with nonsense');
  expect(errors).toContain('--with: found nonsense; allowed is [APIVERSION/]KIND/NAME[@NAMESPACE]');
  expect((await pawl('capture website/hello --with Secret/none')).errors).toContain('found Secret/none, which is not in namespace default');
  expect((await pawl('capture website/hello --with Widget/none')).errors).toContain('found Widget/none, a kind that neither');
  expect((await pawl('capture website/nix')).errors).toContain('is not in namespace default');
});
