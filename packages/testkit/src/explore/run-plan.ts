// One run: a plan carried out in a world of its own, and what is to be checked of it.
import type { ActorName } from '@pawl/kube-api';
import type { scriptByCount } from '../world/fault-script.ts';
import { randomStream } from '../world/sim-random.ts';
import type { Fault } from '../world/faults.ts';
import type { HistoryEvent } from '../world/history.ts';
import type { OperatorProcess } from '../world/operator-process.ts';
import { World, type Snapshot } from '../world/world.ts';
import type { Outcome } from '../checks/check.ts';
import type { Context } from './context.ts';
import { askRollback, doDeed } from './deeds.ts';
import { editsOf, expected, isGoing, reached } from './expected.ts';
import type { Expectation } from './expectation.ts';
import type { Plan, Turn } from './plan.ts';
import { watchInvariants } from './invariants.ts';
import { runToRest } from './rest.ts';
import { readState } from './state.ts';
import type { Subject } from './subject.ts';

/** A moment at which the process of a turn can be killed, with the world as it was then. */
export interface CrashPoint {
  readonly turn: number;
  readonly write: number;
  readonly moment: 'before' | 'after';
  readonly snapshot: Snapshot;
  /** What had happened until then. */
  readonly past: readonly HistoryEvent[];
}

export interface RunOptions {
  /** Begins where the process of a turn was killed, instead of running up to there. */
  readonly from?: CrashPoint;
  /** Keeps the crash points of this turn. */
  readonly capture?: number;
  readonly usual?: ReadonlyMap<string, number>;
  /** Which faults strike where. Default: as the plan counts. */
  readonly script?: typeof scriptByCount;
}

export interface Run {
  readonly outcome: Outcome;
  readonly points: readonly CrashPoint[];
  /** Of each process: how much there is to go wrong. */
  readonly counts: ReadonlyMap<number, { readonly requests: number; readonly writes: number; readonly events: number }>;
  readonly finalSnapshot: Snapshot;
}

const LOOK_AGAIN_MS = 1_000;
/** By then an operator at rest has begun to repair what it watches. */
const NOTICED_MS = 5_000;

export async function runPlan(context: Context, plan: Plan, { from, capture, usual, script }: RunOptions = {}): Promise<Run> {
  const { subject } = context;
  const world = new World(
    {
      seed: plan.seed,
      faults: plan.faults,
      fakes: subject.fakes,
      actors: actorsOf(subject, plan),
      ...(plan.order === undefined ? {} : { choose: chooser(plan.order) }),
    },
    from?.snapshot ?? (await beginning(context, plan)),
  );
  if (from === undefined) await doDeed(world, subject, plan.deed);
  else world.history.push(...from.past, { type: 'note', atMs: world.clock.now(), process: from.turn + 1, says: killed(from) });
  const invariants = watchInvariants(world, context);
  const points: CrashPoint[] = [];
  const processes: OperatorProcess[] = [];
  const story = await tellStory({ world, context, plan, processes, first: from === undefined ? 0 : from.turn + 1, script, onWrite: (turn, write, moment) => {
    if (moment === 'after') invariants.look();
    if (turn === capture) keepPoint(points, { turn, write, moment, snapshot: world.snapshot(), past: world.history.slice() });
  } });
  const restAt = world.history.length;
  if (story.isAtRest) await lookAgain(world, processes);
  const final = await readState(world, subject);
  const { expectation } = story;
  
  const fresh = expectation.ends === 'at' ? (await context.peace(reached(subject, final, expectation), editsOf(plan))).state : undefined;
  const invariantFaults = await invariants.faults(world);
  const counts = new Map(processes.map(({ number, transport: { requests, writes, events } }) => [number, { requests, writes, events }]));
  const finalSnapshot = world.snapshot();
  const unanswered = processes.flatMap(({ isAlive, running }) => (isAlive ? running : [])).map((running) => ({ ...running, forMs: world.clock.now() - running.sinceMs }));
  for (const operator of processes) operator.kill();
  world.end();
  const { history } = world;
  return {
    outcome: { subject, plan, history, restAt, final, fresh, masks: context.masks, invariantFaults, escapes: [], unhandled: [], unanswered, usual, ...story },
    points,
    counts,
    finalSnapshot,
  };
}

/** What somebody deletes takes with it what it owns, as the garbage collector sees to it. */
function actorsOf({ actors }: Subject, { faults }: Plan): readonly ActorName[] {
  const isNeeded = faults.some((fault) => fault.kind === 'person' && (fault.does === 'deletes' || fault.does === 'unfinalizes'));
  return isNeeded ? [...new Set([...actors, 'garbageCollector' as const])] : actors;
}

