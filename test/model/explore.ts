// Explores every state that operators, crashes, late writes, stale caches and people can lead to.
import type { Ladder } from './catalogs.ts';
import { FairRuns } from './liveness.ts';
import { Model, type ModelOptions } from './model.ts';
import { landed } from './contents.ts';
import { moveOf } from './moves.ts';
import { outsideOf } from './outside.ts';
import { keyOf, type State } from './state.ts';
import { judgeState } from './truth.ts';

export interface Explored {
  readonly states: number;
  readonly isCutOff: boolean;
  /** Kind of fault to how often it was found. */
  readonly violations: ReadonlyMap<string, number>;
  readonly examples: ReadonlyMap<string, string>;
  readonly ends: ReadonlyMap<string, number>;
  readonly longestFairRun: number;
}

/** All states from a fresh object on, up to a limit; a fair run from each. */
export function explore(ladder: Ladder, operators: readonly (readonly number[])[], options: ModelOptions): Explored {
  const model = new Model(ladder, operators, options);
  const fair = new FairRuns(model);
  const first: State = {
    owner: model.intern({
      uid: 'u1',
      generation: 0,
      deleting: false,
      finalizer: false,
      requests: {},
      spec: {},
      ...(options.profile.parent === true ? { parent: 0 } : {}),
    }),
    late: [],
    contents: [0, 0, 0],
    budget: options.profile.budget,
    completed: 0,
    finalized: 0,
    drops: false,
    lost: false,
  };
  const seen = new Set([keyOf(first)]);
  const open = [first];
  let states = 0;
  for (let state = open.pop(); state !== undefined && states < options.maxStates; state = open.pop()) {
    states += 1;
    judgeState(model, state);
    if (model.ownerOf(state).gone === true) continue;
    fair.run(state);
    for (const next of successors(model, state)) {
      const key = keyOf(next);
      if (seen.has(key)) continue;
      seen.add(key);
      open.push(next);
    }
  }
  return {
    states,
    isCutOff: states >= options.maxStates,
    violations: model.violations,
    examples: model.examples,
    ends: fair.ends,
    longestFairRun: fair.longest,
  };
}

function successors(model: Model, state: State): readonly State[] {
  const { zombie = false, stale = false, fail = false } = model.options.profile;
  const found: State[] = [];
  const add = (next: State | undefined): void => {
    if (next !== undefined) found.push(next);
  };
  for (const operator of model.catalogs.keys()) {
    add(moveOf(model, operator, state).next);
    if (zombie && state.late.length < model.lateWrites) add(moveOf(model, operator, state, { inFlight: true }).next);
    if (stale && state.earlier !== undefined) add(moveOf(model, operator, state, { stale: true }).next);
    if (fail) add(moveOf(model, operator, state, { fail: true }).next);
  }
  for (const index of state.late.keys()) add(landed(model, state, index));
  if (state.budget > 0 && state.drops) add({ ...state, drops: false, verified: undefined });
  return [...found, ...outsideOf(model, state)];
}
