// The generated manifests on a real kube-apiserver: it accepts them, and their permissions are enough for everything that
// the operator of the example does, with the admission plugin that guards owner references switched on.
import { startActors, type Actors } from '@pawl/kube-api';
import { KubeClient, systemClock, systemRandom } from '@pawl/operator';
import { readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { connect, type Connection } from '../control-plane/connect.ts';
import { hasControlPlane } from '../control-plane/has-control-plane.ts';
import { startControlPlane, type ControlPlane } from '../control-plane/start.ts';
import { OperatorChild, RELEASE_1, RELEASE_2 } from '../e2e/operator-child.ts';
import { start, succeed } from '../kubectl/run.ts';
import { tools } from '../kubectl/tools.ts';
import { generate, NAMESPACE, objectsIn } from './generate.ts';

type Json = Readonly<Record<string, unknown>>;
const WEBSITES = { apiVersion: 'example.pawl.dev/v1alpha1', kind: 'Website' };
const CONFIG_MAPS = { apiVersion: 'v1', kind: 'ConfigMap' };
const NAME = { name: 'hello', namespace: 'default' };
const sample = parse(readFileSync(new URL('../../examples/website/website.yaml', import.meta.url), 'utf8')) as Json;

describe.runIf(hasControlPlane('the manifests on a real control plane'))('on a real control plane', () => {
  let plane: ControlPlane;
  let connection: Connection;
  let pods: Actors;
  let client: KubeClient;
  let folder: string;
  let kubectl: string;
  let operator: OperatorChild | undefined;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'pawl-manifests-'));
    ({ kubectl } = await tools());
    plane = await startControlPlane({ apiServerFlags: ['--enable-admission-plugins=OwnerReferencesPermissionEnforcement'] });
    connection = connect(plane.url, plane.admin);
    client = new KubeClient({ transport: connection, clock: systemClock, random: systemRandom, userAgent: 'test' });
    pods = startActors(connection, { clock: systemClock, only: ['pod'], podReadyAfterMs: 100 });
    await client.create({ apiVersion: 'v1', kind: 'Namespace' }, { metadata: { name: NAMESPACE } });
  }, 180_000);

  afterAll(async () => {
    await operator?.kill();
    await pods?.stop();
    await connection?.close();
    await plane?.stop();
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  }, 60_000);

  const options = (input: string) => ({ folder, input, env: { KUBECONFIG: plane.kubeconfig } });
  const until = async (what: string, isSo: () => Promise<boolean>): Promise<void> => {
    for (const deadline = Date.now() + 60_000; !(await isSo()); await new Promise((resolve) => setTimeout(resolve, 100)))
      if (Date.now() > deadline)
        throw new Error(`not in time: ${what}\n${JSON.stringify(await client.find(WEBSITES, NAME))}\n${operator?.output ?? ''}`);
  };
  const isAt = (version: string) => async (): Promise<boolean> => {
    const { status } = (await client.find(WEBSITES, NAME)) as { readonly status?: { readonly procedure?: Json } };
    return status?.procedure?.['version'] === version && status.procedure['phase'] === 'Steady';
  };

  /** A kubeconfig of the operator's own account, as its pod would have it. */
  const accountConfig = async (): Promise<string> => {
    const path = `/api/v1/namespaces/${NAMESPACE}/serviceaccounts/website/token`;
    const body = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: { expirationSeconds: 3_600 } };
    const { status } = (await client.raw({ method: 'POST', path, body })) as { readonly status: { readonly token: string } };
    const admin = parse(await readFile(plane.kubeconfig, 'utf8')) as Json;
    const file = join(folder, 'account.kubeconfig');
    await writeFile(file, stringify({ ...admin, users: [{ name: 'admin', user: { token: status.token } }] }), { mode: 0o600 });
    return file;
  };
  const run = async (release: string): Promise<void> => {
    operator = new OperatorChild(release, ['--kubeconfig', await accountConfig(), '--lease-namespace', NAMESPACE]);
    await operator.working();
  };

  test('kubectl apply --dry-run=server accepts everything but the kinds of the Prometheus operator, which are not here', async () => {
    const { stdout, stderr } = await start(kubectl, 'apply --dry-run=server -f -', options(await generate('--monitoring'))).ended;
    const accepted = stdout.trim().split('\n').map((line) => line.split(' ')[0]);
    expect(accepted).toEqual([
      `namespace/${NAMESPACE}`,
      'customresourcedefinition.apiextensions.k8s.io/websites.example.pawl.dev',
      'serviceaccount/website',
      `clusterrole.rbac.authorization.k8s.io/${NAMESPACE}-website`,
      `clusterrolebinding.rbac.authorization.k8s.io/${NAMESPACE}-website`,
      'role.rbac.authorization.k8s.io/website',
      'rolebinding.rbac.authorization.k8s.io/website',
      'deployment.apps/website',
      'poddisruptionbudget.policy/website',
      'service/website-metrics',
      'configmap/website-dashboard',
    ]);
    const faults = stderr.split('\n').filter((line) => /error|no matches/i.test(line));
    expect(faults.filter((line) => !/no matches for kind "(ServiceMonitor|PrometheusRule)"/.test(line))).toEqual([]);
  }, 60_000);

  test('the pods meet the restricted standard for pods', async () => {
    const labels = { 'pod-security.kubernetes.io/enforce': 'restricted' };
    await client.mergePatch({ apiVersion: 'v1', kind: 'Namespace' }, { name: NAMESPACE }, { metadata: { labels } });
    const [deployment] = objectsIn(await generate('--only', 'deployment'));
    const { template } = (deployment?.['spec'] ?? {}) as { readonly template: { readonly metadata: Json; readonly spec: Json } };
    const pod = { ...template, metadata: { name: 'probe', namespace: NAMESPACE }, spec: { ...template.spec, serviceAccountName: 'default' } };
    await expect(client.create({ apiVersion: 'v1', kind: 'Pod' }, pod, { dryRun: true })).resolves.toBeDefined();
    const plain = { metadata: pod.metadata, spec: { containers: [{ name: 'x', image: 'x' }] } };
    await expect(client.create({ apiVersion: 'v1', kind: 'Pod' }, plain, { dryRun: true })).rejects.toThrow(/restricted/);
  }, 30_000);

  test('an operator with exactly these permissions installs the website', async () => {
    await succeed(kubectl, 'apply -f -', options(await generate('--only', 'crds')));
    await succeed(kubectl, 'apply -f -', options(await generate('--only', 'rbac')));
    await until('the kind is served', () => client.discovery.serves(WEBSITES));
    await run(RELEASE_1);
    await client.create(WEBSITES, sample);
    await until('Steady at 1.0.0', isAt('1.0.0'));
  }, 120_000);

  test('undoes a foreign change', async () => {
    const page = { name: 'hello-content', namespace: 'default' };
    await client.mergePatch(CONFIG_MAPS, page, { data: { 'index.html': 'vandal' } });
    await until('the page is back', async () => {
      const found = (await client.find(CONFIG_MAPS, page)) as { readonly data?: Json } | undefined;
      return found !== undefined && found.data?.['index.html'] !== 'vandal';
    });
  }, 90_000);

  test('hands its Lease to the next release, which upgrades, prunes and tells of it by Events', async () => {
    expect(await operator?.stop()).toBe('exit code 0');
    await run(RELEASE_2);
    await until('Steady at 2.0.0', isAt('2.0.0'));
    const labelSelector = 'procedures.pawl.dev/owner';
    const { items } = await client.list(CONFIG_MAPS, { namespace: 'default', labelSelector });
    expect(items.map(({ metadata }) => metadata.name)).toEqual([expect.stringMatching(/^hello-content-[0-9a-f]{8}$/)]);
    await until('an Event tells of it', async () => {
      const events = await client.list({ apiVersion: 'events.k8s.io/v1', kind: 'Event' }, { namespace: 'default' });
      return events.items.some((event) => (event as unknown as Json)['reason'] === 'UpgradeCompleted');
    });
  }, 120_000);

  test('and takes it down', async () => {
    await client.remove(WEBSITES, NAME);
    await until('it is gone', async () => (await client.find(WEBSITES, NAME)) === undefined);
    const { items } = await client.list({ apiVersion: 'apps/v1', kind: 'Deployment' }, { namespace: 'default' });
    expect(items.filter(({ metadata }) => metadata.name === 'hello')).toEqual([]);
    expect(operator?.output).not.toContain('forbidden');
    expect(await operator?.stop()).toBe('exit code 0');
  }, 90_000);
});
