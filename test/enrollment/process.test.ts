// The operator as a process with its configuration in a file, a plugin as another one; and 1,000 members on a real API server.
import { createApiServer, type Listening } from '@pawl/kube-api';
import { KubeClient, systemClock, systemRandom, type Transport } from '@pawl/operator';
import { enrollmentPackage, Enrollments, type EnrollmentSpec } from '@pawl/procedures-enrollment';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { connect, type Connection } from '../control-plane/connect.ts';
import { hasControlPlane } from '../control-plane/has-control-plane.ts';
import { startControlPlane, type ControlPlane } from '../control-plane/start.ts';
import { OperatorChild } from '../e2e/operator-child.ts';
import { startPlugin, type PluginProcess } from './plugin-process.ts';

const PACKAGE = fileURLToPath(new URL('../../packages/procedures/enrollment/src/index.ts', import.meta.url));
const openKinds = { SinkEntry: [{ apiVersion: 'v1', kind: 'ConfigMap', plural: 'configmaps' }] };
const folder = mkdtempSync(join(tmpdir(), 'enrollment-'));
afterAll(() => rmSync(folder, { recursive: true }));

function configFile(plugins: Readonly<Record<string, { readonly url: string }>> = {}): string {
  const path = join(folder, 'operator.yaml');
  writeFileSync(path, stringify({ openKinds, external: { plugins } }));
  return path;
}

/** What both kinds of server are asked. */
class Bench {
  readonly client: KubeClient;
  operator: OperatorChild | undefined;

  constructor(transport: Transport) {
    this.client = new KubeClient({ transport, clock: systemClock, random: systemRandom, userAgent: 'test' });
  }

  install = async (): Promise<void> => {
    for (const crd of enrollmentPackage().crds)
      await this.client.create(
        { apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition' },
        crd as never,
      );
  };

  create = (name: string, spec: EnrollmentSpec): Promise<unknown> =>
    this.client.create(Enrollments, {
      apiVersion: Enrollments.apiVersion,
      kind: 'Enrollment',
      metadata: { name, namespace: 'default' },
      spec,
    } as never);

  until = async (what: string, isSo: () => Promise<boolean>, withinMs = 60_000): Promise<void> => {
    for (
      const deadline = Date.now() + withinMs;
      !(await isSo());
      await new Promise((resolve) => setTimeout(resolve, 100))
    )
      if (Date.now() > deadline) throw new Error(`not in time: ${what}\n${this.operator?.output ?? ''}`);
  };

  isReady = (name: string) => async (): Promise<boolean> => {
    const found = (await this.client.find(Enrollments, { name, namespace: 'default' })) as
      | {
          readonly status?: {
            readonly conditions?: readonly { readonly type: string; readonly status: string }[];
            readonly procedure?: { readonly phase?: string };
          };
        }
      | undefined;
    return (
      found?.status?.procedure?.phase === 'Steady' &&
      found.status.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') === true
    );
  };
}

describe('an operator process with a plugin process', () => {
  let listening: Listening | undefined;
  let plugin: PluginProcess | undefined;
  let bench: Bench | undefined;
  afterEach(async () => {
    await bench?.operator?.kill();
    await plugin?.kill();
    await listening?.close();
  });

  test('follows the group, and goes on where it was after both were killed', { timeout: 120_000 }, async () => {
    const server = createApiServer();
    listening = await server.listen();
    plugin = await startPlugin(['h1', 'h2']);
    const { port } = new URL(plugin.url);
    bench = new Bench(server);
    await bench.install();
    const flags = ['--server', listening.url, '--config', configFile({ sample: { url: plugin.url } })];
    bench.operator = new OperatorChild(PACKAGE, flags);
    await bench.operator.working();
    const sample = { plugin: { name: 'sample' } };
    await bench.create('nfs', {
      source: { plugin: { name: 'sample', group: 'workers' } },
      sink: sample,
      syncInterval: '1s',
    });
    await bench.until('both are enrolled', bench.isReady('nfs'));
    expect(await plugin.keys()).toEqual(['h1', 'h2']);
    await bench.operator.kill();
    await plugin.setMembers(['h2', 'h3']);
    bench.operator = new OperatorChild(PACKAGE, flags);
    const { keys } = plugin;
    await bench.until('the group is followed', async () => (await keys()).join() === 'h2,h3');
    await plugin.kill();
    plugin = await startPlugin(['h2', 'h3'], Number(port));
    const again = plugin.keys;
    await bench.until(
      'a plugin that has lost everything is filled again',
      async () => (await again()).join() === 'h2,h3',
    );
  });
});

describe.runIf(hasControlPlane('enrollment on a real control plane'))('on a real control plane', () => {
  let plane: ControlPlane;
  let connection: Connection;
  let bench: Bench;

  beforeAll(async () => {
    plane = await startControlPlane();
    connection = connect(plane.url, plane.admin);
    bench = new Bench(connection);
    await bench.install();
  }, 180_000);
  afterAll(async () => {
    await bench?.operator?.kill();
    await connection?.close();
    await plane?.stop();
  }, 60_000);

  const entries = async (): Promise<readonly string[]> => {
    const { items } = await bench.client.list(
      { apiVersion: 'v1', kind: 'ConfigMap' },
      { namespace: 'default', labelSelector: 'procedures.pawl.dev/owner' },
    );
    return items.map(({ metadata }) => `${metadata.name} ${metadata.resourceVersion}`);
  };

  test(
    'IC-31: 1000 members are enrolled, ten at a time, and then nothing is written',
    { timeout: 240_000 },
    async () => {
      bench.operator = new OperatorChild(PACKAGE, ['--kubeconfig', plane.kubeconfig, '--config', configFile()]);
      await bench.operator.working();
      const source = { static: Array.from({ length: 1_000 }, (_, index) => ({ id: `m${index}` })) };
      const sink = { template: { apiVersion: 'v1', kind: 'ConfigMap' }, properties: { data: { host: '{{ id }}' } } };
      await bench.create('many', { source, sink, concurrency: 10 });
      await bench.until('all are enrolled', bench.isReady('many'), 180_000);
      const before = await entries();
      expect(before).toHaveLength(1_000);
      await new Promise((resolve) => setTimeout(resolve, 4_000));
      expect(await entries()).toEqual(before);
    },
  );

  test('the API server refuses what no Enrollment can be', async () => {
    const sink = { template: { apiVersion: 'v1', kind: 'ConfigMap' } };
    await expect(bench.create('none', { source: {}, sink })).rejects.toThrow(
      'exactly one of static, selector, plugin must be given',
    );
    await expect(
      bench.create('two', { source: { static: [] }, sink: { ...sink, plugin: { name: 'x' } } }),
    ).rejects.toThrow('exactly one of template, plugin must be given');
    await expect(bench.create('bad', { source: { static: [] }, sink, syncInterval: 'soon' })).rejects.toThrow(
      'spec.syncInterval',
    );
  });
});
