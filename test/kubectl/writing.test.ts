// kubectl writes: apply in both ways, diff, patch, edit, scale, rollouts, waits, deletions.
import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Cluster } from './cluster.ts';
import { startCluster } from './cluster.ts';
import { configMap, deployment, statefulSet, widget, widgetDefinition } from './manifests.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

let cluster: Cluster;
beforeAll(async () => {
  cluster = await startCluster({ podReadyAfterMs: 20 });
});
afterAll(() => cluster.close());

let count = 0;
let name: string;
beforeEach(() => {
  name = `m${++count}`;
});

const data = (map: string): Promise<string> => cluster.kubectl(`get configmap ${map} -o jsonpath='{.data}'`);

describe('kubectl create', () => {
  it.each([
    ['deployment', 'made', '--image=web:1 --replicas=2 --port=80'],
    ['configmap', 'made', '--from-literal=a=b'],
    ['secret generic', 'made', '--from-literal=a=b'],
    ['serviceaccount', 'made', ''],
    ['service clusterip', 'made', '--tcp=80:8080'],
    ['job', 'made', '--image=task:1 -- run it'],
    ['cronjob', 'made-often', '--image=task:1 --schedule=@daily'],
    ['ingress', 'made', "--rule='example.org/shop*=made:80'"],
    ['role', 'made', '--verb=get --resource=pods'],
    ['rolebinding', 'made', '--role=made --user=me'],
    ['pdb', 'made', '--selector=app=made --min-available=50%'],
  ])('makes a %s named %s', async (kind, made, rest) => {
    expect(await cluster.kubectl(`create ${kind} ${made} ${rest}`)).toMatch(new RegExp(`/${made} created$`, 'm'));
    await cluster.kubectl(`delete ${kind.split(' ')[0]} ${made}`);
  });
});

describe('kubectl apply', () => {
  it('creates, leaves alone, and changes', async () => {
    const apply = (values: Record<string, string>): Promise<string> =>
      cluster.kubectl('apply -f -', { input: configMap(name, values) });
    expect(await apply({ a: '1', b: '2' })).toBe(`configmap/${name} created\n`);
    expect(await apply({ a: '1', b: '2' })).toBe(`configmap/${name} unchanged\n`);
    expect(await apply({ a: '3' })).toBe(`configmap/${name} configured\n`);
    expect(JSON.parse(await data(name))).toEqual({ a: '3' });
  });

  it('keeps what others have set', async () => {
    await cluster.kubectl('apply -f -', { input: configMap(name, { a: '1' }) });
    await cluster.kubectl(`patch configmap ${name} --type=merge -p '{"data":{"other":"x"}}'`);
    await cluster.kubectl('apply -f -', { input: configMap(name, { a: '2' }) });
    expect(JSON.parse(await data(name))).toEqual({ a: '2', other: 'x' });
  });

  it('on the server meets a conflict, and takes the field with --force-conflicts', async () => {
    await cluster.kubectl('apply --server-side --field-manager=first -f -', { input: configMap(name, { a: '1' }) });
    const refused = await cluster.tryKubectl('apply --server-side --field-manager=second -f -', {
      input: configMap(name, { a: '2' }),
    });
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain('conflict with "first": .data.a');
    await cluster.kubectl('apply --server-side --field-manager=second --force-conflicts -f -', {
      input: configMap(name, { a: '2' }),
    });
    expect(JSON.parse(await data(name))).toEqual({ a: '2' });
  });

  it('on the server removes what its manager no longer names', async () => {
    await cluster.kubectl('apply --server-side -f -', { input: configMap(name, { a: '1', b: '2' }) });
    await cluster.kubectl('apply --server-side -f -', { input: configMap(name, { a: '1' }) });
    expect(JSON.parse(await data(name))).toEqual({ a: '1' });
  });

  it('changes to the server-side way and takes the fields over', async () => {
    await cluster.kubectl('apply -f -', { input: configMap(name, { a: '1', b: '2' }) });
    await cluster.kubectl('apply --server-side -f -', { input: configMap(name, { a: '2' }) });
    expect(JSON.parse(await data(name))).toEqual({ a: '2' });
  });

  it('refuses unknown fields, naming them', async () => {
    const input = JSON.stringify({ ...(JSON.parse(deployment()) as object), bogus: true });
    const { code, stderr } = await cluster.tryKubectl('apply -f -', { input });
    expect([code, stderr]).toEqual([1, expect.stringContaining('unknown field "bogus"')]);
  });

  it('stores nothing in a dry run', async () => {
    expect(await cluster.kubectl('apply --dry-run=server -f -', { input: configMap(name, {}) })).toBe(
      `configmap/${name} created (server dry run)\n`,
    );
    expect((await cluster.tryKubectl(`get configmap ${name}`)).code).toBe(1);
  });
});

