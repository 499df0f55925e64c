// Thousands of objects at once, and then an operator that finds them all there.
import { expect, test } from 'vitest';
import { FaultWorld } from '../testing/fault-world.ts';
import { createPages, textRelease } from '../testing/page-fleet.ts';

/** Ten thousand take some minutes, most of them in the server in this process: `PAWL_OBJECTS=10000`. */
const COUNT = Number(process.env['PAWL_OBJECTS'] ?? 1_500);
const MB = 1024 * 1024;

test(`${COUNT} objects at once are brought up in bounded memory, each with few requests, and a successor writes nothing`, async () => {
  const world = new FaultWorld({ actors: [], server: { logLimit: 1_000, watchWindow: 1_000, watchBacklog: 100_000 } });
  const bundle = textRelease();
  await world.install(bundle);
  await createPages(world, COUNT);
  const before = process.memoryUsage().heapUsed;
  const began = performance.now();
  const first = await world.operator([bundle], { workers: 16 });
  while ((await world.countAt('1.0.0')) < COUNT) await world.run(5_000);
  const seconds = (performance.now() - began) / 1_000;
  const grown = (process.memoryUsage().heapUsed - before) / MB;
  console.info(`${COUNT} objects: ${seconds.toFixed(1)} s with the server in the same process, heap + ${grown.toFixed(0)} MB, ${world.tally.total()} writes`);
  expect(world.tally.createdTwice()).toEqual([]);
  expect(world.tally.created.size).toBe(COUNT);
  expect(world.tally.total() / COUNT).toBeLessThanOrEqual(6);
  // The server's own copies and its history are in it.
  expect(grown).toBeLessThan(200 + COUNT * 0.06);
  await world.stop(first);
  world.tally.reset();
  const second = await world.operator([bundle], { workers: 16 });
  await world.run(60_000);
  expect(world.tally.total()).toBe(0);
  await world.stop(second);
  await world.close();
}, 600_000);
