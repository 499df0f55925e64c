// What the client sends, what it repeats, and what its errors say.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fixedRandom } from '../testing/fixed-random.ts';
import { ManualClock } from '../testing/manual-clock.ts';
import { type Answer, failure, OVERLOADED, ScriptedTransport } from '../testing/scripted-transport.ts';
import type { ApiRequest } from '../transport/transport.ts';
import type { KubeError } from './api-error.ts';
import { isConflict, isInvalid, isNotFound, isOutcomeUnknown, isTransient } from './error-kinds.ts';
import { KubeClient } from './kube-client.ts';

const PODS = { apiVersion: 'v1', kind: 'Pod', plural: 'pods', namespaced: true };
const ROLES = { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole', plural: 'clusterroles', namespaced: false };
const WEB = { name: 'web', namespace: 'a' };
const POD = { apiVersion: 'v1', kind: 'Pod', metadata: { ...WEB, uid: 'u', resourceVersion: '5' } };

function setUp(answer: (request: ApiRequest, n: number) => Answer, beforeMutation?: () => void) {
  const clock = new ManualClock();
  const transport = new ScriptedTransport(answer);
  const client = new KubeClient({ transport, clock, random: fixedRandom(0.5), userAgent: 'pawl/1', beforeMutation });
  return { clock, transport, client };
}
const answering = (...answers: readonly Answer[]) => setUp((_request, n) => answers[Math.min(n, answers.length) - 1] ?? {});
const paths = ({ requests }: ScriptedTransport) => requests.map(({ method, path }) => `${method} ${decodeURIComponent(path)}`);
const settle = () => new Promise((resolve) => setImmediate(resolve));

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
    const apply = (client: KubeClient) => client.apply(PODS, WEB, { spec: {} }, { fieldManager: 'me/it', force: true, subresource: 'status' });
    expect(await sent(apply)).toMatchObject({
      method: 'PATCH',
      path: '/api/v1/namespaces/a/pods/web/status?fieldManager=me%2Fit&force=true&timeout=15s',
      headers: { 'content-type': 'application/apply-patch+yaml' },
      body: { apiVersion: 'v1', kind: 'Pod', metadata: WEB, spec: {} },
    });
  });

  test('merge patch and JSON patch', async () => {
    const body = { metadata: { resourceVersion: '5' }, status: { phase: null } };
    expect(await sent((client) => client.mergePatch(PODS, WEB, body, { subresource: 'status', fieldManager: 'me' }))).toMatchObject({
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
    const remove = (client: KubeClient) => client.remove(PODS, WEB, { uid: 'u', resourceVersion: '5', propagation: 'Foreground' });
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
    expect(items).toMatchObject([{ kind: 'Pod', metadata: { name: 'one' } }, { apiVersion: 'v1', metadata: { name: 'two' } }]);
    expect(paths(transport)).toEqual([
      'GET /api/v1/pods?labelSelector=app=web&limit=500',
      'GET /api/v1/pods?labelSelector=app=web&limit=500&continue=x',
    ]);
  });

  test.each<[string, object, object]>([
    ['a Status', { kind: 'Status', status: 'Success', details: { uid: 'u' } }, { gone: true }],
    ['the object as it was', POD, { gone: true }],
    ['the object without a reason to stay', withMetadata({ deletionTimestamp: 't', deletionGracePeriodSeconds: 0 }), { gone: true }],
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
  });
});

describe('errors', () => {
  const errorOf = async (answer: Answer): Promise<KubeError> =>
    setUp(() => answer).client.apply(PODS, WEB, {}, { fieldManager: 'me', timeoutMs: 1 }).then(
      () => Promise.reject(new Error('no error')),
      (error: KubeError) => error,
    );

  test('carry what the server says', async () => {
    const causes = [{ reason: 'FieldValueInvalid', message: 'field is immutable', field: 'spec.selector' }];
    const error = await errorOf(failure(422, 'Invalid', { name: 'web', causes }));
    expect(error).toMatchObject({
      name: 'ApiError',
      failure: 'status',
      code: 422,
      reason: 'Invalid',
      message: 'PATCH /api/v1/namespaces/a/pods/web: Invalid',
      causes: ['spec.selector'],
      details: causes,
      outcomeUnknown: false,
    });
    expect(isInvalid(error)).toBe(true);
  });

  test('of a broken connection leave the outcome of a write open', async () => {
    const error = await errorOf(Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' }));
    expect(error).toMatchObject({ failure: 'network', code: 0, reason: 'ECONNRESET' });
    expect([isOutcomeUnknown(error), isTransient(error)]).toEqual([true, true]);
  });

  test('of a connection that was never made do not', async () => {
    const error = await errorOf(Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }));
    expect([error.failure, isOutcomeUnknown(error)]).toEqual(['network', false]);
  });

  test.each([
    [504, 'Timeout', true],
    [500, 'InternalError', true],
    [503, 'ServiceUnavailable', false],
    [409, 'Conflict', false],
  ])('with %i leave the outcome open or not', async (code, reason, outcomeUnknown) => {
    expect(await errorOf(failure(code, reason))).toMatchObject({ reason, outcomeUnknown });
  });

  test('tell conflicts from names that are taken', async () => {
    expect(isConflict(await errorOf(failure(409, 'Conflict')))).toBe(true);
    expect(isConflict(await errorOf(failure(409, 'AlreadyExists')))).toBe(false);
  });

  test('say that a kind is not served, and what is', async () => {
    const { client } = setUp(({ path }) =>
      path === '/apis/x.example'
        ? { body: { kind: 'APIGroup', versions: [{ version: 'v1' }, { version: 'v2' }], preferredVersion: { version: 'v2' } } }
        : { status: 404, body: '404 page not found' },
    );
    const gadgets = { apiVersion: 'x.example/v1alpha1', kind: 'Gadget', plural: 'gadgets', namespaced: true };
    const error = await client.find(gadgets, WEB).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({
      reason: 'KindNotServed',
      message: 'the server does not serve x.example/v1alpha1 Gadget: of group x.example it serves v2, v1',
      servedVersions: ['v2', 'v1'],
    });
    expect(isNotFound(error)).toBe(true);
  });
});

