// kubectl reads: tables, documents, descriptions, explanations, watches.
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Cluster } from './cluster.ts';
import { startCluster } from './cluster.ts';
import { configMap, deployment, widget, widgetDefinition } from './manifests.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

let cluster: Cluster;
beforeAll(async () => {
  cluster = await startCluster();
  await cluster.kubectl('apply -f -', { input: deployment() });
  await cluster.kubectl('rollout status deployment/web --timeout=20s');
});
afterAll(() => cluster.close());

/** The cells of a table, row by row. */
function cells(table: string): readonly (readonly string[])[] {
  return table
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/ {2,}/));
}

describe('kubectl get', () => {
  it('prints the table that the server makes', async () => {
    const [header, row] = cells(await cluster.kubectl('get deployments'));
    expect(header).toEqual(['NAME', 'READY', 'UP-TO-DATE', 'AVAILABLE', 'AGE']);
    expect(row?.slice(0, 4)).toEqual(['web', '2/2', '2', '2']);
  });

  it('knows short names, labels, selectors and all namespaces', async () => {
    expect(cells(await cluster.kubectl('get po -l app=web --no-headers'))).toHaveLength(2);
    expect(await cluster.kubectl('get po -l app=other', {})).toBe('');
    expect(cells(await cluster.kubectl('get rs --show-labels'))[1]?.join()).toContain('app=web,pod-template-hash=');
    expect(cells(await cluster.kubectl('get deploy -A'))[1]?.slice(0, 2)).toEqual(['default', 'web']);
  });

  it('prints several kinds, wide', async () => {
    const all = await cluster.kubectl('get all');
    expect(all).toMatch(/^deployment\.apps\/web/m);
    expect(all).toMatch(/^pod\/web-/m);
    expect((await cluster.kubectl('get deployment web -o wide')).split('\n')[1]).toContain('web:1');
  });

  it('prints documents', async () => {
    const yaml = await cluster.kubectl('get deployment web -o yaml');
    expect(yaml).toMatch(/^kind: Deployment$/m);
    expect(yaml).not.toContain('managedFields');
    expect(await cluster.kubectl('get deployment web -o yaml --show-managed-fields')).toContain('managedFields');
    expect(await cluster.kubectl("get deployment web -o jsonpath='{.spec.replicas}'")).toBe('2');
    const { items } = JSON.parse(await cluster.kubectl('get pods -o json')) as { items: readonly { kind: string }[] };
    expect(items.map(({ kind }) => kind)).toEqual(['Pod', 'Pod']);
  });

  it('says what is not there', async () => {
    const { code, stderr } = await cluster.tryKubectl('get deployment nobody');
    expect([code, stderr.trim()]).toEqual([1, 'Error from server (NotFound): deployments.apps "nobody" not found']);
    expect((await cluster.tryKubectl('get gizmos')).stderr).toContain(
      `the server doesn't have a resource type "gizmos"`,
    );
  });

  it('reads in pages', async () => {
    for (const name of ['p1', 'p2', 'p3']) await cluster.kubectl('create -f -', { input: configMap(name, {}) });
    expect(cells(await cluster.kubectl('get cm --chunk-size=1 --no-headers')).map(([name]) => name)).toEqual(
      expect.arrayContaining(['p1', 'p2', 'p3']),
    );
  });

  it('follows changes', async () => {
    const watching = cluster.startKubectl('get configmap -w --output-watch-events --field-selector=metadata.name=seen');
    await cluster.kubectl('create -f -', { input: configMap('seen', { a: '1' }) });
    await watching.seen('ADDED');
    await cluster.kubectl('delete configmap seen');
    await watching.seen('DELETED');
    watching.process.kill('SIGINT');
    await watching.ended;
  });
});

describe('kubectl describe', () => {
  it('tells of a Deployment and its ReplicaSets', async () => {
    const text = await cluster.kubectl('describe deployment web');
    expect(text).toMatch(/Replicas:\s+2 desired \| 2 updated \| 2 total \| 2 available \| 0 unavailable/);
    expect(text).toMatch(/NewReplicaSet:\s+web-\w+ \(2\/2 replicas created\)/);
  });

  it('tells of a pod and of a custom object', async () => {
    expect(await cluster.kubectl('describe pods -l app=web')).toMatch(/Controlled By:\s+ReplicaSet\/web-/);
    await cluster.kubectl('apply -f -', { input: widgetDefinition });
    await cluster.kubectl('wait --for=condition=Established crd/widgets.bench.dev --timeout=20s');
    await cluster.kubectl('apply -f -', { input: widget('w', 3) });
    expect(await cluster.kubectl('describe widget w')).toMatch(/Size:\s+3/);
  });
});

describe('a custom kind', () => {
  it('has its own columns, short name and scale', async () => {
    expect(cells(await cluster.kubectl('get wd'))).toEqual([
      ['NAME', 'SIZE'],
      ['w', '3'],
    ]);
    await cluster.kubectl('scale widget/w --replicas=5');
    expect(await cluster.kubectl("get wd w -o jsonpath='{.spec.size}'")).toBe('5');
  });

  it('is explained', async () => {
    expect(await cluster.kubectl('explain widget.spec.size')).toMatch(/FIELD: size <integer>[\s\S]*How large it is\./);
  });
});

describe('discovery', () => {
  it('lists what is served', async () => {
    const resources = await cluster.kubectl('api-resources');
    expect(resources).toMatch(/^deployments +deploy +apps\/v1 +true +Deployment$/m);
    expect(await cluster.kubectl('api-versions')).toContain('apps/v1');
  });

  it('tells the version, and what a user may do', async () => {
    expect(await cluster.kubectl('version')).toMatch(/Server Version: v1\.35/);
    expect((await cluster.kubectl('auth can-i create deployments')).trim()).toBe('yes');
  });

  it('explains built-in fields', async () => {
    expect(await cluster.kubectl('explain deployment.spec.replicas')).toMatch(/FIELD: replicas <integer>/);
  });
});
