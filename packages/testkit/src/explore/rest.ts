// Letting a world run until its operators have nothing left to do.
import type { KubernetesObject } from '@pawl/reconciler/kubernetes';
import type { OperatorProcess } from '../world/operator-process.ts';
import type { World } from '../world/world.ts';
import type { Expectation } from './expectation.ts';
import { blockedOf, keyOf, readState, standingOf } from './state.ts';
import { isExplored, type Subject } from './subject.ts';

const MINUTE_MS = 60_000;
/** Long enough for the longest back-off several times over. */
const PATIENCE_MS = 40 * MINUTE_MS;
/** A refusal shows at once; so long nothing may be written. */
const REFUSED_MS = 5 * MINUTE_MS;
/** What follows the last step without anybody waiting for it. */
const TAIL_MS = 1_500;

export interface Rest {
  readonly isAtRest: boolean;
  /** Where the objects stand, for people. */
  readonly standing: readonly string[];
  /** A process was killed. */
  readonly isCrashed: boolean;
}

/**
 * Runs until every object is as expected and nothing follows, or a process is killed, or patience ends.
 * @param processes those that live, asked at each step
 * @param atLeastMs so long something may still come, such as the end of a partition
 */
export async function runToRest(
  world: World,
  subject: Subject,
  expectation: Expectation,
  processes: () => readonly OperatorProcess[],
  atLeastMs = 0,
): Promise<Rest> {
  const earliest = world.clock.now() + atLeastMs;
  const isCrashed = (): boolean => processes().some(({ isAlive }) => !isAlive);
  const owners = { collections: subject.collections.filter(({ isOwner }) => isOwner) };
  const isSettled = async (): Promise<boolean> => {
    if (world.clock.now() < earliest || !processes().some(({ isRunning }) => isRunning)) return false;
    return isAsExpected(subject, expectation, [...(await readState(world, owners)).values()]);
  };
  const patience = expectation.ends === 'refused' ? REFUSED_MS : PATIENCE_MS;
  const isReached = await world.run(patience, isSettled, isCrashed);
  if (isReached) await world.run(TAIL_MS, undefined, isCrashed);
  const objects = [...(await readState(world, owners)).values()];
  return { isAtRest: isReached || expectation.ends === 'refused', standing: objects.map(standingText), isCrashed: isCrashed() };
}

/** Whether every object is where it should be. Of a refusal nothing is to be seen in the objects. */
export function isAsExpected(subject: Subject, expectation: Expectation, objects: readonly KubernetesObject[]): boolean {
  if (expectation.ends === 'refused') return false;
  if (expectation.ends === 'gone') return objects.every((object) => !isExplored(subject, object));
  return objects.every((object) => {
    const { phase, version, isReady, isCurrent } = standingOf(object);
    const isThere = !isExplored(subject, object) || version === expectation.version || (version !== undefined && version === expectation.or);
    return phase === 'Steady' && isReady && isCurrent && isThere;
  });
}

/** Where an object stands, for people. */
export function standingText(object: KubernetesObject): string {
  const { phase, summary } = standingOf(object);
  const blocked = blockedOf(object);
  const why = blocked === undefined ? '' : `; ${blocked}`;
  return `${keyOf(object)} is ${phase ?? 'without a status'}${summary === undefined ? '' : ` (${summary})`}${why}`;
}
