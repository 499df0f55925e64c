// Exploring by killing: at every write of an install, an upgrade, an edit or a deletion, with every successor.
import type { Fault } from '../world/faults.ts';
import { lifeCounts } from '../checks/conduct.ts';
import { readState, recordOf } from './state.ts';
import type { Context } from './context.ts';
import { edgesOf, ownVersions, type Edge } from './edges.ts';
import type { Execute, Job, Mode } from './job.ts';
import type { Deed, Plan, Turn } from './plan.ts';
import type { CrashPoint, Run } from './run-plan.ts';
import { isExplored } from './subject.ts';

/** A story in which one release does everything. */
export interface Story {
  readonly edge: string;
  readonly start?: string;
  readonly deed: Deed;
  readonly release: string;
}

export const installOf = (version: string): Story => ({ edge: `install ${version}`, deed: { does: 'create' }, release: version });
export const upgradeOf = ({ from, to, name }: Edge): Story => ({ edge: name, start: from, deed: { does: 'nothing' }, release: to });

export function planOf(context: Context, { start, deed, release }: Story, turns: readonly Turn[] = [], faults: readonly Fault[] = []): Plan {
  return {
    kind: context.subject.catalog.resource.kind,
    ...(start === undefined ? {} : { start }),
    deed,
    turns: [{ release: { upTo: release } }, ...turns],
    faults,
    seed: context.seed,
  };
}

/** A story with nothing in its way, and everything that it offers to go wrong. Each is told once. */
export async function tell(context: Context, execute: Execute, story: Story): Promise<Run> {
  const known = told.get(context) ?? new Map<string, Promise<Run>>();
  told.set(context, known);
  const key = JSON.stringify(story);
  const run = known.get(key) ?? execute({ plan: planOf(context, story), options: { capture: 0 }, edge: story.edge });
  known.set(key, run);
  return run;
}
const told = new WeakMap<Context, Map<string, Promise<Run>>>();

/** The job of a successor after a crash. */
export function after(context: Context, story: Story, point: CrashPoint, turns: readonly Turn[], usual: Run): Job {
  return {
    plan: planOf(context, story, turns, [crashAt(point)]),
    options: { from: point, usual: lifeCounts(usual.outcome.history) },
    edge: story.edge,
  };
}

export const crashAt = ({ turn, write, moment }: CrashPoint): Fault => ({ kind: 'crash', process: turn + 1, write, moment });
const same = (story: Story): readonly Turn[] => [{ release: { upTo: story.release } }];

/** Every crash point of a story, with each of the successors. */
async function killing(
  context: Context,
  execute: Execute,
  isOver: () => boolean,
  story: Story,
  successors: (point: CrashPoint) => Promise<readonly (readonly Turn[])[]> | readonly (readonly Turn[])[],
): Promise<void> {
  const run = await tell(context, execute, story);
  for (const point of run.points)
    for (const turns of await successors(point)) {
      if (isOver()) return;
      await execute(after(context, story, point, turns, run));
    }
}

export const installMode: Mode = async (context, execute, isOver) => {
  for (const version of ownVersions(context.subject).toReversed()) {
    const story = installOf(version);
    await killing(context, execute, isOver, story, () => [same(story)]);
  }
};

export const upgradeMode: Mode = async (context, execute, isOver) => {
  const newest = context.subject.versions.at(-1) ?? '';
  for (const edge of edgesOf(context.subject)) {
    if (isOver()) return;
    const story = upgradeOf(edge);
    const alone = [{ release: { upTo: edge.to, alone: true } }];
    if (!edge.isDirect)
      await execute({ plan: { ...planOf(context, story), turns: alone }, options: {}, edge: edge.name });
    const newer = newest === edge.to ? [] : [[{ release: { upTo: newest } }]];
    const older = [{ release: { upTo: edge.from } }];
    await killing(context, execute, isOver, story, () => [same(story), older, alone, ...newer]);
  }
};

