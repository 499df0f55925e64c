// A server that is killed, forgets its history, is overloaded, fails, is slow, or falls silent: nothing is written twice, all
// comes to what is wanted, and then it is calm.
import { afterEach, expect, test } from 'vitest';
import { FaultWorld, type Replica } from '../testing/fault-world.ts';
import { overloaded, statusFault, type Fault, type FaultOf } from '../testing/faulty-transport.ts';
import { createPages, expectCalm, textsOf } from '../testing/page-fleet.ts';
import { Pages, release, v1, v2 } from '../testing/pages.ts';
import { fraction } from '../waiting.ts';
import { countingRandom } from '../testing/world.ts';

const MINUTE_MS = 60_000;
const COUNT = 5;
let world: FaultWorld;
afterEach(() => world.close());

async function fleetAt1(seed = 1): Promise<{ readonly replica: Replica; readonly names: readonly string[] }> {
  world = new FaultWorld({ seed });
  await world.install(release(v1));
  const replica = await world.operator([release(v1)]);
  const names = await createPages(world, COUNT);
  await world.until('all are at 1.0.0', async () => (await world.countAt('1.0.0')) === COUNT);
  return { replica, names };
}

/** Counts what arrives at a network, and lets a fault decide. */
function counted(replica: Replica, faultOf: FaultOf) {
  const sent: { readonly at: number; readonly what: string }[] = [];
  replica.network.setFaults((request, isWatch) => {
    const [path = ''] = request.path.split('?');
    sent.push({ at: world.clock.monotonic(), what: `${request.method} ${isWatch ? 'watch ' : ''}${path}` });
    return faultOf(request, isWatch);
  });
  return sent;
}

test('a server that is away for five minutes is not stormed, and what happened meanwhile is dealt with', async () => {
  const { replica, names } = await fleetAt1();
  const sent = counted(replica, () => 'refused');
  replica.network.dropWatches();
  await world.run(MINUTE_MS);
  for (const name of names) await world.edit(name, { text: `new ${name}` });
  await world.client.remove({ apiVersion: 'v1', kind: 'ConfigMap' }, { name: 'page-0-content', namespace: 'default' });
  await world.client.remove(Pages, { name: 'page-4', namespace: 'default' });
  await world.run(4 * MINUTE_MS);
  // Three kinds are watched; the pauses after failures grow to 30 s at most.
  expect(sent.length).toBeLessThan(3 * 40);
  replica.network.setFaults(undefined);
  await world.until('all is done', async () => {
    const texts = await textsOf(world);
    return names.slice(0, 4).every((name) => texts.get(`${name}-content`) === `new ${name}`) && !texts.has('page-4-content');
  }, MINUTE_MS);
  expect([...world.tally.created].filter(([, times]) => times > 1)).toEqual([['configmaps default/page-0-content', 2]]);
  await world.run(MINUTE_MS);
  world.tally.reset();
  await expectCalm(world);
});

test('a server that has forgotten its history is listed anew, and nothing that happened is missed', async () => {
  const { replica, names } = await fleetAt1();
  for (let round = 0; round < 5; round += 1) {
    replica.network.setFaults((_, isWatch) => (isWatch ? 'refused' : undefined));
    replica.network.dropWatches();
    for (const name of names) await world.edit(name, { text: `${name} ${round}` });
    world.api.compact();
    replica.network.setFaults(undefined);
    await world.until('the edits are carried out', async () => {
      const texts = await textsOf(world);
      return names.every((name) => texts.get(`${name}-content`) === `${name} ${round}`);
    }, MINUTE_MS);
  }
  await world.run(MINUTE_MS);
  await expectCalm(world);
});

