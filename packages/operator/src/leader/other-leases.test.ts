// Two installations of an operator on one cluster: what one of them drives, the other leaves alone.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { partsOf } from '../controller/custom-object.ts';
import { crashingTransport } from '../testing/crashing-transport.ts';
import { page, Pages, release, v1, v2 } from '../testing/pages.ts';
import { World } from '../testing/world.ts';

let world: World;
beforeEach(async () => {
  world = new World();
  await world.install(release(v1));
});
afterEach(() => world.close());

const isAt = (version: string) => async (): Promise<boolean> => {
  const found = await world.get(Pages.apiVersion, Pages.kind, 'front', 'default');
  const { procedure } = (found === undefined ? {} : partsOf(found).status) as { procedure?: { version?: string; phase?: string } };
  return procedure?.version === version && procedure.phase === 'Steady';
};
const blue = { operatorName: 'blue', leaseNamespace: 'default' };
const green = { operatorName: 'green', leaseNamespace: 'default' };
const writesOf = (name: string, since: number): readonly string[] =>
  world.writes(since, `pawl/${name}`).filter((write) => !write.includes('leases') && !write.includes('events'));

test('while the first installation is alive the second writes nothing, not even status; then it goes on', async () => {
  const first = await world.operator([release(v1)], blue);
  await world.client.create(Pages, page('front'));
  await world.until('front is at 1.0.0', isAt('1.0.0'));
  const mark = world.mark;
  await world.operator([release(v1, v2)], green);
  await world.run(120_000);
  expect(writesOf('green', mark)).toEqual([]);
  await world.stop(first);
  await world.until('front is at 2.0.0', isAt('2.0.0'), 300_000);
});

test('an installation that was killed is followed when its Lease has run out', async () => {
  const killed = crashingTransport(world.api);
  await world.operator([release(v1)], blue, killed);
  await world.client.create(Pages, page('front'));
  await world.until('front is at 1.0.0', isAt('1.0.0'));
  killed.kill();
  const mark = world.mark;
  await world.operator([release(v1, v2)], green);
  await world.run(40_000);
  expect(writesOf('green', mark)).toEqual([]);
  await world.until('front is at 2.0.0', isAt('2.0.0'), 400_000);
  await world.abandon();
  world = new World();
});
