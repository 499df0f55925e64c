// The long look at an end state: a process that starts over it, watches that are renewed, resyncs that come round, and at
// last its end.
import type { Violation } from '../checks/check.ts';
import { writesOf } from '../checks/writes.ts';
import { World, type Snapshot } from '../world/world.ts';
import type { Context } from './context.ts';
import type { Release } from './subject.ts';

const HOUR_MS = 3_600_000;
/** Longer than a process may take to end. */
const ENDING_MS = 60_000;

/** What is wrong with a fresh process of a release that looks for an hour at a state in which nothing happens, and then ends. */
export async function faultsInAnHour({ subject, seed, onAction }: Context, snapshot: Snapshot, release: Release): Promise<readonly Violation[]> {
  const world = new World({ seed, fakes: subject.fakes, actors: subject.actors }, snapshot);
  const operator = world.start(1, [subject.packageOf(release)], { config: subject.config, protocol: subject.protocol, onAction });
  await world.run(HOUR_MS);
  const writes = writesOf(world.history).filter(({ plural }) => plural !== 'leases');
  let isEnded = false;
  void operator.stop().then(() => (isEnded = true));
  await world.run(ENDING_MS, () => isEnded);
  const { timers, connections } = operator.leftOf(world.clock);
  operator.kill();
  world.end();
  const [first] = writes;
  return [
    ...(first === undefined
      ? []
      : [{ check: 'stays quiet' as const, says: `a fresh process over the end state writes ${first.subject} within the next hour, although nothing happens` }]),
    ...(isEnded ? [] : [{ check: 'ends cleanly' as const, says: 'a process that was asked to end goes on for more than a minute' }]),
    ...(timers + connections === 0
      ? []
      : [{ check: 'ends cleanly' as const, says: `a process that has ended leaves ${timers} timers and ${connections} requests and watches behind` }]),
  ];
}
