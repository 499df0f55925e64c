// A spot check of the simulation: the same plans on a real kube-apiserver, behind the fault-injecting proxy, by operator
// processes that are really killed. Both must agree, and a planted mistake must be found there too.
import website from '@pawl/example-website';
import { simulatePlans, type Fault, type Plan, type RequestFailure } from '@pawl/testkit';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connect, type Connection } from '../control-plane/connect.ts';
import { hasControlPlane } from '../control-plane/has-control-plane.ts';
import { startControlPlane, type ControlPlane } from '../control-plane/start.ts';
import { RELEASE_2 } from '../e2e/operator-child.ts';
import { PawlProcess } from '../e2e/pawl-process.ts';

const PLANTED = fileURLToPath(new URL('./second-object.ts', import.meta.url));

const install = (...faults: readonly Fault[]): Plan => ({ kind: 'Website', deed: { does: 'create' }, turns: [{ release: { upTo: '2.0.0' } }], faults, seed: 1 });
const upgrade = (...faults: readonly Fault[]): Plan => ({ ...install(...faults), start: '1.0.0', deed: { does: 'nothing' } });
const killed = (write: number, moment: 'before' | 'after'): Fault => ({ kind: 'crash', process: 1, write, moment });

/** The plans in which the write of the page fails: which request that is, only the simulation knows. */
async function atPage(failures: readonly RequestFailure[]): Promise<readonly Plan[]> {
  const failing = (request: number, failure: RequestFailure): Plan => install({ kind: 'request', process: 1, request, failure });
  const tried = await simulatePlans(website, Array.from({ length: 20 }, (_, index) => failing(index + 1, '500-after')), {});
  const at = tried.findIndex(({ aims: [aim] }) => aim?.at.startsWith('PATCH') === true && aim.at.includes('/configmaps/'));
  expect(at).toBeGreaterThan(0);
  return failures.map((failure) => failing(at + 1, failure));
}

interface Namespace {
  readonly metadata: { readonly name: string };
  readonly status: { readonly phase: string };
}

describe.runIf(hasControlPlane('exploring on a real control plane'))('on a real control plane', () => {
  let plane: ControlPlane;
  let connection: Connection;
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'pawl-explore-real-'));
    plane = await startControlPlane();
    connection = connect(plane.url, plane.admin);
  }, 180_000);

  afterAll(async () => {
    await connection?.close();
    await plane?.stop();
    await rm(folder, { recursive: true, force: true });
  }, 60_000);

  /** `pawl explore`, as a person types it for a cluster that may be thrown away. */
  async function explore(module: string, plans: readonly Plan[]): Promise<{ readonly end: string; readonly output: string }> {
    const file = join(folder, `${plans[0]?.kind ?? 'no'}-plans.json`);
    await writeFile(file, JSON.stringify(plans));
    const where = ['--target', 'cluster', '--kubeconfig', plane.kubeconfig, '--yes'];
    const pawl = new PawlProcess(['explore', '--package', module, ...where, '--replay', file, '--save', folder]);
    return { end: await pawl.ended, output: pawl.output };
  }

  const names = async (path: string): Promise<readonly string[]> => {
    const { body } = await connection.request({ method: 'GET', path });
    return (body as { readonly items: readonly { readonly metadata: { readonly name: string } }[] }).items.map(({ metadata }) => metadata.name);
  };

  // Most of the time is spent waiting for operators, so that both can run at once.
  test.concurrent('kills, failed requests and a lost watch end there as they do in the simulation', async () => {
    const plans = [
      install(killed(3, 'before')),
      install(killed(4, 'after')),
      upgrade(killed(4, 'after')),
      install({ kind: 'watch', process: 1, event: 3, failure: 'drop' }),
      ...(await atPage(['500-after', 'conflict'])),
    ];
    const { end, output } = await explore(RELEASE_2, plans);
    expect(output).toMatch(/website on a real server \(v1\.\d+\.\d+.*\): nothing found in 6 plans, .* 3 kills, 6 faults\n/);
    expect(output.match(/^ {2}✓ /gm)).toHaveLength(6);
    expect(output).not.toContain('not run');
    expect(end).toBe('exit code 0');
  }, 300_000);

  test.concurrent('a planted mistake is found there too, and nothing that the simulation does not know', async () => {
    const { end, output } = await explore(PLANTED, [{ ...install(killed(4, 'before')), kind: 'Thing', turns: [{ release: { upTo: '1.0.0' } }] }]);
    expect(output).toMatch(/ {2}ends like a fresh install: ConfigMap pawl-explore-[0-9a-f]+\/ssl-internal is missing\n/);
    expect(output).not.toContain('differs from the simulation');
    expect(output).toContain('cases on a real server');
    expect(end).toBe('exit code 1');
  }, 300_000);

  test('nothing stays behind', async () => {
    expect(await names('/apis/apiextensions.k8s.io/v1/customresourcedefinitions')).toEqual([]);
    expect(await names('/api/v1/configmaps?labelSelector=procedures.pawl.dev%2Fowner')).toEqual([]);
    // The namespaces themselves go as soon as the cluster has looked through all kinds.
    const namespaces = (await connection.request({ method: 'GET', path: '/api/v1/namespaces' })).body as { readonly items: readonly Namespace[] };
    expect(namespaces.items.filter(({ metadata, status }) => metadata.name.startsWith('pawl-explore') && status.phase === 'Active')).toEqual([]);
  });
});
