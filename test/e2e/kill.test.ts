// The promise of the demo: kill -9 the operator before or after any of its writes, and its successor ends in the same state.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { OperatorChild, RELEASE_1, RELEASE_2 } from './operator-child.ts';
import { WebsiteWorld } from './website-world.ts';

type Moment = 'before' | 'after';
interface Story {
  readonly from: WebsiteWorld;
  readonly release: string;
  readonly version: string;
}

let fresh: WebsiteWorld;
let installed: WebsiteWorld;

beforeAll(async () => {
  fresh = await WebsiteWorld.open();
  installed = await WebsiteWorld.open(fresh);
  const operator = new OperatorChild(RELEASE_1, installed.url);
  await installed.until('1.0.0', () => operator.output);
  expect(await operator.stop()).toBe('exit code 0');
}, 30_000);

afterAll(async () => {
  await fresh.close();
  await installed.close();
});

/** Runs a story undisturbed; answers its end and how many writes it took. */
async function reference({ from, release, version }: Story): Promise<{ readonly state: unknown; readonly writes: number }> {
  let writes = 0;
  const world = await WebsiteWorld.open(from, async (count) => {
    writes = count;
    return 'go on';
  });
  const operator = new OperatorChild(release, world.url);
  try {
    await world.until(version, () => operator.output);
    await operator.stop();
    return { state: await world.finalState(), writes };
  } finally {
    await operator.kill();
    await world.close();
  }
}

/** Runs a story, kills the operator around its n-th write, and lets a second one end it. */
async function killedAt({ from, release, version }: Story, at: number, moment: Moment): Promise<unknown> {
  const killed = Promise.withResolvers<void>();
  let isKilled = false;
  const world = await WebsiteWorld.open(from, async (count, now) => {
    if (isKilled || count !== at || now !== moment) return 'go on';
    isKilled = true;
    await first.kill();
    killed.resolve();
    return 'drop';
  });
  const first = new OperatorChild(release, world.url);
  let second: OperatorChild | undefined;
  try {
    // How many reports a run writes depends on how fast its pods are: one that needs fewer ends without being killed.
    await Promise.race([killed.promise, first.ended, world.until(version, () => first.output)]);
    if (!isKilled) await first.stop();
    if (!isKilled) return await world.finalState();
    const successor = (second = new OperatorChild(release, world.url));
    await successor.working();
    await world.until(version, () => successor.output);
    expect(await successor.stop()).toBe('exit code 0');
    return await world.finalState();
  } finally {
    await first.kill();
    await second?.kill();
    await world.close();
  }
}

async function everyKillEndsAlike(story: Story): Promise<void> {
  const { state, writes } = await reference(story);
  expect(writes).toBeGreaterThan(5);
  const runs = Array.from({ length: writes }, (_, index) => index + 1).flatMap((at) =>
    (['before', 'after'] as const).map((moment) => ({ at, moment })),
  );
  const next = async (): Promise<void> => {
    for (let run = runs.shift(); run !== undefined; run = runs.shift()) {
      const found = await killedAt(story, run.at, run.moment);
      expect({ ...run, state: found }).toEqual({ ...run, state });
    }
  };
  await Promise.all([next(), next()]);
}

test('an install ends in the same state wherever its operator is killed', async () => {
  await everyKillEndsAlike({ from: fresh, release: RELEASE_1, version: '1.0.0' });
}, 900_000);

test('an upgrade ends in the same state wherever its operator is killed', async () => {
  await everyKillEndsAlike({ from: installed, release: RELEASE_2, version: '2.0.0' });
}, 900_000);
