// Exploring by faults: of requests, of watches, of views that lag behind, of clocks, of replicas, and of all by chance.
import { seeded } from '@pawl/reconciler';
import type { Fault, RequestFailure, WatchFailure } from '../world/faults.ts';
import type { RequestEvent } from '../world/history.ts';
import type { Context } from './context.ts';
import { crashAt, installOf, planOf, tell, upgradeOf, type Story } from './crash-modes.ts';
import { edgesOf } from './edges.ts';
import type { Mode } from './job.ts';
import type { Turn } from './plan.ts';
import type { Run } from './run-plan.ts';

/** The more telling first: the budget may end before the last. */
const ON_WRITES: readonly RequestFailure[] = [
  ...(['timeout-after', '500-after', 'conflict', 'reset-before', '429', '500-before', 'reset-after', '504-after', '503', 'truncated', '429-status'] as const),
  ...(['timeout-before', '503-after', '504', '429-status-after', '429-after', '503-text', '503-text-after', '504-text', '504-text-after'] as const),
];
/** A read changes nothing: whether it was done makes no difference. */
const ON_READS: readonly RequestFailure[] = ['500-before', 'timeout-before', '429', 'reset-before', '503', '504', 'truncated', '429-status', '503-text', '504-text'];
const ON_WATCHES: readonly WatchFailure[] = ['drop', 'delay', '410', 'half-open', '500'];
const HOUR_MS = 3_600_000;

/** The newest install, every direct hop, every edit. */
export function storiesOf({ subject }: Context): readonly Story[] {
  const newest = subject.versions.at(-1) ?? '';
  const edits = [...subject.edits.keys()].map(
    (edit): Story => ({ edge: `edit ${edit + 1} of ${newest}`, start: newest, deed: { does: 'edit', edit }, release: newest }),
  );
  return [installOf(newest), ...edgesOf(subject).filter(({ isDirect }) => isDirect).map(upgradeOf), ...edits];
}

/** Runs every story with each of the faults that fit to it, one fault at a time. */
function oneFault(faultsFor: (run: Run, story: Story) => readonly Fault[]): Mode {
  return async (context, execute, isOver) => {
    for (const story of storiesOf(context)) {
      const run = await tell(context, execute, story);
      for (const fault of faultsFor(run, story)) {
        if (isOver()) return;
        await execute({ plan: planOf(context, story, [], [fault]), options: {}, edge: story.edge });
      }
    }
  };
}

const requestsIn = (run: Run): readonly RequestEvent[] =>
  run.outcome.history.slice(0, run.outcome.restAt).filter((event) => event.type === 'request');

/** Writes first: they are where it hurts. Then each failure at every request, before the next failure. */
export const requestMode: Mode = oneFault((run) => {
  const requests = requestsIn(run);
  const faults = (isWrite: boolean, failures: readonly RequestFailure[]): readonly Fault[] =>
    failures.flatMap((failure) =>
      requests.filter(({ write }) => (write !== undefined) === isWrite).map(({ request }): Fault => ({ kind: 'request', process: 1, request, failure })),
    );
  return [...faults(true, ON_WRITES), ...faults(false, ON_READS)];
});

export const upTo = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index + 1);
const countsOf = (run: Run): { readonly writes: number; readonly events: number } => run.counts.get(1) ?? { writes: 0, events: 0 };

/** What goes wrong with single events, and a server that forgets what it told. */
export const watchMode: Mode = oneFault((run) => [
  ...ON_WATCHES.flatMap((failure) => upTo(countsOf(run).events).map((event): Fault => ({ kind: 'watch', process: 1, event, failure }))),
  ...upTo(countsOf(run).writes).map((write): Fault => ({ kind: 'compaction', process: 1, write })),
]);

/** The wall clock jumps, or the process stands still: for less and for more than a request may take. */
export const clockMode: Mode = oneFault((run) =>
  upTo(countsOf(run).writes).flatMap((write): readonly Fault[] => [
    ...[HOUR_MS, -HOUR_MS].map((byMs): Fault => ({ kind: 'clock', process: 1, write, byMs })),
    ...[5_000, 300_000].map((forMs): Fault => ({ kind: 'pause', process: 1, write, forMs })),
  ]),
);

/** The process, or the one after a crash, sees nothing new for a while. */
export const staleMode: Mode = async (context, execute, isOver) => {
  for (const story of storiesOf(context)) {
    const run = await tell(context, execute, story);
    const successor: readonly Turn[] = [{ release: { upTo: story.release } }];
    for (const write of upTo(countsOf(run).writes)) {
      if (isOver()) return;
      for (const kind of ['stale', 'lagging'] as const) {
        const fault: Fault = { kind, process: 1, write, forMs: 120_000 };
        await execute({ plan: planOf(context, story, [], [fault]), options: {}, edge: story.edge });
      }
    }
    for (const point of run.points) {
      if (isOver()) return;
      const fault: Fault = { kind: 'stale', process: 2, write: 1, forMs: 120_000 };
      await execute({ plan: planOf(context, story, successor, [crashAt(point), fault]), options: { from: point }, edge: story.edge });
    }
  }
};

