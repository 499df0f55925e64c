import { describe, expect, it } from 'vitest';
import type { KubeObject } from '../json.ts';
import { widget, widgetDefinition } from '../testing/server.ts';
import { ApiRefusal, diff, startCluster } from './index.ts';

const template = {
  metadata: { labels: { app: 'web' } },
  spec: { containers: [{ name: 'c', image: 'nginx:1' }] },
};
const deployment = (replicas = 2): object => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web' },
  spec: { replicas, selector: { matchLabels: { app: 'web' } }, template },
});
const configMap = (name: string, data: object = {}): object => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name },
  data,
});

describe('a cluster', () => {
  it('starts with kinds, objects and actors, and is at rest', async () => {
    await using cluster = await startCluster({
      crds: [widgetDefinition()],
      objects: [widget('w', { size: 3 }), deployment()],
      actors: true,
    });
    expect(await cluster.get('Widget', 'w')).toMatchObject({ spec: { size: 3 } });
    expect(await cluster.get('deployments', 'web')).toMatchObject({ status: { readyReplicas: 2 } });
    expect(await cluster.list('po', { labelSelector: 'app=web' })).toHaveLength(2);
    const before = cluster.log.count();
    await cluster.settle();
    expect(cluster.log.count()).toBe(before);
    expect(cluster.actorErrors).toEqual([]);
  });

  it('moves its clock only when told to, moment by moment', async () => {
    await using cluster = await startCluster({ actors: true, behaviour: { podReadyAfterMs: 5_000 } });
    await cluster.create(deployment());
    await cluster.advance(4_999);
    expect(await cluster.get('Deployment', 'web')).not.toHaveProperty('status.readyReplicas');
    await cluster.advance(1);
    expect(await cluster.get('Deployment', 'web')).toHaveProperty('status.readyReplicas', 2);
    expect(cluster.clock.now()).toBe(Date.UTC(2026, 0, 1) + 5_000);
  });

  it('waits until something is so, or says that it is not', async () => {
    await using cluster = await startCluster({ actors: true, behaviour: { podReadyAfterMs: 60_000 } });
    await cluster.create(deployment(1));
    const ready = async (): Promise<boolean> => {
      const { status } = await cluster.get<{ status?: { readyReplicas?: number } }>('Deployment', 'web');
      return status?.readyReplicas === 1;
    };
    await expect(cluster.until(ready, 30_000)).rejects.toThrow('it is not so after 30000 ms');
    await cluster.until(ready);
    expect(cluster.clock.now()).toBe(Date.UTC(2026, 0, 1) + 60_000);
  });

  it('is the same for the same seed', async () => {
    const uids = async (seed: number): Promise<readonly unknown[]> => {
      await using cluster = await startCluster({ seed, actors: true, objects: [deployment()] });
      return cluster.snapshot().objects;
    };
    expect(await uids(7)).toEqual(await uids(7));
    expect(await uids(7)).not.toEqual(await uids(8));
  });

  it('reads and writes in short form', async () => {
    await using cluster = await startCluster();
    await cluster.create(configMap('a', { x: '1' }));
    await cluster.apply(configMap('a', { y: '2' }), { fieldManager: 'me' });
    await cluster.patch('cm', 'a', [{ op: 'remove', path: '/data/x' }], { type: 'json' });
    expect(await cluster.get('ConfigMap', 'a')).toMatchObject({ data: { y: '2' } });
    await cluster.delete('configmaps', 'a');
    expect(await cluster.find('ConfigMap', 'a')).toBeUndefined();
    const refusal = await cluster.get('ConfigMap', 'a').catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(ApiRefusal);
    expect(refusal).toMatchObject({ code: 404, reason: 'NotFound' });
  });

  it('names what is served if a kind is not', async () => {
    await using cluster = await startCluster();
    await expect(cluster.get('Wibble', 'x')).rejects.toThrow(
      /^kind: found Wibble, which is not served; served are .*ConfigMap/,
    );
    await expect(startCluster({ objects: [{ kind: 'ConfigMap' }] })).rejects.toThrow('apiVersion: found nothing in');
  });

  it('knows kinds that were defined later', async () => {
    await using cluster = await startCluster();
    await cluster.create(widgetDefinition());
    await cluster.create(widget('w'));
    expect(await cluster.list('widgets.test.dev', { namespace: 'default' })).toHaveLength(1);
  });

  it('serves the same objects over HTTP', async () => {
    await using cluster = await startCluster({ listen: true, objects: [configMap('a', { x: '1' })] });
    const answer = await fetch(`${cluster.url}/api/v1/namespaces/default/configmaps/a`);
    expect(await answer.json()).toMatchObject({ data: { x: '1' } });
    expect(cluster.kubeconfig?.clusters[0]?.cluster.server).toBe(cluster.url);
  });

  it('judges an operator by RBAC while the test itself may do everything', async () => {
    await using cluster = await startCluster({
      server: { authorization: 'rbac' },
      actors: true,
      objects: [deployment(1)],
    });
    const operator = cluster.as({ name: 'system:serviceaccount:default:operator' });
    await expect(operator.get('Deployment', 'web')).rejects.toThrow(
      'deployments.apps "web" is forbidden: User "system:serviceaccount:default:operator" cannot get resource',
    );
    expect(await cluster.get('Deployment', 'web')).toMatchObject({ status: { readyReplicas: 1 } });
    expect(cluster.actorErrors).toEqual([]);
  });

  it("gives an administrator's kubeconfig where people must log in", async () => {
    const authentication = { tokens: { t: { name: 'jane' } } };
    await using cluster = await startCluster({ listen: true, server: { authorization: 'rbac', authentication } });
    const code = async (token: string): Promise<number> => {
      const headers = { authorization: `Bearer ${token}` };
      return (await fetch(`${cluster.url}/api/v1/pods`, { headers })).status;
    };
    expect(await code(cluster.kubeconfig?.users[0]?.user['token'] ?? '')).toBe(200);
    expect(await code('t')).toBe(403);
    expect(await code('x')).toBe(401);
  });

  it('keeps objects, requests and history within bounds', async () => {
    await using cluster = await startCluster({ server: { objectLimit: 10, logLimit: 5, watchWindow: 8 } });
    const first = cluster.api.resourceVersion();
    for (let index = 0; index < 6; index++) await cluster.create(configMap(`c${index}`));
    await expect(cluster.create(configMap('more'))).rejects.toThrow('etcdserver: mvcc: database space exceeded');
    await cluster.delete('cm', 'c0');
    await cluster.create(configMap('more'));
    for (let index = 0; index < 20; index++) await cluster.patch('cm', 'c1', { data: { n: String(index) } });
    expect(cluster.log.entries().length).toBeLessThanOrEqual(5);
    expect(cluster.api.changes(first)).toBeUndefined();
    const { events } = await cluster.transport.watch({
      method: 'GET',
      path: `/api/v1/configmaps?watch=true&resourceVersion=${first}`,
    });
    for await (const event of events) expect(event).toMatchObject({ type: 'ERROR', object: { code: 410 } });
  });
});