test.each([2, 10, 60])('of an overloaded server the wish to wait for %i s is respected, call by call', async (seconds) => {
  const { replica, names } = await fleetAt1();
  const sent = counted(replica, () => overloaded(seconds));
  for (const name of names) await world.edit(name, { text: `new ${name}` });
  // Less than a resync, which comes whatever the server asked for.
  await world.run(9 * MINUTE_MS);
  for (const what of new Set(sent.map((each) => each.what))) {
    const times = sent.filter((each) => each.what === what).map(({ at }) => at);
    const gaps = times.slice(1).map((at, index) => at - (times[index] ?? 0));
    expect({ what, gaps: gaps.filter((gap) => gap < seconds * 1_000) }).toEqual({ what, gaps: [] });
  }
  expect(sent.length).toBeLessThan(30 * (600 / seconds));
  expect(sent.length).toBeGreaterThan(20);
  replica.network.setFaults(undefined);
  await world.until('all is done', async () => {
    const texts = await textsOf(world);
    return names.every((name) => texts.get(`${name}-content`) === `new ${name}`);
  }, 5 * MINUTE_MS);
  await world.run(MINUTE_MS);
  await expectCalm(world);
});

const AMBIGUOUS: readonly Fault[] = [
  'broken',
  'answer lost',
  'no answer',
  statusFault(500, 'InternalError'),
  statusFault(500, 'InternalError', true),
  { status: 502, body: 'bad gateway', commits: true },
  { status: 504, body: 'gateway timeout' },
  statusFault(503, 'ServiceUnavailable'),
];

test.each([1, 2, 3, 4])('failures before and after the commit, of every second request: nothing is created twice (%i)', async (seed) => {
  const { replica: old, names } = await fleetAt1(seed);
  await world.stop(old);
  const random = countingRandom(seed * 31);
  const replica = await world.operator([release(v1, v2)]);
  world.tally.reset();
  let suffered = 0;
  replica.network.setFaults((_, isWatch) => {
    if (isWatch || fraction(random) < 0.5) return undefined;
    suffered += 1;
    return AMBIGUOUS[Math.floor(fraction(random) * AMBIGUOUS.length)];
  });
  await world.run(10 * MINUTE_MS);
  expect(suffered).toBeGreaterThan(30);
  replica.network.setFaults(undefined);
  await world.until('all are at 2.0.0', async () => (await world.countAt('2.0.0')) === COUNT, 30 * MINUTE_MS);
  const texts = await textsOf(world);
  expect(names.map((name) => [texts.get(`${name}-text`), texts.has(`${name}-content`)])).toEqual(names.map((name) => [`I am ${name}`, false]));
  expect([...world.tally.created.values()].length).toBe(COUNT);
  expect([...world.tally.deleted.values()]).toEqual(names.map(() => 1));
  await world.run(MINUTE_MS);
  await expectCalm(world);
});

test.each([5, 6])('answers that come late, also long after nobody waits for them (%i)', async (seed) => {
  const { replica: old, names } = await fleetAt1(seed);
  await world.stop(old);
  const random = countingRandom(seed * 37);
  const replica = await world.operator([release(v1, v2)]);
  world.tally.reset();
  replica.network.setFaults(() => (fraction(random) < 0.4 ? { lateBy: Math.floor(fraction(random) * 25_000) } : undefined));
  await world.run(10 * MINUTE_MS);
  for (const name of names) await world.edit(name, { text: `late ${name}` });
  await world.run(10 * MINUTE_MS);
  replica.network.setFaults(undefined);
  await world.until('all are at 2.0.0', async () => (await world.countAt('2.0.0')) === COUNT, 30 * MINUTE_MS);
  await world.run(5 * MINUTE_MS);
  const texts = await textsOf(world);
  expect(names.map((name) => texts.get(`${name}-text`))).toEqual(names.map((name) => `late ${name}`));
  await expectCalm(world);
});

test('watches that are open but dead are noticed, and what they did not tell is dealt with', async () => {
  const { replica, names } = await fleetAt1();
  for (let round = 0; round < 3; round += 1) {
    expect(replica.network.muteWatches()).toBeGreaterThanOrEqual(3);
    for (const name of names) await world.edit(name, { text: `${name} ${round}` });
    await world.until('the edits are carried out', async () => {
      const texts = await textsOf(world);
      return names.every((name) => texts.get(`${name}-content`) === `${name} ${round}`);
    }, 2 * MINUTE_MS);
  }
  await world.run(5 * MINUTE_MS);
  await expectCalm(world);
});
