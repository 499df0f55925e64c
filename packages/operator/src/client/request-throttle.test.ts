// Requests of one process, limited: how many a second, in which order, and what is never held up.
import { afterEach, describe, expect, test } from 'vitest';
import { FaultWorld } from '../testing/fault-world.ts';
import { fixedRandom } from '../testing/fixed-random.ts';
import { ManualClock } from '../testing/manual-clock.ts';
import { page, Pages, release, v1 } from '../testing/pages.ts';
import { failure, ScriptedTransport } from '../testing/scripted-transport.ts';
import { KubeClient } from './kube-client.ts';
import { RequestThrottle } from './request-throttle.ts';

const settle = () => new Promise((resolve) => setImmediate(resolve));

describe('a throttle of 2 a second and 3 at once', () => {
  function setUp() {
    const clock = new ManualClock();
    const waits: number[] = [];
    const throttle = new RequestThrottle({ qps: 2, burst: 3, clock, onAdmitted: (_method, ms) => waits.push(ms) });
    const begun: string[] = [];
    const ask = (name: string, signal?: AbortSignal): Promise<void> => throttle.admit('GET', signal).then(() => void begun.push(name));
    const pass = async (ms: number): Promise<void> => {
      await settle();
      clock.advance(ms);
      await settle();
    };
    return { ask, pass, begun, waits };
  }

  test('lets the burst through at once, then one each half second, in order', async () => {
    const { ask, pass, begun, waits } = setUp();
    for (const name of ['a', 'b', 'c', 'd', 'e']) void ask(name);
    await pass(0);
    expect(begun).toEqual(['a', 'b', 'c']);
    await pass(499);
    expect(begun).toEqual(['a', 'b', 'c']);
    await pass(1);
    expect(begun).toEqual(['a', 'b', 'c', 'd']);
    await pass(500);
    expect(begun).toEqual(['a', 'b', 'c', 'd', 'e']);
    expect(waits).toEqual([0, 0, 0, 500, 1_000]);
  });

  test('who gives up leaves the queue, and takes nobody’s turn', async () => {
    const { ask, pass, begun } = setUp();
    for (const name of ['a', 'b', 'c']) void ask(name);
    const giving = new AbortController();
    const refused = ask('d', giving.signal);
    void ask('e');
    await pass(0);
    giving.abort(new Error('no longer wanted'));
    await expect(refused).rejects.toThrow('no longer wanted');
    await pass(500);
    expect(begun).toEqual(['a', 'b', 'c', 'e']);
  });

  test('a pause fills it up again, but not beyond the burst', async () => {
    const { ask, pass, begun } = setUp();
    await pass(60_000);
    for (const name of ['a', 'b', 'c', 'd']) void ask(name);
    await pass(0);
    expect(begun).toEqual(['a', 'b', 'c']);
  });
});

test('whoever lost the right to write while it waited sends nothing', async () => {
  const clock = new ManualClock();
  const transport = new ScriptedTransport(() => ({ body: { metadata: { name: 'a', uid: 'a', resourceVersion: '1' } } }));
  let mayWrite = true;
  const beforeMutation = (): void => {
    if (!mayWrite) throw new Error('the Lease is lost');
  };
  const throttle = new RequestThrottle({ qps: 1, burst: 1, clock });
  const client = new KubeClient({ transport, clock, random: fixedRandom(0.5), throttle, beforeMutation });
  const pods = { apiVersion: 'v1', kind: 'Pod', plural: 'pods', namespaced: true };
  const patch = (): Promise<unknown> => client.mergePatch(pods, { name: 'a', namespace: 'b' }, {});
  await patch();
  const second = patch();
  await settle();
  mayWrite = false;
  clock.advance(1_000);
  await expect(second).rejects.toThrow('the Lease is lost');
  expect(transport.requests).toHaveLength(1);
});

test('an attempt that is repeated waits as well, and the time to wait for the first turn is not taken from the call', async () => {
  const clock = new ManualClock();
  const transport = new ScriptedTransport((_request, n) => (n === 1 ? {} : n === 2 ? failure(503, 'ServiceUnavailable') : { body: {} }));
  const throttle = new RequestThrottle({ qps: 1 / 60, burst: 1, clock });
  const client = new KubeClient({ transport, clock, random: fixedRandom(0), throttle, timeoutMs: 61_000 });
  await client.raw({ method: 'GET', path: '/version' });
  const second = client.raw({ method: 'GET', path: '/version' });
  for (const expected of [1, 2, 3]) {
    await settle();
    expect(transport.requests).toHaveLength(expected);
    clock.advance(60_000);
    await settle();
    await settle();
  }
  expect(await second).toEqual({});
});

describe('an operator with 2 requests a second', () => {
  let world: FaultWorld;
  afterEach(() => world.close());

  test('keeps to it while many objects are new, keeps its Lease, and brings all of them up', async () => {
    world = new FaultWorld();
    await world.install(release(v1));
    const limited = { leaseNamespace: 'default', podName: 'one', clientQps: 2, clientBurst: 4 };
    await world.operator([release(v1)], limited);
    const from = world.clock.monotonic();
    const sent: { readonly at: number; readonly resource: string }[] = [];
    world.api.log.onRequest(({ verb, resource, userAgent }) => {
      if (userAgent === 'pawl/test' && verb !== 'watch') sent.push({ at: world.clock.monotonic(), resource });
      else if (userAgent.startsWith('pawl-leader-election')) sent.push({ at: world.clock.monotonic(), resource: 'lease' });
    });
    const names = Array.from({ length: 10 }, (_, index) => `page-${index}`);
    for (const name of names) await world.client.create(Pages, page(name));
    await world.until('all pages are at 1.0.0', async () => (await Promise.all(names.map((name) => world.isAt('1.0.0', name)()))).every(Boolean), 600_000);
    const requests = sent.filter(({ resource }) => resource !== 'lease');
    for (const { at } of requests)
      expect(requests.filter((other) => other.at >= at && other.at < at + 10_000).length).toBeLessThanOrEqual(24);
    expect(requests.length).toBeGreaterThan(40);
    const renewals = sent.filter(({ resource }) => resource === 'lease').map(({ at }) => at);
    const gaps = renewals.map((at, index) => at - (renewals[index - 1] ?? from));
    expect(Math.max(...gaps)).toBeLessThanOrEqual(11_000);
    expect(world.logged.filter(({ level }) => level === 'error')).toEqual([]);
  });
});
