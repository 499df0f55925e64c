// One object that always fails among a thousand that do not.
import { afterEach, expect, test } from 'vitest';
import { FaultWorld } from '../testing/fault-world.ts';
import { createPages, textRelease, textsOf } from '../testing/page-fleet.ts';

const HOUR_MS = 3_600_000;
let world: FaultWorld;
afterEach(() => world.close());

test('a poisoned object keeps nobody else from being done, and is tried rarely and for ever', async () => {
  world = new FaultWorld({ actors: [] });
  let isPoisonous = true;
  let tries = 0;
  const bundle = textRelease((name) => {
    if (name !== 'page-500' || !isPoisonous) return false;
    tries += 1;
    return true;
  });
  await world.install(bundle);
  const requests: string[] = [];
  world.api.log.onRequest(({ name, verb, resource, path, userAgent }) => {
    if (userAgent.startsWith('pawl') && (name.startsWith('page-500') || path.includes('page-500'))) requests.push(`${verb} ${resource} ${name}`);
  });
  await world.operator([bundle]);
  await createPages(world, 1_000);
  await world.until('all others are at 1.0.0', async () => (await world.countAt('1.0.0')) === 999, 60_000);
  expect((await textsOf(world)).size).toBeGreaterThanOrEqual(999);
  await world.run(HOUR_MS);
  tries = 0;
  requests.length = 0;
  world.tally.reset();
  await world.run(HOUR_MS);
  expect(requests.length, requests.join('\n')).toBeLessThanOrEqual(12);
  expect(world.tally.total()).toBeLessThanOrEqual(12);
  // Never later than after the longest pause.
  expect(tries).toBeGreaterThanOrEqual(12);
  const { actions } = await world.statusOf('page-500');
  expect(actions?.[0]).toMatchObject({ status: 'Unknown', reason: 'Failed', message: expect.stringContaining('this one never works') });
  isPoisonous = false;
  await world.until('it is mended', world.isAt('1.0.0', 'page-500'), 301_000);
}, 60_000);
