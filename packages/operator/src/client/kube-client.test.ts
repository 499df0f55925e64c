// What the client sends for each verb, and what it makes of the answers.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fixedRandom } from '../testing/fixed-random.ts';
import { ManualClock } from '../testing/manual-clock.ts';
import { type Answer, failure, ScriptedTransport } from '../testing/scripted-transport.ts';
import type { ApiRequest } from '../transport/transport.ts';
import { KubeClient } from './kube-client.ts';

const PODS = { apiVersion: 'v1', kind: 'Pod', plural: 'pods', namespaced: true };
const ROLES = {
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'ClusterRole',
  plural: 'clusterroles',
  namespaced: false,
};
const WEB = { name: 'web', namespace: 'a' };
const POD = { apiVersion: 'v1', kind: 'Pod', metadata: { ...WEB, uid: 'u', resourceVersion: '5' } };

function answering(...answers: readonly Answer[]) {
  const transport = new ScriptedTransport((_request, n) => answers[Math.min(n, answers.length) - 1] ?? {});
  const parts = { clock: new ManualClock(), random: fixedRandom(0.5) };
  return { transport, client: new KubeClient({ transport, ...parts, userAgent: 'pawl/1' }) };
}
const paths = ({ requests }: ScriptedTransport) =>
  requests.map(({ method, path }) => `${method} ${decodeURIComponent(path)}`);

describe('requests', () => {
  const sent = async (call: (client: KubeClient) => Promise<unknown>): Promise<ApiRequest | undefined> => {
    const { client, transport } = answering({ body: POD });
    await call(client);
    return transport.requests[0];
  };

  test('get', async () => {
    expect(await sent((client) => client.get(PODS, WEB))).toMatchObject({
      method: 'GET',
      path: '/api/v1/namespaces/a/pods/web',
      headers: { 'user-agent': 'pawl/1' },
    });
  });

  test('names stay exact and are encoded', async () => {
    const request = await sent((client) => client.get(ROLES, { name: 'system:Node-Admin/x y' }));
    expect(request?.path).toBe('/apis/rbac.authorization.k8s.io/v1/clusterroles/system%3ANode-Admin%2Fx%20y');
  });

  test('create, in the namespace of its metadata', async () => {
    const object = { metadata: { name: 'web', namespace: 'a' }, spec: {} };
    expect(await sent((client) => client.create(PODS, object, { fieldManager: 'me', dryRun: true }))).toMatchObject({
      method: 'POST',
      path: '/api/v1/namespaces/a/pods?fieldManager=me&dryRun=All&timeout=15s',
      body: { apiVersion: 'v1', kind: 'Pod', ...object },
    });
  });

  test('apply', async () => {
    const apply = (client: KubeClient) =>
      client.apply(PODS, WEB, { spec: {} }, { fieldManager: 'me/it', force: true, subresource: 'status' });
    expect(await sent(apply)).toMatchObject({
      method: 'PATCH',
      path: '/api/v1/namespaces/a/pods/web/status?fieldManager=me%2Fit&force=true&timeout=15s',
      headers: { 'content-type': 'application/apply-patch+yaml' },
      body: { apiVersion: 'v1', kind: 'Pod', metadata: WEB, spec: {} },
    });
  });

  test('merge patch and JSON patch', async () => {
    const body = { metadata: { resourceVersion: '5' }, status: { phase: null } };
    expect(
      await sent((client) => client.mergePatch(PODS, WEB, body, { subresource: 'status', fieldManager: 'me' })),
    ).toMatchObject({
      path: '/api/v1/namespaces/a/pods/web/status?fieldManager=me&timeout=15s',
      headers: { 'content-type': 'application/merge-patch+json' },
      body,
    });
    const operations = [{ op: 'remove', path: '/spec' }] as const;
    expect(await sent((client) => client.jsonPatch(PODS, WEB, operations))).toMatchObject({
      headers: { 'content-type': 'application/json-patch+json' },
      body: operations,
    });
  });

  test('remove, with preconditions', async () => {
    const remove = (client: KubeClient) =>
      client.remove(PODS, WEB, { uid: 'u', resourceVersion: '5', propagation: 'Foreground' });
    expect(await sent(remove)).toMatchObject({
      method: 'DELETE',
      path: '/api/v1/namespaces/a/pods/web?timeout=15s',
      body: {
        kind: 'DeleteOptions',
        apiVersion: 'v1',
        preconditions: { uid: 'u', resourceVersion: '5' },
        propagationPolicy: 'Foreground',
      },
    });
  });

  test('evict', async () => {
    expect(await sent((client) => client.evict(WEB, { uid: 'u' }))).toMatchObject({
      method: 'POST',
      path: '/api/v1/namespaces/a/pods/web/eviction?timeout=15s',
      body: { kind: 'Eviction', metadata: WEB, deleteOptions: { preconditions: { uid: 'u' } } },
    });
  });

  test('a namespaced object without a namespace is refused before anything is sent', async () => {
    const { client, transport } = answering({});
    await expect(client.get(PODS, { name: 'web' })).rejects.toThrow('Pod web was addressed with namespace undefined');
    await expect(client.get(PODS, { name: '', namespace: 'a' })).rejects.toThrow('empty name');
    expect(transport.requests).toEqual([]);
  });
});

