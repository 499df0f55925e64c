// The long look at an end state: a process that starts over it, watches that are renewed, resyncs that come round.
import { writesOf } from '../checks/writes.ts';
import { World, type Snapshot } from '../world/world.ts';
import type { Context } from './context.ts';
import type { Release } from './subject.ts';

const HOUR_MS = 3_600_000;

/** How many writes a fresh process of a release sends in an hour over a state in which nothing happens. */
export async function writesInAnHour({ subject, seed }: Context, snapshot: Snapshot, release: Release): Promise<number> {
  const world = new World({ seed, fakes: subject.fakes, actors: subject.actors }, snapshot);
  const operator = world.start(1, [subject.packageOf(release)], { config: subject.config, protocol: subject.protocol });
  await world.run(HOUR_MS);
  const writes = writesOf(world.history).filter(({ plural }) => plural !== 'leases').length;
  operator.kill();
  world.end();
  return writes;
}
