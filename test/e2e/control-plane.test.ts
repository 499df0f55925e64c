// The example on a real kube-apiserver with its own controllers: install, idle, upgrade, refusal, deletion.
import { startActors, type Actors } from '@pawl/kube-api';
import { KubeClient, systemClock, systemRandom, type Transport } from '@pawl/operator';
import release2 from '@pawl/example-website';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { connect, type Connection } from '../control-plane/connect.ts';
import { hasControlPlane } from '../control-plane/has-control-plane.ts';
import { startControlPlane, type ControlPlane } from '../control-plane/start.ts';
import { OperatorChild, RELEASE_1, RELEASE_2 } from './operator-child.ts';

type Json = Readonly<Record<string, unknown>>;
const WEBSITES = { apiVersion: 'example.pawl.dev/v1alpha1', kind: 'Website' };
const NAME = { name: 'hello', namespace: 'default' };
const sample = parse(readFileSync(new URL('../../examples/website/website.yaml', import.meta.url), 'utf8')) as Json;

describe.runIf(hasControlPlane('the example on a real control plane'))('on a real control plane', () => {
  let plane: ControlPlane;
  let connection: Connection;
  let pods: Actors;
  let client: KubeClient;
  let operator: OperatorChild | undefined;

  beforeAll(async () => {
    plane = await startControlPlane();
    connection = connect(plane.url, plane.admin);
    const transport: Transport = connection;
    client = new KubeClient({ transport, clock: systemClock, random: systemRandom, userAgent: 'test' });
    pods = startActors(transport, { clock: systemClock, only: ['pod'], podReadyAfterMs: 100 });
    for (const crd of release2.crds)
      await client.create({ apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition' }, crd as Json);
  }, 180_000);

  afterAll(async () => {
    await operator?.kill();
    await pods?.stop();
    await connection?.close();
    await plane?.stop();
  }, 60_000);

  const start = async (module: string): Promise<void> => {
    operator = new OperatorChild(module, ['--kubeconfig', plane.kubeconfig]);
    await operator.working();
  };
  const until = async (what: string, isSo: () => Promise<boolean>): Promise<void> => {
    for (const deadline = Date.now() + 60_000; !(await isSo()); await new Promise((resolve) => setTimeout(resolve, 100)))
      if (Date.now() > deadline)
        throw new Error(`not in time: ${what}\n${JSON.stringify(await client.find(WEBSITES, NAME))}\n${operator?.output ?? ''}`);
  };
  const statusOf = async (): Promise<Json> => {
    const website = (await client.find(WEBSITES, NAME)) as { readonly status?: Json } | undefined;
    return website?.status ?? {};
  };
  const isAt = (version: string) => async (): Promise<boolean> => {
    const { procedure, conditions } = (await statusOf()) as {
      readonly procedure?: Json;
      readonly conditions?: readonly Json[];
    };
    const isReady = conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') === true;
    return isReady && procedure?.['version'] === version && procedure['phase'] === 'Steady';
  };
  const names = async (apiVersion: string, kind: string): Promise<readonly string[]> => {
    const labelSelector = 'procedures.pawl.dev/owner';
    return (await client.list({ apiVersion, kind }, { namespace: 'default', labelSelector })).items.map(
      ({ metadata }) => metadata.name,
    );
  };
  const versions = async (): Promise<readonly string[]> => {
    const owned = [['v1', 'ConfigMap'], ['apps/v1', 'Deployment'], ['v1', 'Service']] as const;
    const lists = await Promise.all(
      owned.map(([apiVersion, kind]) => client.list({ apiVersion, kind }, { namespace: 'default', labelSelector: 'procedures.pawl.dev/owner' })),
    );
    const website = await client.get(WEBSITES, NAME);
    return [website, ...lists.flatMap(({ items }) => items)].map(
      ({ kind, metadata }) => `${kind} ${metadata.name} ${metadata.resourceVersion}`,
    );
  };

  test('the sample is installed and becomes Ready at 1.0.0', async () => {
    await start(RELEASE_1);
    await client.create(WEBSITES, sample);
    await until('Ready at 1.0.0', isAt('1.0.0'));
    expect(await names('v1', 'ConfigMap')).toEqual(['hello-content']);
  }, 90_000);

  test('then nothing is written any more, by a restarted operator neither', async () => {
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    const before = await versions();
    await operator?.stop();
    await start(RELEASE_1);
    await new Promise((resolve) => setTimeout(resolve, 4_000));
    expect(await versions()).toEqual(before);
  }, 30_000);

  test('a foreign change of an owned field is undone', async () => {
    await client.mergePatch({ apiVersion: 'v1', kind: 'ConfigMap' }, { name: 'hello-content', namespace: 'default' }, {
      data: { 'index.html': 'vandal' },
    });
    await until('the page is back', async () => {
      const found = await client.find({ apiVersion: 'v1', kind: 'ConfigMap' }, { name: 'hello-content', namespace: 'default' });
      return (found as { data?: Json } | undefined)?.data?.['index.html'] !== 'vandal';
    });
  }, 90_000);

  test('the second release upgrades it in place and prunes what it left', async () => {
    const before = await client.get({ apiVersion: 'apps/v1', kind: 'Deployment' }, NAME);
    expect(await operator?.stop()).toBe('exit code 0');
    await start(RELEASE_2);
    await until('Ready at 2.0.0', isAt('2.0.0'));
    const after = await client.get({ apiVersion: 'apps/v1', kind: 'Deployment' }, NAME);
    expect(after.metadata.uid).toBe(before.metadata.uid);
    expect(await names('v1', 'ConfigMap')).toEqual([expect.stringMatching(/^hello-content-[0-9a-f]{8}$/)]);
  }, 90_000);

  test('the first release then leaves it alone and says what to deploy', async () => {
    await operator?.stop();
    await start(RELEASE_1);
    await until('it is blocked', async () => ((await statusOf())['procedure'] as Json)['phase'] === 'Blocked');
    const owned = (await versions()).slice(1);
    await new Promise((resolve) => setTimeout(resolve, 2_000));
    expect((await versions()).slice(1)).toEqual(owned);
    expect(String(((await statusOf())['procedure'] as Json)['summary'])).toContain('2.0.0');
  }, 90_000);

  test('an invalid website is refused with the field named', async () => {
    const invalid = { ...sample, metadata: { name: 'bad', namespace: 'default' }, spec: { replicas: -1 } };
    await expect(client.create(WEBSITES, invalid)).rejects.toMatchObject({
      code: 422,
      causes: expect.arrayContaining(['spec.replicas']) as unknown,
    });
  });

  test('a deleted website takes its objects with it', async () => {
    await operator?.stop();
    await start(RELEASE_2);
    await client.remove(WEBSITES, NAME);
    await until('it is gone', async () => (await client.find(WEBSITES, NAME)) === undefined);
    expect(await names('v1', 'ConfigMap')).toEqual([]);
    expect(await names('apps/v1', 'Deployment')).toEqual([]);
  }, 90_000);
});
