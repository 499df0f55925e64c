// A state of a real cluster: what a real kube-apiserver holds of the example is captured by the command, and the next
// release is explored from there.
import { nodePorts, runProgram } from '@pawl/cli';
import website from '@pawl/example-website';
import { startActors, type Actors } from '@pawl/kube-api';
import { KubeClient, systemClock, systemRandom } from '@pawl/operator';
import { explorationText, exploreCatalog, parseStartState } from '@pawl/testkit';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { connect, type Connection } from '../control-plane/connect.ts';
import { hasControlPlane } from '../control-plane/has-control-plane.ts';
import { startControlPlane, type ControlPlane } from '../control-plane/start.ts';
import { OperatorChild, RELEASE_1 } from '../e2e/operator-child.ts';

type Json = Readonly<Record<string, unknown>>;
const WEBSITES = { apiVersion: 'example.pawl.dev/v1alpha1', kind: 'Website' };
const sample = parse(readFileSync(new URL('../../examples/website/website.yaml', import.meta.url), 'utf8')) as Json;

describe.runIf(hasControlPlane('a captured state'))('captured from a real control plane', () => {
  let plane: ControlPlane;
  let connection: Connection;
  let pods: Actors;
  let client: KubeClient;
  let operator: OperatorChild | undefined;

  beforeAll(async () => {
    plane = await startControlPlane();
    connection = connect(plane.url, plane.admin);
    client = new KubeClient({ transport: connection, clock: systemClock, random: systemRandom, userAgent: 'test' });
    pods = startActors(connection, { clock: systemClock, only: ['pod'], podReadyAfterMs: 100 });
    for (const crd of website.crds) await client.create({ apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition' }, crd as unknown as Json);
    await client.create({ apiVersion: 'v1', kind: 'Secret' }, { metadata: { name: 'door', namespace: 'default' }, stringData: { key: 'planted-key' } });
    operator = new OperatorChild(RELEASE_1, ['--kubeconfig', plane.kubeconfig]);
    await operator.working();
    await client.create(WEBSITES, sample);
    for (const deadline = Date.now() + 60_000; !(await isSteady()); await new Promise((resolve) => setTimeout(resolve, 100)))
      if (Date.now() > deadline) throw new Error(`not in time\n${operator.output}`);
    await operator.kill();
  }, 180_000);

  afterAll(async () => {
    await operator?.kill();
    await pods?.stop();
    await connection?.close();
    await plane?.stop();
  }, 60_000);

  const isSteady = async (): Promise<boolean> => {
    const { status } = (await client.get(WEBSITES, { name: 'hello', namespace: 'default' })) as { readonly status?: { readonly procedure?: { readonly phase?: string } } };
    return status?.procedure?.phase === 'Steady';
  };

  test('the next release takes over, killed at every write', async () => {
    let output = '';
    const real = nodePorts();
    const ports = { ...real, terminal: { ...real.terminal, write: (text: string) => void (output += text) }, workingFolder: new URL('../../examples/website', import.meta.url).pathname };
    const args = ['capture', 'website/hello', '--package', './src/index.ts', '--kubeconfig', plane.kubeconfig, '--with', 'Secret/door', '--redact'];
    expect(await runProgram(args, ports, 0)).toBe(0);
    expect(output).not.toContain('planted-key');
    expect(output).not.toContain(Buffer.from('planted-key').toString('base64'));
    const from = parseStartState(parse(output), 'captured');
    expect(from.objects.map(({ kind }) => kind).toSorted()).toEqual(['ConfigMap', 'Deployment', 'Namespace', 'Secret', 'Service', 'Website']);
    const result = await exploreCatalog(website, { from, budgetMs: 30_000 });
    expect(result.failures.length, explorationText(result)).toBe(0);
    const edges = new Map(result.coverage.map(({ edge, crashPoints }) => [edge, crashPoints]));
    expect(edges.get('captured → 2.0.0')).toBeGreaterThan(10);
    expect(edges.has('captured → 2.0.0, and back to 1.0.0')).toBe(true);
  }, 90_000);
});