describe('kubectl diff', () => {
  it.each(['', '--server-side'])('%s shows what would change, and nothing when nothing would', async (way) => {
    await cluster.kubectl(`apply ${way} -f -`, { input: configMap(name, { a: '1' }) });
    const changed = await cluster.tryKubectl(`diff ${way} -f -`, { input: configMap(name, { a: '2' }) });
    expect([changed.code, changed.stderr]).toEqual([1, '']);
    expect(changed.stdout).toMatch(/^-\s+a: "1"\n\+\s+a: "2"$/m);
    expect(await cluster.kubectl(`diff ${way} -f -`, { input: configMap(name, { a: '1' }) })).toBe('');
  });
});

describe('kubectl patch and edit', () => {
  beforeEach(() => cluster.kubectl('apply -f -', { input: configMap(name, { a: '1' }) }));

  it('merges, and follows a JSON patch', async () => {
    await cluster.kubectl(`patch configmap ${name} --type=merge -p '{"data":{"a":null,"b":"2"}}'`);
    await cluster.kubectl(`patch configmap ${name} --type=json -p '[{"op":"add","path":"/data/c","value":"3"}]'`);
    expect(JSON.parse(await data(name))).toEqual({ b: '2', c: '3' });
  });

  it('merges lists by their keys', async () => {
    await cluster.kubectl('apply -f -', { input: deployment() });
    await cluster.kubectl(
      `patch deployment web -p '{"spec":{"template":{"spec":{"containers":[{"name":"side","image":"side:1"}]}}}}'`,
    );
    const names = await cluster.kubectl("get deployment web -o jsonpath='{.spec.template.spec.containers[*].name}'");
    expect(names.split(' ').toSorted()).toEqual(['main', 'side']);
    await cluster.kubectl('delete deployment web');
  });

  it('takes over what an editor leaves', async () => {
    const editor = join(cluster.folder, 'editor.sh');
    await writeFile(editor, '#!/bin/sh\nsed -i \'s/a: "1"/a: "9"/\' "$1"\n');
    await chmod(editor, 0o755);
    expect(await cluster.kubectl(`edit configmap ${name}`, { env: { KUBE_EDITOR: editor } })).toContain(
      `configmap/${name} edited`,
    );
    expect(JSON.parse(await data(name))).toEqual({ a: '9' });
  });

  it('replaces only the version that it knows', async () => {
    const old = await cluster.kubectl(`get configmap ${name} -o json`);
    await cluster.kubectl(`patch configmap ${name} --type=merge -p '{"data":{"b":"2"}}'`);
    expect((await cluster.tryKubectl('replace -f -', { input: old })).stderr).toContain('the object has been modified');
  });

  it('sets labels and annotations', async () => {
    await cluster.kubectl(`label configmap ${name} tier=front`);
    await cluster.kubectl(`annotate configmap ${name} note='by hand'`);
    expect(await cluster.kubectl('get configmap -l tier=front -o name')).toBe(`configmap/${name}\n`);
  });
});