describe('answers', () => {
  test('lists come in pages, their items with their kind', async () => {
    const { client, transport } = answering(
      { body: { metadata: { resourceVersion: '9', continue: 'x' }, items: [{ metadata: { name: 'one' } }] } },
      { body: { metadata: { resourceVersion: '9' }, items: [{ metadata: { name: 'two' } }] } },
    );
    const { items, resourceVersion } = await client.list(PODS, { labelSelector: 'app=web', namespace: '*' });
    expect(resourceVersion).toBe('9');
    expect(items).toMatchObject([
      { kind: 'Pod', metadata: { name: 'one' } },
      { apiVersion: 'v1', metadata: { name: 'two' } },
    ]);
    expect(paths(transport)).toEqual([
      'GET /api/v1/pods?labelSelector=app=web&limit=500',
      'GET /api/v1/pods?labelSelector=app=web&limit=500&continue=x',
    ]);
  });

  test.each<[string, object, object]>([
    ['a Status', { kind: 'Status', status: 'Success', details: { uid: 'u' } }, { gone: true }],
    ['the object as it was', POD, { gone: true }],
    [
      'the object without a reason to stay',
      withMetadata({ deletionTimestamp: 't', deletionGracePeriodSeconds: 0 }),
      { gone: true },
    ],
    ['a finalizer', withMetadata({ deletionTimestamp: 't', finalizers: ['f'] }), { gone: false }],
    ['a grace period', withMetadata({ deletionTimestamp: 't', deletionGracePeriodSeconds: 30 }), { gone: false }],
  ])('a deletion answered with %s', async (_name, body, removal) => {
    expect(await answering({ body }).client.remove(PODS, WEB)).toMatchObject(removal);
  });

  test('find answers nothing for an object that is not there', async () => {
    const { client } = answering(failure(404, 'NotFound', { name: 'web', kind: 'pods' }));
    expect(await client.find(PODS, WEB)).toBeUndefined();
  });

  test('fields that nobody knows survive reading and writing', async () => {
    const json = fc.dictionary(fc.string(), fc.jsonValue());
    await fc.assert(
      fc.asyncProperty(json, json, async (unknownFields, unknownMeta) => {
        const stored = { ...unknownFields, ...POD, metadata: { ...unknownMeta, ...POD.metadata } };
        const { client, transport } = answering({ body: stored });
        const read = await client.get(PODS, WEB);
        expect(read).toEqual(stored);
        await client.create(PODS, read as unknown as Record<string, unknown>);
        expect(transport.requests[1]?.body).toEqual(stored);
      }),
      { numRuns: 50 },
    );
  }, 60_000);
});

function withMetadata(metadata: object): object {
  return { ...POD, metadata: { ...POD.metadata, ...metadata } };
}