/** The old version is killed within its install, and the new one finds what it left. */
export const interruptedMode: Mode = async (context, execute, isOver) => {
  for (const { from, to } of edgesOf(context.subject)) {
    const story = { ...installOf(from), edge: `interrupted ${from} → ${to}` };
    await killing(context, execute, isOver, story, () => [
      [{ release: { upTo: to } }],
      [{ release: { upTo: to, alone: true } }],
    ]);
  }
};

/** The new version is killed, and somebody asks for the old one. Also when the upgrade was complete, and within the way back. */
export const rollbackMode: Mode = async (context, execute, isOver) => {
  for (const edge of edgesOf(context.subject)) {
    const story = upgradeOf(edge);
    const byOld = [{ release: { upTo: edge.from }, rollback: edge.from }];
    const byNew = [{ release: { upTo: edge.to }, rollback: edge.from }];
    await killing(context, execute, isOver, story, async (point) =>
      (await isApplied(context, point, edge.to)) ? [byNew, byOld] : [byOld],
    );
    if (isOver()) return;
    await wayBack(context, execute, isOver, story, byNew);
  }
};

async function wayBack(context: Context, execute: Execute, isOver: () => boolean, story: Story, back: readonly Turn[]): Promise<void> {
  const run = await tell(context, execute, story);
  const end: CrashPoint = { turn: 0, write: 0, moment: 'after', snapshot: run.finalSnapshot, past: run.outcome.history };
  const plan = planOf(context, story, back);
  const returned = await execute({ plan, options: { from: end, capture: 1 }, edge: `${story.edge} and back` });
  for (const point of returned.points) {
    if (isOver()) return;
    const next = [...back, ...back.map(({ release }) => ({ release }))];
    await execute({ plan: { ...planOf(context, story, next), faults: [crashAt(point)] }, options: { from: point }, edge: `${story.edge} and back` });
  }
}

async function isApplied({ subject }: Context, { snapshot }: CrashPoint, version: string): Promise<boolean> {
  const state = await readState(snapshot, { collections: subject.collections.filter(({ isOwner }) => isOwner) });
  return [...state.values()]
    .filter((object) => isExplored(subject, object))
    .every((object) => recordOf(object)?.applied.some((entry) => entry.version === version) === true);
}

export const teardownMode: Mode = async (context, execute, isOver) => {
  for (const version of ownVersions(context.subject).toReversed()) {
    const story: Story = { edge: `deletion of ${version}`, start: version, deed: { does: 'delete' }, release: version };
    await killing(context, execute, isOver, story, () => [same(story)]);
  }
};

export const editMode: Mode = async (context, execute, isOver) => {
  const version = context.subject.versions.at(-1) ?? '';
  for (const edit of context.subject.edits.keys()) {
    const story: Story = { edge: `edit ${edit + 1} of ${version}`, start: version, deed: { does: 'edit', edit }, release: version };
    await killing(context, execute, isOver, story, () => [same(story)]);
  }
};

/** Two crashes: the successor is killed as well. States that were seen before are not gone into again. */
export const doubleMode: Mode = async (context, execute, isOver) => {
  const { subject } = context;
  const newest = subject.versions.at(-1) ?? '';
  const stories = [installOf(newest), ...edgesOf(subject).filter(({ isDirect }) => isDirect).map(upgradeOf)];
  for (const story of stories) {
    const seen = new Set<string>();
    const run = await tell(context, execute, story);
    for (const point of run.points) {
      if (isOver()) return;
      const job = after(context, story, point, same(story), run);
      const second = await execute({ ...job, options: { ...job.options, capture: 1 } });
      for (const next of second.points) {
        if (isOver()) return;
        const key = JSON.stringify([...(await readState(next.snapshot, subject)).values()].map(withoutRevision));
        if (seen.has(key)) continue;
        seen.add(key);
        const plan = planOf(context, story, [...same(story), ...same(story)], [crashAt(point), crashAt(next)]);
        await execute({ plan, options: { from: next }, edge: story.edge });
      }
    }
  }
};

const withoutRevision = (object: object): object => {
  const { metadata, ...rest } = object as { readonly metadata: object };
  const { resourceVersion: _r, uid: _u, managedFields: _m, ...kept } = metadata as Readonly<Record<string, unknown>>;
  return { ...rest, metadata: kept };
};
