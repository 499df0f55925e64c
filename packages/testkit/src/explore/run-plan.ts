// One run: a plan carried out in a world of its own, and what is to be checked of it.
import { randomStream } from '../world/sim-random.ts';
import type { HistoryEvent } from '../world/history.ts';
import type { OperatorProcess } from '../world/operator-process.ts';
import { World, type Snapshot } from '../world/world.ts';
import type { Outcome } from '../checks/check.ts';
import { compareVersions } from '@pawl/reconciler';
import { ownerHashOf, requestAnnotation, type ProcedureCatalog } from '@pawl/reconciler/kubernetes';
import { createObjects, type Context } from './context.ts';
import { expectationOf, type Expectation } from './expectation.ts';
import type { Plan, Turn } from './plan.ts';
import { watchInvariants } from './invariants.ts';
import { runToRest } from './rest.ts';
import { collectionPath, readState, recordOf, standingOf, type State } from './state.ts';
import { isExplored, type Subject } from './subject.ts';

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
}

export interface Run {
  readonly outcome: Outcome;
  readonly points: readonly CrashPoint[];
  /** Of each process: how much there is to go wrong. */
  readonly counts: ReadonlyMap<number, { readonly requests: number; readonly writes: number; readonly events: number }>;
  readonly finalSnapshot: Snapshot;
}

const LOOK_AGAIN_MS = 1_000;

