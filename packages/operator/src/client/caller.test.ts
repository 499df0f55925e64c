// What a call that does not succeed says, how long it may take, and when it is repeated.
import { describe, expect, test } from 'vitest';
import { fixedRandom } from '../testing/fixed-random.ts';
import { ManualClock } from '../testing/manual-clock.ts';
import { type Answer, failure, OVERLOADED, ScriptedTransport } from '../testing/scripted-transport.ts';
import type { ApiRequest } from '../transport/transport.ts';
import type { KubeError } from './api-error.ts';
import { isConflict, isInvalid, isNotFound, isOutcomeUnknown, isTransient } from './error-kinds.ts';
import { KubeClient } from './kube-client.ts';

const PODS = { apiVersion: 'v1', kind: 'Pod', plural: 'pods', namespaced: true };
const WEB = { name: 'web', namespace: 'a' };
const POD = { apiVersion: 'v1', kind: 'Pod', metadata: { ...WEB, uid: 'u', resourceVersion: '5' } };

function setUp(answer: (request: ApiRequest, n: number) => Answer, beforeMutation?: () => void) {
  const clock = new ManualClock();
  const transport = new ScriptedTransport(answer);
  const client = new KubeClient({ transport, clock, random: fixedRandom(0.5), beforeMutation });
  return { clock, transport, client };
}
const answering = (...answers: readonly Answer[]) =>
  setUp((_request, n) => answers[Math.min(n, answers.length) - 1] ?? {});
const settle = () => new Promise((resolve) => setImmediate(resolve));

describe('errors', () => {
  const errorOf = async (answer: Answer): Promise<KubeError> =>
    setUp(() => answer)
      .client.apply(PODS, WEB, {}, { fieldManager: 'me', timeoutMs: 1 })
      .then(
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
        ? {
            body: {
              kind: 'APIGroup',
              versions: [{ version: 'v1' }, { version: 'v2' }],
              preferredVersion: { version: 'v2' },
            },
          }
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
    expect(await run(read, reset, unavailable, OVERLOADED, ok)).toEqual({
      outcome: 'success',
      sent: 4,
      waits: [100, 200, 1_000],
    });
  });

  test('of a read, no sooner than the server asks', async () => {
    const busy = failure(500, 'ServerTimeout', { retryAfterSeconds: 2 });
    expect(await run(read, busy, ok)).toEqual({ outcome: 'success', sent: 2, waits: [2_000] });
  });

  test('of a read ends', async () => {
    expect(await run(read, reset)).toMatchObject({ outcome: 'ECONNRESET', sent: 6 });
  });

  test('of a read that should wait beyond its deadline does not take place: the answer itself says how long to wait', async () => {
    const busy = failure(503, 'ServiceUnavailable', { retryAfterSeconds: 60 });
    expect(await run(read, busy)).toEqual({ outcome: 'ServiceUnavailable', sent: 1, waits: [] });
  });

  test.each([failure(404, 'NotFound', { name: 'web' }), failure(403, 'Forbidden'), failure(422, 'Invalid')])(
    'never of an answer that will stay the same',
    async (answer) => {
      expect(await run(read, answer)).toMatchObject({ sent: 1, waits: [] });
    },
  );

  test('of a write, only when an overloaded server refused it unseen', async () => {
    expect(await run(write, OVERLOADED, OVERLOADED, ok)).toMatchObject({ outcome: 'success', sent: 3 });
    for (const answer of [
      reset,
      failure(503, 'ServiceUnavailable'),
      failure(504, 'Timeout'),
      failure(429, 'TooManyRequests', {}, { 'retry-after': '1' }),
    ])
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
