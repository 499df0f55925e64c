// Three replicas whose leaders are killed, cut off, and frozen, again and again: at any moment one writes.
import { afterEach, expect, test } from 'vitest';
import type { Transport } from '../transport/transport.ts';
import { FaultWorld, type Replica } from '../testing/fault-world.ts';
import { createPages, expectCalm, textRelease, textsOf } from '../testing/page-fleet.ts';
import { fraction } from '../waiting.ts';
import { countingRandom } from '../testing/world.ts';

const MINUTE_MS = 60_000;
const LEASE = {
  leaseNamespace: 'default',
  leaseDurationMs: 8_000,
  renewDeadlineMs: 4_000,
  retryPeriodMs: 1_000,
  requestTimeoutMs: 2_000,
  skewMs: 1_000,
  shutdownMs: 1_000,
};
const COUNT = 20;
let world: FaultWorld;
afterEach(() => world.close());

test.each([1, 2, 3])('leaders killed, cut off or slow every 10 to 30 s for ten minutes (%i)', async (seed) => {
  world = new FaultWorld({ actors: [], seed });
  const bundle = textRelease();
  await world.install(bundle);
  const random = countingRandom(seed * 41);
  const chance = (below: number): number => Math.floor(fraction(random) * below);
  /** Who wrote, in the order in which it took effect. */
  const writers: string[] = [];
  const through = (podName: string): Transport => ({
    request: async (request) => {
      const isWrite = request.method !== 'GET' && !request.path.includes('dryRun') && !/leases|events/.test(request.path);
      if (isWrite) writers.push(podName);
      return world.api.request(request);
    },
    watch: world.api.watch,
  });
  let started = 0;
  const start = async (): Promise<Replica> => {
    const podName = `pod-${(started += 1)}`;
    return world.operator([bundle], { ...LEASE, podName }, through(podName), 100);
  };
  let replicas = [await start(), await start(), await start()];
  const names = await createPages(world, COUNT);
  let disturbed = 0;
  for (let passed = 0; passed < 10 * MINUTE_MS; ) {
    const next = 10_000 + chance(20_000);
    passed += next;
    for (let part = 0; part < 5; part += 1) {
      await world.edit(names[chance(COUNT)] ?? '', { text: `${passed} ${part}` });
      await world.run(next / 5);
    }
    const last = writers.at(-1) ?? '';
    const lease = (await world.get('coordination.k8s.io/v1', 'Lease', 'pawl-test')) as { readonly spec?: { readonly holderIdentity?: string } } | undefined;
    const holder = lease?.spec?.holderIdentity?.split('_')[0] ?? last;
    const index = replicas.findIndex(({ podName }) => podName === holder);
    const leader = replicas[index];
    if (leader === undefined) continue;
    disturbed += 1;
    const kind = chance(3);
    // Killed: nothing goes out or comes in any more. Slow: what it sends arrives when others may have begun.
    if (kind === 0) leader.network.setFaults(() => 'no answer');
    else if (kind === 1) leader.network.setFaults(() => 'refused');
    else leader.network.setFaults((_, isWatch) => (isWatch ? undefined : { lateBy: chance(2_000) }));
    leader.network.dropWatches();
    await world.run(5_000);
    if (kind !== 2) {
      leader.network.setFaults(() => 'refused');
      await world.stop(leader);
      replicas = [...replicas.filter((each) => each !== leader), await start()];
    } else leader.network.setFaults(undefined);
  }
  for (const { network } of replicas) network.setFaults(undefined);
  expect(disturbed).toBeGreaterThan(15);
  for (const name of names) await world.edit(name, { text: `last ${name}` });
  await world.until('all is done', async () => {
    const texts = await textsOf(world);
    return names.every((name) => texts.get(name) === `last ${name}`);
  }, 2 * MINUTE_MS);
  await world.run(MINUTE_MS);
  // Each writes in one stretch: whoever has been followed by another never writes again.
  const stretches = writers.filter((name, index) => name !== writers[index - 1]);
  expect(stretches).toEqual([...new Set(writers)]);
  await expectCalm(world, 10 * MINUTE_MS);
});
