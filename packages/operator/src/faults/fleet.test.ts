// A new release for many objects of which few may be moved at a time: those that wait cost next to nothing.
import { afterEach, expect, test } from 'vitest';
import { done, pending } from '@pawl/reconciler';
import { ConfigMaps } from '@pawl/reconciler/kubernetes';
import { partsOf } from '../controller/custom-object.ts';
import { FaultWorld, type PageStatus } from '../testing/fault-world.ts';
import { createPages, expectCalm } from '../testing/page-fleet.ts';
import { forPages, Pages, release } from '../testing/pages.ts';

const COUNT = 200;
/** The fleet's default: one in twenty. */
const AT_ONCE = COUNT / 20;
const SLOW_MS = 20_000;
let world: FaultWorld;
afterEach(() => world.close());

test('while a few objects are moved the others send nothing, are moved in turn, and never more at once than allowed', async () => {
  world = new FaultWorld({ actors: [], server: { logLimit: 1_000_000 } });
  const since = new Map<string, number>();
  const stored = (version: string) =>
    forPages.defineAction({
      name: 'Stored',
      owns: { configs: ConfigMaps },
      run: async ({ object: { metadata, spec }, cluster }) => {
        await cluster.configs.apply({ metadata: { name: metadata.name }, data: { text: spec.text, version } });
        if (version === '1') return done();
        const passed = world.clock.monotonic() - (since.get(metadata.name) ?? world.clock.monotonic());
        if (!since.has(metadata.name)) since.set(metadata.name, world.clock.monotonic());
        return passed >= SLOW_MS ? done() : pending('Warming', 'it takes its time', { requeueAfterMs: SLOW_MS - passed });
      },
    });
  const v1 = forPages.defineProcedure({ version: '1.0.0', actions: [stored('1')] });
  const first = stored('1');
  const one = forPages.defineProcedure({ version: '1.0.0', actions: [first] });
  const two = forPages.deriveProcedure(one, { version: '2.0.0', replace: [forPages.replaceAction(first, stored('2'))] });
  await world.install(release(v1));
  const old = await world.operator([release(one)], { workers: 8 });
  await createPages(world, COUNT);
  await world.until('all are at 1.0.0', async () => (await world.countAt('1.0.0')) === COUNT);
  await world.stop(old);
  world.tally.reset();
  const from = world.api.log.count();
  const began = world.clock.monotonic();
  await world.operator([release(one, two)], { workers: 8 });
  let most = 0;
  for (let isDone = false; !isDone; await world.run(2_000)) {
    const { items } = await world.client.list(Pages, { namespace: 'default' });
    const all = items.map((item) => (partsOf(item).status as PageStatus).procedure ?? {});
    most = Math.max(most, all.filter(({ target, phase }) => target !== undefined && phase !== 'Soaking').length);
    isDone = all.every(({ version, phase }) => version === '2.0.0' && phase === 'Steady');
  }
  expect(most).toBeLessThanOrEqual(AT_ONCE);
  // Ten at a time, each for twenty seconds at most: a part of that has passed while it waited for its turn.
  expect(world.clock.monotonic() - began).toBeLessThan((COUNT / AT_ONCE) * SLOW_MS);
  const sent = world.api.log.entries().filter(({ sequence, userAgent }) => sequence > from && userAgent === 'pawl/test');
  console.info(`${(sent.length / COUNT).toFixed(1)} requests for each of ${COUNT} upgrades, in ${(world.clock.monotonic() - began) / 1000} s`);
  expect(sent.length / COUNT).toBeLessThanOrEqual(40);
  await expectCalm(world, 600_000);
}, 60_000);
