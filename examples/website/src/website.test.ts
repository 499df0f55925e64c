import { TestObject } from '@pawl/reconciler/testing';
import { Deployments, type Deployment } from '@pawl/reconciler/kubernetes';
import { describe, expect, it } from 'vitest';
import index from './index.ts';
import release1 from './release-1.ts';
import { v1 } from './v1.ts';
import { v2 } from './v2.ts';
import { websiteCrd, type Website } from './website.ts';

const sample = {
  apiVersion: 'example.pawl.dev/v1alpha1',
  kind: 'Website',
  metadata: { name: 'hello', namespace: 'default' },
  spec: { replicas: 3, image: 'nginx:1.29', html: '<h1>Hello</h1>' },
} as const;

/** The Deployment controller in one line: all pods of the newest template serve. */
function rollOut({ cluster }: TestObject<Website>): () => void {
  return () => {
    for (const object of cluster.all()) {
      if (object.kind !== 'Deployment') continue;
      const { spec, metadata } = object as Deployment;
      const [replicas, observedGeneration] = [spec?.replicas ?? 1, metadata.generation];
      const status = { observedGeneration, replicas, updatedReplicas: replicas, availableReplicas: replicas };
      cluster.setStatus(Deployments, metadata, status);
    }
  };
}

function namesIn({ cluster }: TestObject<Website>, kind: string): readonly string[] {
  return cluster.all().flatMap((object) => (object.kind === kind ? [object.metadata.name] : []));
}

describe('a Website at 1.0.0', () => {
  it('waits for its pods, one Action after the other', async () => {
    const website = new TestObject<Website>(sample);
    const { outcomes } = await website.cycle(v1);
    expect([...outcomes.values()].map(({ name, result }) => `${name} ${result.status} ${result.reason}`)).toEqual([
      'ContentStored True AsExpected',
      'PodsReady False RollingOut',
      'Exposed Unknown PrerequisiteNotMet',
    ]);
    expect(namesIn(website, 'Service')).toEqual([]);
  });

  it('ends with a ConfigMap, a Deployment and a Service, and writes nothing more', async () => {
    const website = new TestObject<Website>(sample);
    await website.settle(v1, rollOut(website));
    expect(website.cluster.writes).toEqual([
      'create ConfigMap default/hello-content',
      'create Deployment default/hello',
      'create Service default/hello',
    ]);
  });

  it('stays not ready while pods of the old template are left', async () => {
    const website = new TestObject<Website>(sample);
    await website.cycle(v1);
    const { generation } = (await website.cluster.get(Deployments, sample.metadata))?.metadata ?? {};
    const status = { observedGeneration: generation, replicas: 4, updatedReplicas: 3, availableReplicas: 3 };
    website.cluster.setStatus(Deployments, sample.metadata, status);
    const { outcomes } = await website.cycle(v1);
    expect(outcomes.get('PodsReady')?.result.status).toBe('False');
  });
});

describe('a Website that goes from 1.0.0 to 2.0.0', () => {
  it('gets a ConfigMap named after its page, and its pods mount that one', async () => {
    const website = new TestObject<Website>(sample);
    await website.settle(v1, rollOut(website));
    await website.settle(v2, rollOut(website));
    const [old, stored = ''] = namesIn(website, 'ConfigMap');
    expect([old, stored]).toEqual(['hello-content', expect.stringMatching(/^hello-content-[0-9a-f]{8}$/)]);
    const deployment = (await website.cluster.get(Deployments, sample.metadata)) as Deployment | undefined;
    expect(deployment?.spec?.template.spec?.volumes).toEqual([{ name: 'content', configMap: { name: stored } }]);
  });

  it('keeps its Deployment and its Service: no pod is lost to the upgrade', async () => {
    const website = new TestObject<Website>(sample);
    await website.settle(v1, rollOut(website));
    await website.settle(v2, rollOut(website));
    expect(website.cluster.writes.filter((write) => write.startsWith('delete'))).toEqual([]);
    expect(namesIn(website, 'Deployment')).toEqual(['hello']);
  });

  it('gets another ConfigMap for another page', async () => {
    const website = new TestObject<Website>(sample);
    await website.settle(v2, rollOut(website));
    website.change({ spec: { ...sample.spec, html: '<h1>Other</h1>' } });
    await website.settle(v2, rollOut(website));
    expect(new Set(namesIn(website, 'ConfigMap')).size).toBe(2);
  });
});

describe('the releases', () => {
  it('know 1.0.0, and then both versions', () => {
    const versions = [release1, index].map(({ kinds }) => kinds[0]?.procedures.map(({ version }) => version).sort());
    expect(versions).toEqual([['1.0.0'], ['1.0.0', '2.0.0']]);
  });

  it('install a kind that refuses what no Website can be', () => {
    expect(websiteCrd.metadata.name).toBe('websites.example.pawl.dev');
  });
});
