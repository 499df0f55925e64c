// The author's invariants, asked after every write and in the end.
import type { Outcome } from '../checks/check.ts';
import type { World } from '../world/world.ts';
import type { Context } from './context.ts';
import { readState, type State } from './state.ts';

type Faults = Outcome['invariantFaults'];

export interface InvariantWatch {
  /** Something was written just now. */
  readonly look: () => void;
  /** What was found, the end included. */
  readonly faults: (world: World) => Promise<Faults>;
}

export function watchInvariants(world: World, { subject, invariants }: Context): InvariantWatch {
  const found: Faults[number][] = [];
  const seen = new Set<string>();
  const pending: Promise<void>[] = [];
  const ask = (state: State, isEnd: boolean, at: number, externals: object): void => {
    for (const { name, when = 'always', faults } of invariants) {
      if (when === 'in the end' && !isEnd) continue;
      for (const says of faults({ objects: [...state.values()], externals: externals as Readonly<Record<string, unknown>> })) {
        if (seen.has(`${name} ${says}`)) continue;
        seen.add(`${name} ${says}`);
        found.push({ invariant: name, says, at });
      }
    }
  };
  const always = invariants.some(({ when = 'always' }) => when === 'always');
  return {
    look: () => {
      if (!always) return;
      const at = world.history.length;
      const externals = structuredClone(world.externals);
      pending.push(readState(world, subject).then((state) => ask(state, false, at, externals)));
    },
    faults: async () => {
      if (invariants.length === 0) return [];
      await Promise.all(pending);
      ask(await readState(world, subject), true, world.history.length, world.externals);
      return found;
    },
  };
}
