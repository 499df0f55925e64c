// Exploring from states that come from outside: each is taken over by the newest release, which is killed at every write,
// and then taken back and deleted; releases that may not act must leave it alone.
import { canonicalJson, compareVersions } from '@pawl/reconciler';
import { requestAnnotation } from '@pawl/reconciler/kubernetes';
import type { LoadedState } from '../start-state/load.ts';
import type { Context } from './context.ts';
import { after, crashAt } from './crash-modes.ts';
import { expectationOfDeletion } from './deletion.ts';
import { expectationOf, type Expectation } from './expectation.ts';
import type { Execute, Mode } from './job.ts';
import { knownRecordOf } from './lost-record.ts';
import type { Plan, Turn } from './plan.ts';
import type { CrashPoint, Run } from './run-plan.ts';
import { canonical, keyOf, recordOf, type State } from './state.ts';
import { isExplored } from './subject.ts';

export const recordedMode: Mode = async (context, execute, isOver) => {
  const ends = new Set<string>();
  for (const [name, state] of context.subject.starts?.byName ?? []) {
    if (isOver()) return;
    await explore({ context, execute, isOver, ends }, name, state);
  }
};

interface Doing {
  readonly context: Context;
  readonly execute: Execute;
  readonly isOver: () => boolean;
  /** What takeovers have led to so far: what comes after equal ends is gone into once. */
  readonly ends: Set<string>;
}

/** A plan that begins in a state, and the line of the report that it counts for. */
interface Begun {
  readonly edge: string;
  readonly plan: Plan;
}

async function explore(doing: Doing, name: string, state: LoadedState): Promise<void> {
  const { context, isOver, ends } = doing;
  const { versions } = context.subject;
  const newest = versions.at(-1) ?? '';
  const taken = begun(context, name, state, [{ release: { upTo: newest } }]);
  const run = await killing(doing, taken);
  if (state.isGoing || isOver()) return;
  await othersThanTheNewest(doing, name, state);
  const { expectation, isAtRest, final, history } = run.outcome;
  if (expectation.ends !== 'at' || !isAtRest || ends.has(keyOfEnd(final))) return;
  ends.add(keyOfEnd(final));
  const end: CrashPoint = { turn: 0, write: 0, moment: 'after', snapshot: run.finalSnapshot, past: history };
  for (const older of versions.toReversed().filter((version) => compareVersions(version, expectation.version) < 0)) {
    if (isOver()) return;
    await goingOn(doing, taken, end, { release: { upTo: newest }, rollback: older });
  }
  if (!isOver() && !hasForeignFinalizer(state)) await goingOn(doing, taken, end, { release: { upTo: newest }, deletes: true });
}

/** With the parts of the record that say which versions may act later. */
function keyOfEnd(final: State): string {
  return canonicalJson(
    [...final.values()].map((object) => {
      const { applied, avoid, floor } = recordOf(object) ?? {};
      return [canonical(object, false, []), applied, avoid, floor];
    }),
  );
}

/** The newest release without its past, and every older one: whether they may act is in the record. */
async function othersThanTheNewest({ context, execute, isOver }: Doing, name: string, state: LoadedState): Promise<void> {
  const [newest = '', ...older] = context.subject.versions.toReversed();
  for (const release of [{ upTo: newest, alone: true }, ...older.map((upTo) => ({ upTo }))]) {
    if (isOver()) return;
    const expectation = expectationIn(context, state, release);
    // Its own fresh install is what the end is compared with, and the object may ask for what it cannot do yet.
    if (expectation.ends === 'at' && !(await context.peace(expectation.version)).isAtRest) continue;
    const { plan, edge } = begun(context, name, state, [{ release }]);
    await execute({ plan, options: {}, edge });
  }
}

/** What comes after the takeover, killed at every write as well. */
async function goingOn({ context, execute, isOver }: Doing, taken: Begun, end: CrashPoint, turn: Turn): Promise<void> {
  if (turn.rollback !== undefined && !(await context.peace(turn.rollback)).isAtRest) return;
  const edge = `${taken.edge}, ${turn.rollback === undefined ? 'then deleted' : `and back to ${turn.rollback}`}`;
  const turns = [...taken.plan.turns, turn];
  const run = await execute({ plan: { ...taken.plan, turns }, options: { from: end, capture: 1 }, edge });
  for (const point of run.points) {
    if (isOver()) return;
    const plan = { ...taken.plan, turns: [...turns, { release: turn.release }], faults: [crashAt(point)] };
    await execute({ plan, options: { from: point }, edge });
  }
}

async function killing({ context, execute, isOver }: Doing, { plan, edge }: Begun): Promise<Run> {
  const run = await execute({ plan, options: { capture: 0 }, edge });
  const release = plan.turns[0]?.release.upTo ?? '';
  const story = { edge, deed: plan.deed, release };
  for (const point of run.points) {
    if (isOver()) break;
    const { options } = after(context, story, point, [], run);
    await execute({ plan: { ...plan, turns: [...plan.turns, ...plan.turns], faults: [crashAt(point)] }, options, edge });
  }
  return run;
}

function begun(context: Context, name: string, state: LoadedState, turns: readonly Turn[]): Begun {
  const { catalog } = context.subject;
  const [first] = turns;
  const deed: Plan['deed'] = state.isGoing ? { does: 'delete' } : { does: 'nothing' };
  const plan: Plan = { kind: catalog.resource.kind, from: name, deed, turns, faults: [], seed: context.seed };
  if (first === undefined) return { plan, edge: name };
  const release = `${first.release.upTo}${first.release.alone === true ? ' alone' : ''}`;
  const { ends } = expectationIn(context, state, first.release);
  const goesOn = state.isGoing ? `${name}, deletion goes on` : `${name} → ${release}`;
  return { plan, edge: ends === 'refused' ? `${name}, refused by ${release}` : goesOn };
}

/** What a release must do with the objects as they were. */
function expectationIn({ subject }: Context, { owners, state: { objects }, isGoing }: LoadedState, release: Turn['release']): Expectation {
  const { kinds } = subject.packageOf(release);
  const catalog = kinds.find(({ resource }) => resource.id === subject.catalog.resource.id) ?? subject.catalog;
  const explored = owners.filter((object) => isExplored(subject, object));
  const state: State = new Map(objects.map((object) => [keyOf(object), object]));
  const all = explored.map((object): Expectation => {
    const record = knownRecordOf(object, state);
    return isGoing ? expectationOfDeletion(catalog, record) : expectationOf(catalog, record, object.metadata.annotations?.[requestAnnotation('rollback')]);
  });
  return all.find(({ ends }) => ends === 'refused') ?? all[0] ?? expectationOf(catalog, undefined, undefined);
}

/** Then the object stays whatever the operator does. */
function hasForeignFinalizer({ objects }: LoadedState): boolean {
  return objects.some(({ metadata }) => ((metadata as { readonly finalizers?: readonly string[] }).finalizers ?? []).length > 0);
}