async function beginning(context: Context, { from, start }: Plan): Promise<Snapshot> {
  if (from !== undefined) return context.start(from);
  return start === undefined ? context.empty() : (await context.peace(start)).snapshot;
}

const killed = ({ write, moment }: CrashPoint): string => `killed ${moment === 'before' ? 'before' : 'right after'} write ${write}`;

/** The state after a write is that before the next one, unless something else has happened between. */
function keepPoint(points: CrashPoint[], point: CrashPoint): void {
  const last = points.at(-1);
  const isSame =
    last !== undefined &&
    last.moment === 'after' &&
    last.snapshot.api.resourceVersion() === point.snapshot.api.resourceVersion() &&
    JSON.stringify(last.snapshot.externals) === JSON.stringify(point.snapshot.externals);
  if (isSame) points.pop();
  points.push(point);
}

interface Story {
  readonly world: World;
  readonly context: Context;
  readonly plan: Plan;
  readonly processes: OperatorProcess[];
  readonly first: number;
  readonly onWrite: (turn: number, write: number, moment: 'before' | 'after') => void;
  readonly script: RunOptions['script'];
}

interface Told {
  readonly expectation: Expectation;
  readonly lastStart: number;
  readonly isAtRest: boolean;
  readonly standing: readonly string[];
}

/** The turns one after the other. */
async function tellStory({ world, context, plan, processes, first, onWrite, script }: Story): Promise<Told> {
  const { subject } = context;
  const usesLease = plan.turns.some(({ beside }) => beside === true);
  if (usesLease) await world.watchLease();
  let told: Told = { expectation: { ends: 'refused', why: 'nothing ran' }, lastStart: world.history.length, isAtRest: false, standing: [] };
  for (let index = first; index < plan.turns.length || processes.at(-1)?.isAlive === false; index += 1) {
    const turn = plan.turns[index] ?? plan.turns.at(-1);
    if (turn === undefined) break;
    if (turn.rollback !== undefined) await askRollback(world, subject, turn.rollback);
    if (turn.deletes === true) await doDeed(world, subject, { does: 'delete' });
    const lastStart = world.history.length;
    const started = (one: Turn, at: number): OperatorProcess =>
      world.start(at + 1, [subject.packageOf(one.release)], {
        lease: usesLease,
        protocol: subject.protocol,
        config: subject.config,
        onWrite: (write, moment) => onWrite(at, write, moment),
        onEdit: (edit) => doDeed(world, subject, { does: 'edit', edit }),
        script,
        onAction: context.onAction,
        ...(usesLease ? { holder: world.leaseHolder } : {}),
      });
    processes.push(started(turn, index));
    const together = [processes.at(-1)];
    while (plan.turns[index + 1]?.beside === true) {
      index += 1;
      const next = plan.turns[index];
      if (next !== undefined) processes.push(started(next, index));
      together.push(processes.at(-1));
    }
    const expectation = await expected(world, subject, isGoing(plan, index), together.length > 1 ? plan.turns.slice(-together.length) : [turn]);
    const alive = together.filter((one) => one !== undefined);
    let rest = await runToRest(world, subject, expectation, () => alive, lastingMs(plan));
    for (const fault of rest.isAtRest ? atRest(plan, index) : []) {
      await world.strike(fault);
      rest = await runToRest(world, subject, expectation, () => alive, NOTICED_MS);
    }
    const { isAtRest, standing } = rest;
    told = { expectation, lastStart, isAtRest, standing };
    if (index + 1 < plan.turns.length) for (const operator of alive) operator.kill();
  }
  return told;
}

/** What happens when the process of a turn has come to rest. */
const atRest = ({ faults }: Plan, turn: number): readonly Fault[] =>
  faults.filter((fault) => fault.kind === 'person' && fault.write === 0 && fault.process === turn + 1);

/** How long the longest of the faults lasts, and what follows from its end. */
export function lastingMs({ faults }: Plan): number {
  const lasting = faults.map((fault) => ('forMs' in fault ? fault.forMs + 30_000 : 0));
  return Math.max(0, ...lasting);
}

/** Whatever there is to do, the operators do it when they look again. */
async function lookAgain(world: World, processes: readonly OperatorProcess[]): Promise<void> {
  for (let round = 0; round < 2; round += 1) {
    for (const operator of processes) if (operator.isAlive) operator.resync();
    await world.run(LOOK_AGAIN_MS);
  }
}

function chooser(order: number): (parked: readonly unknown[]) => number {
  const random = randomStream(order, 'order');
  return (parked) => (random.bytes(1)[0] ?? 0) % parked.length;
}
