// Waiting until the operators on a real server have nothing left to do.
import type { Outcome } from '../checks/check.ts';
import type { Expectation } from '../explore/expectation.ts';
import type { Plan } from '../explore/plan.ts';
import { isAsExpected, standingText } from '../explore/rest.ts';
import { readState } from '../explore/state.ts';
import type { RealContext } from './real-context.ts';
import type { RealProcess } from './real-process.ts';
import { lastsMs } from './sense.ts';
import { until } from './waiting.ts';

/** What follows from the last step without anybody waiting for it. */
const TAIL_MS = 500;
/** A fault that is aimed at what comes after everybody is content gets so long. */
const LATE_MS = 2_000;
/** A refusal shows at once; so long nothing may be written. */
const REFUSED_MS = 4_000;

/** Waits until every object is as expected and nothing follows, or a process is killed, or patience ends. */
export async function waitForRest(
  context: RealContext,
  plan: Plan,
  expectation: Expectation,
  processes: readonly RealProcess[],
  isAllStruck: () => boolean,
): Promise<Pick<Outcome, 'isAtRest' | 'standing'>> {
  const { stage, subject, ports, patienceMs } = context;
  const owners = { collections: subject.collections.filter(({ isOwner }) => isOwner) };
  const isEnded = (): boolean => processes.some(({ isAlive, isGivenUp }) => !isAlive || isGivenUp);
  const isWorking = async (): Promise<boolean> => (await Promise.all(processes.map((operator) => operator.isWorking()))).includes(true);
  const lastingMs = Math.max(0, ...plan.faults.map((fault) => ('forMs' in fault ? fault.forMs : 0)));
  const earliest = ports.clock.monotonic() + lastingMs;
  let isSettled = false;
  await until(ports, patienceMs + lastsMs(plan), async () => {
    if (isEnded()) return true;
    if (!(await isWorking()) || ports.clock.monotonic() < earliest) return false;
    isSettled = isAsExpected(subject, expectation, [...(await readState(stage, owners)).values()]);
    return isSettled || expectation.ends === 'refused';
  });
  if (expectation.ends === 'refused') await until(ports, REFUSED_MS, isEnded);
  else if (isSettled) {
    await until(ports, TAIL_MS, isEnded);
    await until(ports, LATE_MS, () => isEnded() || isAllStruck());
  }
  const objects = [...(await readState(stage, owners)).values()];
  return { isAtRest: isSettled || expectation.ends === 'refused', standing: objects.map(standingText) };
}
