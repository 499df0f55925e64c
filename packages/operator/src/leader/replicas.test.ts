import { afterEach, beforeEach, expect, test } from 'vitest';
import { partsOf } from '../controller/custom-object.ts';
import { crashingTransport } from '../testing/crashing-transport.ts';
import { page, Pages, release, v1, v2 } from '../testing/pages.ts';
import { World } from '../testing/world.ts';
import type { Transport } from '../transport/transport.ts';
import { LEASES } from './lease.ts';

let world: World;
beforeEach(async () => {
  world = new World();
  await world.install(release(v1));
});
afterEach(() => world.close());

const LEASE = { leaseNamespace: 'default' };
const isAt = (version: string) => async (): Promise<boolean> => {
  const found = await world.get(Pages.apiVersion, Pages.kind, 'front', 'default');
  const { procedure } = (found === undefined ? {} : partsOf(found).status) as { procedure?: { version?: string; phase?: string } };
  return procedure?.version === version && procedure.phase === 'Steady';
};

/** A network that can be cut, and that counts what is written through it. */
function network() {
  let isCut = false;
  let writes = 0;
  const transport: Transport = {
    request: (request) => {
      if (isCut) return Promise.reject(new Error('no route to host'));
      if (request.method !== 'GET' && !request.path.includes('/leases')) writes += 1;
      return world.api.request(request);
    },
    watch: (request) => (isCut ? Promise.reject(new Error('no route to host')) : world.api.watch(request)),
  };
  return { transport, writes: () => writes, cut: () => (isCut = true) };
}

test('of two replicas one writes; when it stops, the other goes on at once, with its newer version', async () => {
  const [one, two] = [network(), network()];
  const first = await world.operator([release(v1)], { ...LEASE, podName: 'one' }, one.transport);
  const second = await world.operator([release(v1, v2)], { ...LEASE, podName: 'two' }, two.transport);
  expect([first.isReady, second.isReady]).toEqual([true, true]);
  await world.client.create(Pages, page('front'));
  await world.until('front is at 1.0.0', isAt('1.0.0'));
  await world.run(60_000);
  expect(two.writes()).toBe(0);
  const mark = one.writes();
  await world.stop(first);
  await world.until('front is at 2.0.0', isAt('2.0.0'), 20_000);
  expect(one.writes()).toBe(mark);
});

test('a leader without a network stops, says so, and the other takes over when the Lease has run out', async () => {
  const [one, two] = [network(), network()];
  const first = await world.operator([release(v1)], { ...LEASE, podName: 'one' }, one.transport);
  await world.operator([release(v1, v2)], { ...LEASE, podName: 'two' }, two.transport);
  await world.client.create(Pages, page('front'));
  await world.until('front is at 1.0.0', isAt('1.0.0'));
  let lost: string | undefined;
  void first.lost.then((reason) => (lost = reason));
  one.cut();
  await world.run(41_000);
  expect(lost).toBe('the Lease was not renewed in time');
  expect(two.writes()).toBe(0);
  await world.until('front is at 2.0.0', isAt('2.0.0'), 90_000);
  const found = await world.client.get(LEASES, { namespace: 'default', name: 'pawl-test' });
  expect(found).toMatchObject({ spec: { holderIdentity: expect.stringMatching(/^two_/), leaseTransitions: 1 } });
});

test('a replica that was killed in the middle of an upgrade is followed by one that completes it', async () => {
  const killed = crashingTransport(world.api, { atWrite: 12, moment: 'after' });
  await world.operator([release(v1, v2)], { ...LEASE, podName: 'one' }, killed);
  await world.client.create(Pages, page('front'));
  await world.until('the first one is dead', killed.isDead, 60_000);
  const { transport } = network();
  const second = await world.operator([release(v1, v2)], { ...LEASE, podName: 'two' }, transport);
  await world.until('front is at 2.0.0', isAt('2.0.0'), 180_000);
  await world.stop(second);
  await world.abandon();
  world = new World();
});