describe('rollouts', () => {
  it('of a Deployment are followed, recorded and undone', async () => {
    await cluster.kubectl('apply -f -', { input: deployment('web:1', 3) });
    expect(await cluster.kubectl('rollout status deployment/web --timeout=20s')).toContain('successfully rolled out');
    await cluster.kubectl('set image deployment/web main=web:2');
    await cluster.kubectl('rollout status deployment/web --timeout=20s');
    expect(await cluster.kubectl('rollout history deployment/web')).toMatch(/^1\s.*\n2\s/m);
    await cluster.kubectl('rollout undo deployment/web');
    await cluster.kubectl('rollout status deployment/web --timeout=20s');
    expect(await cluster.kubectl("get pods -l app=web -o jsonpath='{.items[*].spec.containers[*].image}'")).toBe(
      'web:1 web:1 web:1',
    );
    await cluster.kubectl('rollout restart deployment/web');
    await cluster.kubectl('rollout status deployment/web --timeout=20s');
  });

  it('scale up and down', async () => {
    await cluster.kubectl('scale deployment/web --replicas=1');
    await cluster.kubectl("wait deployment/web --for=jsonpath='{.status.replicas}'=1 --timeout=20s");
    expect((await cluster.tryKubectl('scale deployment/web --current-replicas=7 --replicas=2')).code).toBe(1);
  });

  it('that never end are given up', async () => {
    const annotations = { 'actors.pawl.dev/ready-after-ms': 'never' };
    await cluster.kubectl('apply -f -', { input: deployment('web:3', 1, annotations) });
    expect((await cluster.tryKubectl('rollout status deployment/web --timeout=1s')).stderr).toContain('timed out');
    await cluster.kubectl('delete deployment web --wait=false');
  });

  it('of a StatefulSet are followed and undone', async () => {
    await cluster.kubectl('apply -f -', { input: statefulSet() });
    await cluster.kubectl('rollout status statefulset/db --timeout=20s');
    await cluster.kubectl('apply -f -', { input: statefulSet('db:2') });
    await cluster.kubectl('rollout status statefulset/db --timeout=20s');
    await cluster.kubectl('rollout undo statefulset/db');
    await cluster.kubectl('rollout status statefulset/db --timeout=20s');
    expect(await cluster.kubectl("get pods -l app=db -o jsonpath='{.items[*].spec.containers[*].image}'")).toBe(
      'db:1 db:1',
    );
  });
});

describe('kubectl wait', () => {
  it('for a condition, of built-in and custom objects', async () => {
    await cluster.kubectl('apply -f -', { input: deployment() });
    await cluster.kubectl('wait --for=condition=Available deployment/web --timeout=20s');
    await cluster.kubectl('wait --for=condition=Ready pods -l app=web --timeout=20s');
    await cluster.kubectl('apply -f -', { input: widgetDefinition });
    await cluster.kubectl('wait --for=condition=Established crd/widgets.bench.dev --timeout=20s');
    await cluster.kubectl('apply -f -', { input: widget('w', 1) });
    const waiting = cluster.startKubectl('wait --for=condition=Ready widget/w --timeout=20s');
    await cluster.kubectl(
      `patch widget w --subresource=status --type=merge -p '{"status":{"conditions":[{"type":"Ready","status":"True"}]}}'`,
    );
    expect((await waiting.ended).stdout).toBe('widget.bench.dev/w condition met\n');
  });

  it('for the end of an object', async () => {
    const waiting = cluster.startKubectl('wait --for=delete deployment/web --timeout=20s');
    await cluster.kubectl('delete deployment web');
    expect((await waiting.ended).code).toBe(0);
  });
});

describe('kubectl delete', () => {
  const pods = (): Promise<string> => cluster.kubectl('get pods -l app=web -o name');
  beforeEach(async () => {
    await cluster.kubectl('apply -f -', { input: deployment() });
    await cluster.kubectl('rollout status deployment/web --timeout=20s');
  });

  it('in the background takes the dependents along', async () => {
    await cluster.kubectl('delete deployment web --cascade=background');
    await cluster.kubectl('wait --for=delete pods -l app=web --timeout=20s');
    expect(await pods()).toBe('');
  });

  it('in the foreground returns when everything is gone', async () => {
    await cluster.kubectl('delete deployment web --cascade=foreground --timeout=20s');
    expect(await pods()).toBe('');
  });

  it('of the owner alone leaves the dependents, which a new owner adopts', async () => {
    const before = await pods();
    await cluster.kubectl('delete deployment web --cascade=orphan');
    expect(await pods()).toBe(before);
    await cluster.kubectl('apply -f -', { input: deployment() });
    await cluster.kubectl('rollout status deployment/web --timeout=20s');
    expect(await pods()).toBe(before);
    await cluster.kubectl('delete deployment web --cascade=foreground --timeout=20s');
  });

  it('of a namespace takes everything in it along', async () => {
    await cluster.kubectl('create namespace team');
    await cluster.kubectl('apply -n team -f -', { input: deployment() });
    await cluster.kubectl('rollout status -n team deployment/web --timeout=20s');
    await cluster.kubectl('delete namespace team --timeout=20s');
    expect(await cluster.kubectl('get pods -n team -o name')).toBe('');
  });
});