/** An edit is taken back, or another one made, before the operator is done with it. */
export const unobservedMode: Mode = async (context, execute, isOver) => {
  const { subject } = context;
  const version = subject.versions.at(-1) ?? '';
  for (const first of subject.edits.keys())
    for (const second of subject.edits.keys()) {
      if (first === second) continue;
      const story: Story = { edge: `edit ${second + 1} during edit ${first + 1}`, start: version, deed: { does: 'edit', edit: first }, release: version };
      const run = await tell(context, execute, story);
      for (const write of upTo(countsOf(run).writes)) {
        if (isOver()) return;
        const fault: Fault = { kind: 'edit', process: 1, write, edit: second };
        await execute({ plan: planOf(context, story, [], [fault]), options: {}, edge: story.edge });
      }
    }
};

/** It is cut off for longer than a Lease lasts or not, or stands still for as long as a request may be late. */
const cutsAt = (write: number): readonly Fault[] => [
  ...[90_000, 30_000].map((forMs): Fault => ({ kind: 'partition', process: 1, write, forMs })),
  { kind: 'pause', process: 1, write, forMs: 17_000 },
];

/** Two replicas at once: the leader is cut off at each of its writes, and the other one takes over while a write is on its way. */
export const leadersMode: Mode = async (context, execute, isOver) => {
  const { subject } = context;
  const newest = subject.versions.at(-1) ?? '';
  const pairs = [...edgesOf(subject).filter(({ isDirect }) => isDirect), { from: newest, to: newest, name: `two of ${newest}` }];
  for (const { from, to, name } of pairs) {
    const story: Story = { edge: `replicas ${name}`, deed: { does: 'create' }, release: from };
    const beside: readonly Turn[] = [{ release: { upTo: to }, beside: true }];
    const run = await execute({ plan: planOf(context, story, beside), options: {}, edge: story.edge });
    for (const write of upTo(countsOf(run).writes))
      for (const fault of cutsAt(write)) {
        if (isOver()) return;
        await execute({ plan: { ...planOf(context, story, beside, [fault]), order: write }, options: {}, edge: story.edge });
      }
  }
};

/** Several faults at once, drawn from the seed. */
export const randomMode: Mode = async (context, execute, isOver) => {
  const stories = storiesOf(context);
  for (let round = 0; !isOver() && round < 100_000; round += 1) {
    const next = seeded(context.seed * 65_537 + round);
    const pick = (below: number): number => Math.floor(next() * below);
    const story = stories[pick(stories.length)];
    if (story === undefined) return;
    const run = await tell(context, execute, story);
    const count = 1 + pick(3);
    const turns: readonly Turn[] = upTo(count).map(() => ({ release: { upTo: story.release } }));
    const faults = upTo(count + pick(2)).map((index): Fault => anyFault(run, 1 + (index % (count + 1)), pick));
    await execute({ plan: { ...planOf(context, story, turns, faults), order: round + 1 }, options: {}, edge: story.edge });
  }
};

function anyFault(run: Run, process: number, pick: (below: number) => number): Fault {
  const { writes, events } = countsOf(run);
  const write = 1 + pick(Math.max(1, writes));
  switch (pick(12)) {
    case 0:
      return { kind: 'request', process, request: 1 + pick(writes * 2 + 1), failure: ON_WRITES[pick(ON_WRITES.length)] ?? '429' };
    case 1:
      return { kind: 'watch', process, event: 1 + pick(Math.max(1, events)), failure: ON_WATCHES[pick(ON_WATCHES.length)] ?? 'drop' };
    case 2:
      return { kind: 'stale', process, write, forMs: 60_000 };
    case 3:
      return { kind: 'clock', process, write, byMs: pick(2) === 0 ? HOUR_MS : -HOUR_MS };
    case 4:
      return { kind: 'pause', process, write, forMs: 60_000 };
    case 5:
      return { kind: pick(2) === 0 ? 'lagging' : 'stale', process, write, forMs: 30_000 };
    case 6:
      return { kind: 'compaction', process, write };
    case 7:
      return { kind: 'cluster', process, write, stage: pick(2) === 0 ? 'pods' : 'rollout', forMs: 60_000 };
    case 8:
      return { kind: 'admission', process, write, answer: (['denies-403', 'denies-422', 'times-out'] as const)[pick(3)] ?? 'denies-403' };
    default:
      return { kind: 'crash', process, write, moment: pick(2) === 0 ? 'before' : 'after' };
  }
}
