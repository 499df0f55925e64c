// In which order the Actions of a cycle are started: each after its prerequisites have settled, whatever they answered.
import type { Action, Stage } from './action.ts';
import type { ActionsByName } from './graph.ts';
import { isPending, type Maybe } from './maybe.ts';
import { seeded } from './runtime.ts';

type AnyAction = Action<never>;

/**
 * `shuffled` picks any runnable action (steady state: undeclared dependencies surface), `parallel` runs them together
 * (installing), `strict` goes one by one in a fixed topological order (an open hop).
 */
export type Order =
  | { readonly mode: 'strict' }
  | { readonly mode: 'shuffled'; readonly seed: number }
  | { readonly mode: 'parallel'; readonly limit: number };

/** The due actions of a procedure with their edges as indices, worked out once. */
interface Schedule {
  /** Topological; among free ones in the order of definition. */
  readonly actions: readonly AnyAction[];
  /** How many due prerequisites each has. */
  readonly missing: readonly number[];
  readonly dependants: readonly (readonly number[])[];
}

const KNOWN = new WeakMap<ActionsByName, Map<Stage, Schedule>>();

/** The schedule of the actions that a cycle of this stage starts by itself. */
export function scheduleOf(actions: ActionsByName, onDemand: ReadonlySet<string>, stage: Stage): Schedule {
  let stages = KNOWN.get(actions);
  if (stages === undefined) KNOWN.set(actions, (stages = new Map<Stage, Schedule>()));
  let schedule = stages.get(stage);
  if (schedule === undefined) {
    const due = [...actions.values()].filter(
      (action) => !onDemand.has(action.name) && (action.stage === 'apply' || stage === 'finalize'),
    );
    stages.set(stage, (schedule = edgesOf(sorted(due))));
  }
  return schedule;
}

function sorted(due: readonly AnyAction[]): readonly AnyAction[] {
  const byName = new Map(due.map((action) => [action.name, action]));
  const placed = new Set<AnyAction>();
  const place = (action: AnyAction): void => {
    for (const { name } of Object.values(action.requires)) {
      const before = byName.get(name);
      if (before !== undefined && !placed.has(before)) place(before);
    }
    placed.add(action);
  };
  for (const action of due) place(action);
  return [...placed];
}

function edgesOf(actions: readonly AnyAction[]): Schedule {
  const indexOf = new Map(actions.map(({ name }, index) => [name, index]));
  const dependants = actions.map((): number[] => []);
  const missing = actions.map(({ requires }, index) => {
    const before = new Set(Object.values(requires).flatMap(({ name }) => indexOf.get(name) ?? []));
    for (const place of before) dependants[place]?.push(index);
    return before.size;
  });
  return { actions, missing, dependants };
}

/** Starts every action of a schedule; `start` answers when the action has settled, at once where nothing is awaited. */
export function runInOrder(
  schedule: Schedule,
  order: Order,
  start: (action: AnyAction) => Maybe<unknown>,
): Maybe<void> {
  if (order.mode === 'strict') return runStrict(schedule.actions, 0, start);
  const random = order.mode === 'shuffled' ? seeded(order.seed) : undefined;
  return new Together(schedule, order.mode === 'parallel' ? order.limit : 1, random, start).run();
}

function runStrict(
  actions: readonly AnyAction[],
  first: number,
  start: (action: AnyAction) => Maybe<unknown>,
): Maybe<void> {
  for (let index = first; index < actions.length; index += 1) {
    const action = actions[index];
    const settled = action === undefined ? undefined : start(action);
    if (isPending(settled)) return settled.then(() => runStrict(actions, index + 1, start));
  }
}

/** Several at once, or one by one in any order. */
class Together {
  readonly #schedule: Schedule;
  readonly #limit: number;
  readonly #random: (() => number) | undefined;
  readonly #start: (action: AnyAction) => Maybe<unknown>;
  readonly #missing: number[];
  readonly #runnable: number[] = [];
  #running = 0;
  #ended: () => void = () => {};
  #failed: (error: unknown) => void = () => {};

  constructor(
    schedule: Schedule,
    limit: number,
    random: (() => number) | undefined,
    start: (action: AnyAction) => Maybe<unknown>,
  ) {
    this.#schedule = schedule;
    this.#limit = limit;
    this.#random = random;
    this.#start = start;
    this.#missing = [...schedule.missing];
    for (const [index, count] of this.#missing.entries()) if (count === 0) this.#runnable.push(index);
  }

  run(): Maybe<void> {
    this.#fill();
    if (this.#running === 0) return;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#ended = resolve;
    this.#failed = reject;
    return promise;
  }

  #fill(): void {
    while (this.#runnable.length > 0 && this.#running < this.#limit) {
      const index = this.#take();
      const action = this.#schedule.actions[index];
      if (action === undefined) continue;
      const settled = this.#start(action);
      if (!isPending(settled)) {
        this.#free(index);
        continue;
      }
      this.#running += 1;
      settled.then(() => {
        this.#running -= 1;
        this.#free(index);
        this.#fill();
        if (this.#running === 0) this.#ended();
      }, this.#failed);
    }
  }

  /** Any runnable one, or the one that became runnable first. */
  #take(): number {
    if (this.#random === undefined) return this.#runnable.shift() ?? -1;
    const place = Math.floor(this.#random() * this.#runnable.length);
    const taken = this.#runnable[place] ?? -1;
    const last = this.#runnable.pop();
    if (last !== undefined && place < this.#runnable.length) this.#runnable[place] = last;
    return taken;
  }

  #free(index: number): void {
    for (const next of this.#schedule.dependants[index] ?? []) {
      const left = (this.#missing[next] ?? 1) - 1;
      this.#missing[next] = left;
      if (left === 0) this.#runnable.push(next);
    }
  }
}