describe('deadlines', () => {
  test('end a call that gets no answer', async () => {
    const { client, clock } = answering('never');
    const call = client.mergePatch(PODS, WEB, {}).catch((error: unknown) => error);
    await settle();
    clock.advance(14_999);
    expect(clock.pending).toBe(1);
    clock.advance(1);
    const error = await call;
    expect(error).toMatchObject({ failure: 'timeout', reason: 'Timeout', outcomeUnknown: true });
    expect(clock.pending).toBe(0);
  });

  test('are told to the server', async () => {
    const { client, transport } = answering({ body: POD });
    await client.mergePatch(PODS, WEB, {}, { timeoutMs: 2_500 });
    expect(transport.requests[0]?.path).toContain('timeout=3s');
  });

  test('a signal ends a call with its reason', async () => {
    const { client, clock } = answering('never');
    const controller = new AbortController();
    const call = client.get(PODS, WEB, { signal: controller.signal });
    controller.abort(new Error('the lease is lost'));
    await expect(call).rejects.toThrow('the lease is lost');
    expect(clock.pending).toBe(0);
  });

  test('a signal that is aborted already sends nothing', async () => {
    const { client, transport } = answering({ body: POD });
    await expect(client.get(PODS, WEB, { signal: AbortSignal.abort(new Error('over')) })).rejects.toThrow('over');
    expect(transport.requests).toEqual([]);
  });
});

describe('repetition', () => {
  async function run(call: (client: KubeClient) => Promise<unknown>, ...answers: readonly Answer[]) {
    const { client, clock, transport } = answering(...answers);
    const waits: number[] = [];
    let over = false;
    const result = call(client).then(
      () => 'success',
      (error: KubeError) => error.reason,
    );
    void result.then(() => (over = true));
    for (await settle(); !over; await settle()) waits.push(clock.advanceToNext());
    return { outcome: await result, sent: transport.requests.length, waits };
  }
  const reset = Object.assign(new Error('reset'), { code: 'ECONNRESET' });
  const read = (client: KubeClient): Promise<unknown> => client.get(PODS, WEB);
  const write = (client: KubeClient): Promise<unknown> => client.mergePatch(PODS, WEB, {});
  const ok = { body: POD };

  test('of a read, after any passing failure, with growing pauses', async () => {
    const unavailable = failure(503, 'ServiceUnavailable');
    expect(await run(read, reset, unavailable, OVERLOADED, ok)).toEqual({ outcome: 'success', sent: 4, waits: [100, 200, 1_000] });
  });

  test('of a read, no sooner than the server asks', async () => {
    const busy = failure(500, 'ServerTimeout', { retryAfterSeconds: 2 });
    expect(await run(read, busy, ok)).toEqual({ outcome: 'success', sent: 2, waits: [2_000] });
  });

  test('of a read ends', async () => {
    expect(await run(read, reset)).toMatchObject({ outcome: 'ECONNRESET', sent: 6 });
  });

  test('of a read within its deadline', async () => {
    const busy = failure(503, 'ServiceUnavailable', { retryAfterSeconds: 60 });
    expect(await run(read, busy)).toEqual({ outcome: 'Timeout', sent: 1, waits: [15_000] });
  });

  test.each([failure(404, 'NotFound', { name: 'web' }), failure(403, 'Forbidden'), failure(422, 'Invalid')])(
    'never of an answer that will stay the same',
    async (answer) => {
      expect(await run(read, answer)).toMatchObject({ sent: 1, waits: [] });
    },
  );

  test('of a write, only when an overloaded server refused it unseen', async () => {
    expect(await run(write, OVERLOADED, OVERLOADED, ok)).toMatchObject({ outcome: 'success', sent: 3 });
    for (const answer of [reset, failure(503, 'ServiceUnavailable'), failure(504, 'Timeout'), failure(429, 'TooManyRequests', {}, { 'retry-after': '1' })])
      expect(await run(write, answer, ok)).toMatchObject({ sent: 1 });
  });

  test('of a write asks for permission each time', async () => {
    let asked = 0;
    const permission = (): void => {
      asked += 1;
      if (asked === 2) throw new Error('the lease is lost');
    };
    const { client, clock, transport } = setUp(() => OVERLOADED, permission);
    const call = client.mergePatch(PODS, WEB, {}).catch((error: unknown) => error);
    await settle();
    clock.advanceToNext();
    expect(await call).toEqual(new Error('the lease is lost'));
    expect(transport.requests).toHaveLength(1);
  });
});

function withMetadata(metadata: object): object {
  return { ...POD, metadata: { ...POD.metadata, ...metadata } };
}