describe('a snapshot', () => {
  it('does not change, and can be gone on from as often as wanted', async () => {
    await using cluster = await startCluster({ actors: true, objects: [deployment(1)] });
    const snapshot = cluster.snapshot();
    await cluster.advance(1_000);
    await cluster.patch('Deployment', 'web', { spec: { replicas: 3 } });
    await cluster.settle();
    await using again = await snapshot.fork();
    expect(again.clock.now()).toBe(snapshot.at);
    expect(await again.list('Pod')).toHaveLength(1);
    expect(await cluster.list('Pod')).toHaveLength(3);
    await again.delete('Deployment', 'web');
    await again.settle();
    expect(await again.list('Pod')).toEqual([]);
    expect(snapshot.objects.filter(({ kind }) => kind === 'Pod')).toHaveLength(1);
  });

  it('gives each fork a life of its own', async () => {
    await using cluster = await startCluster({ objects: [configMap('a')] });
    await using fork = await cluster.fork();
    await fork.create(configMap('b'));
    await cluster.create(configMap('c'));
    const names = async (one: typeof fork): Promise<readonly unknown[]> =>
      (await one.list<KubeObject>('cm')).map(({ metadata }) => metadata.name);
    expect(await names(fork)).toEqual(['a', 'b']);
    expect(await names(cluster)).toEqual(['a', 'c']);
  });
});

describe('a diff', () => {
  it('leaves out uids, times, versions and managers, also where they are spoken of', async () => {
    const world = async (seed: number, wait: number): Promise<{ objects: readonly KubeObject[] }> => {
      await using cluster = await startCluster({ seed, actors: true });
      await cluster.create(configMap('first'));
      await cluster.advance(wait);
      await cluster.create({ ...deployment(), metadata: { name: 'web' } });
      await cluster.settle();
      return cluster.snapshot();
    };
    const except = ({ kind }: KubeObject): boolean => kind === 'Pod';
    expect(diff(await world(1, 0), await world(2, 90_000), { except })).toEqual([]);
  });

  it('names what differs, and where', async () => {
    await using cluster = await startCluster({ objects: [configMap('a', { x: '1' }), configMap('gone')] });
    const before = cluster.snapshot();
    await cluster.patch('cm', 'a', { data: { x: '2', 'y.z': '3' } });
    await cluster.delete('cm', 'gone');
    await cluster.create(configMap('new'));
    expect(diff(before, cluster.snapshot())).toMatchObject([
      { object: 'ConfigMap default/a', change: 'changed', path: 'data.x', before: '1', after: '2' },
      { object: 'ConfigMap default/a', change: 'changed', path: 'data["y.z"]', before: undefined, after: '3' },
      { object: 'ConfigMap default/gone', change: 'removed' },
      { object: 'ConfigMap default/new', change: 'added' },
    ]);
    expect(
      diff(before, cluster.snapshot(), { ignore: ['data'], except: ({ metadata }) => metadata.name !== 'a' }),
    ).toEqual([]);
  });
});
