import { describe, expect, it } from 'vitest';
import { startCluster, type Cluster } from './index.ts';

const deployment = (replicas: number): object => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web' },
  spec: {
    replicas,
    selector: { matchLabels: { app: 'web' } },
    template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'c', image: 'nginx:1' }] } },
  },
});
const budget = (spec: object, name = 'web'): object => ({
  apiVersion: 'policy/v1',
  kind: 'PodDisruptionBudget',
  metadata: { name },
  spec: { selector: { matchLabels: { app: 'web' } }, ...spec },
});

interface Named {
  readonly metadata: { readonly name: string };
}

async function podNames(cluster: Cluster): Promise<readonly string[]> {
  return (await cluster.list<Named>('pods')).map(({ metadata }) => metadata.name);
}

/** Tries to evict a pod; the code of the answer. */
async function evict(cluster: Cluster, name: string, query = ''): Promise<number> {
  const path = `/api/v1/namespaces/default/pods/${name}/eviction${query}`;
  const body = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name } };
  return (await cluster.transport.request({ method: 'POST', path, body })).status;
}

describe('evictions under a disruption budget', () => {
  it('go one by one: the next is let through when the replacement is ready', async () => {
    await using cluster = await startCluster({
      actors: true,
      behaviour: { podReadyAfterMs: 10_000 },
      objects: [deployment(3), budget({ minAvailable: 2 })],
    });
    await cluster.advance(10_000);
    const [first = '', second = ''] = await podNames(cluster);
    expect(await evict(cluster, first)).toBe(201);
    expect(await evict(cluster, second)).toBe(429);
    await cluster.settle();
    expect(await evict(cluster, second)).toBe(429);
    await cluster.advance(10_000);
    expect(await evict(cluster, second)).toBe(201);
    await cluster.advance(10_000);
    expect(await podNames(cluster)).toHaveLength(3);
    expect(cluster.actorErrors).toEqual([]);
  });

  it('at the same moment spend it once each', async () => {
    await using cluster = await startCluster({
      actors: true,
      objects: [deployment(5), budget({ maxUnavailable: '40%' })],
    });
    const answers = (await podNames(cluster)).map((name) => evict(cluster, name));
    expect((await Promise.all(answers)).toSorted((a, b) => a - b)).toEqual([201, 201, 429, 429, 429]);
  });

  it('that are dry runs spend nothing', async () => {
    await using cluster = await startCluster({ actors: true, objects: [deployment(2), budget({ maxUnavailable: 1 })] });
    const [first = '', second = ''] = await podNames(cluster);
    expect(await evict(cluster, first, '?dryRun=All')).toBe(201);
    expect(await evict(cluster, second)).toBe(201);
  });

  it('leave a full budget alone however long they are tried, and end when the budget goes', async () => {
    await using cluster = await startCluster({ actors: true, objects: [deployment(1), budget({ minAvailable: 1 })] });
    const [only = ''] = await podNames(cluster);
    for (let attempt = 0; attempt < 3; attempt++) {
      expect(await evict(cluster, only)).toBe(429);
      await cluster.advance(60_000);
    }
    expect(await podNames(cluster)).toEqual([only]);
    await cluster.delete('pdb', 'web');
    await cluster.settle();
    expect(await evict(cluster, only)).toBe(201);
  });

  it('of pods that are not ready depend on the policy for unhealthy ones', async () => {
    const behaviour = { podReadyAfterMs: Infinity };
    const spec = { minAvailable: 1 };
    await using strict = await startCluster({ actors: true, behaviour, objects: [deployment(1), budget(spec)] });
    expect(await evict(strict, (await podNames(strict))[0] ?? '')).toBe(429);
    const lenient = { ...spec, unhealthyPodEvictionPolicy: 'AlwaysAllow' };
    await using cluster = await startCluster({ actors: true, behaviour, objects: [deployment(1), budget(lenient)] });
    expect(await evict(cluster, (await podNames(cluster))[0] ?? '')).toBe(201);
  });

  it('are refused for a pod with two budgets', async () => {
    await using cluster = await startCluster({
      actors: true,
      objects: [deployment(2), budget({ maxUnavailable: 1 }), budget({ maxUnavailable: 1 }, 'again')],
    });
    expect(await evict(cluster, (await podNames(cluster))[0] ?? '')).toBe(500);
  });
});

describe('many kinds under watch', () => {
  it('keep a bounded history, and a watch that cannot be resumed says so and is begun anew', async () => {
    await using cluster = await startCluster({
      actors: true,
      server: { watchWindow: 50, logLimit: 100 },
      objects: [deployment(2)],
    });
    const begin = cluster.api.resourceVersion();
    for (let round = 0; round < 30; round++) {
      await cluster.patch('Deployment', 'web', { spec: { replicas: 1 + (round % 5) } });
      await cluster.advance(1_000);
    }
    expect(Number(cluster.api.resourceVersion()) - Number(begin)).toBeGreaterThan(200);
    const changes = cluster.api.changes(String(Number(cluster.api.resourceVersion()) - 50)) ?? [];
    expect(changes).toHaveLength(50);
    expect(cluster.api.changes(begin)).toBeUndefined();
    expect(cluster.log.entries().length).toBeLessThanOrEqual(100);
    expect(await podNames(cluster)).toHaveLength(5);
    // Compaction takes away what the actors' watches stood on; they list again and go on.
    cluster.api.compact();
    await cluster.patch('Deployment', 'web', { spec: { replicas: 3 } });
    await cluster.advance(60 * 60_000);
    expect(await podNames(cluster)).toHaveLength(3);
  });
});
