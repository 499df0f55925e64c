// One plan on a real server: the same story as in the simulation, told in real time by processes of their own.
import type { Outcome } from '../checks/check.ts';
import { askRollback, doDeed } from '../explore/deeds.ts';
import { editsOf, expected, isGoing, reached } from '../explore/expected.ts';
import type { Plan, Turn } from '../explore/plan.ts';
import { readState, type State } from '../explore/state.ts';
import type { HistoryEvent } from '../world/history.ts';
import { aimedScript, type Aim } from './aims.ts';
import { freshState, install } from './fresh.ts';
import { configOf, type RealContext } from './real-context.ts';
import { RealProcess } from './real-process.ts';
import { waitForRest } from './real-rest.ts';
import { lastsMs } from './sense.ts';
import type { Simulated } from './simulated.ts';
import { pause } from './waiting.ts';

export interface RealRun {
  readonly outcome: Outcome;
  /** Faults whose moment never came. */
  readonly missed: readonly Aim[];
}

/** @throws {ClusterError} if the cluster refuses something, the plan's beginning cannot be made, or all is called off */
export async function runReal(context: RealContext, { plan, aims }: Simulated): Promise<RealRun> {
  const { stage, subject, ports, masks = [] } = context;
  const history: HistoryEvent[] = [];
  const struck = new Set<Aim>();
  await stage.clear();
  if (plan.start !== undefined) await install(context, plan.start, [], plan.seed);
  await doDeed(stage, subject, plan.deed);
  const processes: RealProcess[] = [];
  try {
    const story = await tellStory(context, plan, async (turn, index) => {
      const operator = await RealProcess.start(
        {
          number: index + 1,
          kind: plan.kind,
          release: turn.release,
          config: configOf(context, plan, index + 1),
          script: aimedScript(aims, index + 1, (aim) => struck.add(aim)),
          history,
          onEdit: (edit) => doDeed(stage, subject, { does: 'edit', edit }),
        },
        ports,
      );
      processes.push(operator);
      return operator;
    }, history, (process) => aims.every((aim) => aim.fault.process !== process || struck.has(aim)));
    const restAt = history.length;
    if (story.isAtRest && story.expectation.ends !== 'refused') await pause(ports, context.quietMs);
    const final = await readState(stage, subject);
    await Promise.all(processes.map((operator) => operator.end()));
    const fresh = story.expectation.ends === 'at' ? await freshState(context, reached(subject, final, story.expectation), editsOf(plan), plan.seed) : undefined;
    const outcome: Outcome = {
      subject,
      plan,
      history,
      restAt,
      final,
      fresh,
      masks,
      invariantFaults: faultsInTheEnd(context, final, history.length),
      escapes: [],
      unhandled: [],
      unanswered: [],
      usual: undefined,
      waited: `${(context.patienceMs + lastsMs(plan)) / 1_000} s`,
      ...story,
    };
    return { outcome, missed: aims.filter((aim) => !struck.has(aim)) };
  } finally {
    await Promise.all(processes.map((operator) => operator.end()));
  }
}

type Told = Pick<Outcome, 'expectation' | 'lastStart' | 'isAtRest' | 'standing'>;

/** The turns one after the other; as in the simulation the last one begins again as long as it is killed. */
async function tellStory(
  context: RealContext,
  plan: Plan,
  start: (turn: Turn, index: number) => Promise<RealProcess>,
  history: readonly HistoryEvent[],
  isStruck: (process: number) => boolean,
): Promise<Told> {
  const { stage, subject } = context;
  let told: Told = { expectation: { ends: 'refused', why: 'nothing ran' }, lastStart: 0, isAtRest: false, standing: [] };
  let together: readonly RealProcess[] = [];
  for (let index = 0; index < plan.turns.length || together.at(-1)?.isAlive === false; index += 1) {
    const turn = plan.turns[index] ?? plan.turns.at(-1);
    if (turn === undefined) break;
    if (turn.rollback !== undefined) await askRollback(stage, subject, turn.rollback);
    if (turn.deletes === true) await doDeed(stage, subject, { does: 'delete' });
    const lastStart = history.length;
    const turns: Turn[] = [turn];
    for (let next = plan.turns[index + 1]; next?.beside === true; next = plan.turns[index + turns.length]) turns.push(next);
    const expectation = await expected(stage, subject, isGoing(plan, index + turns.length - 1), turns);
    const started: RealProcess[] = [];
    for (const [place, one] of turns.entries()) started.push(await start(one, index + place));
    together = started;
    index += turns.length - 1;
    const isLast = index + 1 >= plan.turns.length;
    told = { expectation, lastStart, ...(await waitForRest(context, plan, expectation, together, () => started.every(({ number }) => isStruck(number)))) };
    await Promise.all(together.filter(({ isAlive }) => !isLast || !isAlive).map((operator) => operator.end()));
  }
  return told;
}

/** Invariants are asked in the end only: between two writes nobody stops a real cluster. */
function faultsInTheEnd({ invariants = [] }: RealContext, final: State, at: number): Outcome['invariantFaults'] {
  return invariants.flatMap(({ name, faults }) => faults({ objects: [...final.values()], externals: {} }).map((says) => ({ invariant: name, says, at })));
}