export async function runPlan(context: Context, plan: Plan, { from, capture, usual }: RunOptions = {}): Promise<Run> {
  const { subject } = context;
  const world = new World(
    {
      seed: plan.seed,
      faults: plan.faults,
      fakes: subject.fakes,
      actors: subject.actors,
      ...(plan.order === undefined ? {} : { choose: chooser(plan.order) }),
    },
    from?.snapshot ?? (plan.start === undefined ? await context.empty() : (await context.peace(plan.start)).snapshot),
  );
  if (from === undefined) await doDeed(world, subject, plan.deed);
  else world.history.push(...from.past, { type: 'note', atMs: world.clock.now(), process: from.turn + 1, says: killed(from) });
  const invariants = watchInvariants(world, context);
  const points: CrashPoint[] = [];
  const processes: OperatorProcess[] = [];
  const story = await tellStory({ world, context, plan, processes, first: from === undefined ? 0 : from.turn + 1, onWrite: (turn, write, moment) => {
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
  for (const operator of processes) operator.kill();
  world.end();
  const { history } = world;
  return {
    outcome: { subject, plan, history, restAt, final, fresh, masks: context.masks, invariantFaults, escapes: [], usual, ...story },
    points,
    counts,
    finalSnapshot,
  };
}

/** The version at which it ended, of those that are as good as each other. */
function reached(subject: Subject, final: State, { version, or }: { readonly version: string; readonly or?: string }): string {
  const explored = [...final.values()].find((object) => isExplored(subject, object));
  return or !== undefined && explored !== undefined && standingOf(explored).version === or ? or : version;
}

/** What the objects say in the end. */
function editsOf({ deed, faults }: Plan): readonly number[] {
  const first = deed.does === 'edit' ? [deed.edit] : [];
  return [...first, ...faults.flatMap((fault) => (fault.kind === 'edit' ? [fault.edit] : []))];
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
}

interface Told {
  readonly expectation: Expectation;
  readonly lastStart: number;
  readonly isAtRest: boolean;
  readonly standing: readonly string[];
}

/** The turns one after the other. */
async function tellStory({ world, context, plan, processes, first, onWrite }: Story): Promise<Told> {
  const { subject } = context;
  const usesLease = plan.turns.some(({ beside }) => beside === true);
  if (usesLease) await world.watchLease();
  let told: Told = { expectation: { ends: 'refused', why: 'nothing ran' }, lastStart: world.history.length, isAtRest: false, standing: [] };
  for (let index = first; index < plan.turns.length || processes.at(-1)?.isAlive === false; index += 1) {
    const turn = plan.turns[index] ?? plan.turns.at(-1);
    if (turn === undefined) break;
    if (turn.rollback !== undefined) await askRollback(world, subject, turn.rollback);
    const lastStart = world.history.length;
    const started = (one: Turn, at: number): OperatorProcess =>
      world.start(at + 1, [subject.packageOf(one.release)], {
        lease: usesLease,
        protocol: subject.protocol,
        config: subject.config,
        onWrite: (write, moment) => onWrite(at, write, moment),
        onEdit: (edit) => void doDeed(world, subject, { does: 'edit', edit }),
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
    const expectation = await expected(world, subject, plan, together.length > 1 ? plan.turns.slice(-together.length) : [turn]);
    const alive = together.filter((one) => one !== undefined);
    const { isAtRest, standing } = await runToRest(world, subject, expectation, () => alive, lastingMs(plan));
    told = { expectation, lastStart, isAtRest, standing };
    if (index + 1 < plan.turns.length) for (const operator of alive) operator.kill();
  }
  return told;
}

/** How long the longest of the faults lasts, and what follows from its end. */
function lastingMs({ faults }: Plan): number {
  const lasting = faults.map((fault) => ('forMs' in fault ? fault.forMs + 30_000 : 0));
  return Math.max(0, ...lasting);
}

/** The strictest of what is to be expected of the objects, as they are now. */
async function expected(world: World, subject: Subject, plan: Plan, turns: readonly Turn[]): Promise<Expectation> {
  if (plan.deed.does === 'delete') return { ends: 'gone' };
  const state = await readState(world, { collections: subject.collections.filter(({ isOwner }) => isOwner) });
  const catalogs = turns.map(({ release }) => catalogIn(subject, release));
  const newest = catalogs.toSorted((a, b) => b.procedures.length - a.procedures.length)[0] ?? subject.catalog;
  const objects = [...state.values()].filter((object) => isExplored(subject, object));
  const all = objects.map((object) => expectationOf(newest, recordOf(object), object.metadata.annotations?.[requestAnnotation('rollback')]));
  const strictest = all.find(({ ends }) => ends === 'refused') ?? all[0] ?? expectationOf(newest, undefined, undefined);
  if (strictest.ends === 'refused')
    return { ...strictest, owners: objects.filter((_, index) => all[index]?.ends === 'refused').map(ownerHashOf) };
  const oldest = (turns.length > 1 ? turns : []).map(({ release }) => release.upTo).toSorted(compareVersions)[0];
  return strictest.ends === 'at' && oldest !== undefined && oldest !== strictest.version ? { ...strictest, or: oldest } : strictest;
}

function catalogIn(subject: Subject, release: Turn['release']): ProcedureCatalog {
  const { kinds } = subject.packageOf(release);
  return kinds.find(({ resource }) => resource.id === subject.catalog.resource.id) ?? subject.catalog;
}

async function doDeed(world: World, subject: Subject, deed: Plan['deed']): Promise<void> {
  if (deed.does === 'create') return createObjects(world, subject);
  if (deed.does === 'nothing') return;
  const patch = deed.does === 'edit' ? subject.edits[deed.edit] : undefined;
  await toEach(world, subject, patch === undefined ? { method: 'DELETE' } : { method: 'PATCH', body: patch });
}

const askRollback = (world: World, subject: Subject, version: string): Promise<void> =>
  toEach(world, subject, { method: 'PATCH', body: { metadata: { annotations: { [requestAnnotation('rollback')]: version } } } });

async function toEach(world: World, subject: Subject, request: { readonly method: 'PATCH' | 'DELETE'; readonly body?: unknown }): Promise<void> {
  const { plural } = subject.catalog.resource;
  for (const { apiVersion, metadata } of subject.objects.filter((object) => isExplored(subject, object))) {
    const namespace = subject.catalog.resource.namespaced ? (metadata.namespace ?? 'default') : undefined;
    const path = `${collectionPath({ apiVersion, plural }, namespace)}/${metadata.name}`;
    await world.ask({ ...request, path, headers: { 'content-type': 'application/merge-patch+json' } });
  }
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
