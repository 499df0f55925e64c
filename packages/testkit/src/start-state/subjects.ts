// What is explored when it begins in states from files: one subject for each kind and each fresh install to compare with.
import type { ProcedurePackage } from '@pawl/reconciler/kubernetes';
import { subjectsOf, type Subject, type SubjectOptions } from '../explore/subject.ts';
import { loadStartState, type LoadedState } from './load.ts';
import { StartStateError, type StartState } from './start-state.ts';

/**
 * Loads states. Those with the same objects share a subject, so that a fresh install is made once.
 *
 * @throws {StartStateError} with every fault of every state
 */
export async function subjectsFrom(from: ProcedurePackage, states: readonly StartState[], options: SubjectOptions, seed: number): Promise<readonly Subject[]> {
  const faults: string[] = [];
  const groups = new Map<string, LoadedState[]>();
  for (const state of states) {
    try {
      const loaded = await loadStartState(from, state, options.fakes ?? [], seed);
      groups.set(loaded.key, [...(groups.get(loaded.key) ?? []), loaded]);
    } catch (error) {
      if (!(error instanceof StartStateError)) throw error;
      faults.push(...error.faults);
    }
  }
  if (faults.length > 0) throw new StartStateError(faults);
  return [...groups.values()].flatMap((group) => subjectsOfGroup(from, group, options));
}

function subjectsOfGroup(from: ProcedurePackage, group: readonly LoadedState[], options: SubjectOptions): readonly Subject[] {
  const [first] = group;
  if (first === undefined) return [];
  const starts = {
    byName: new Map(group.map((loaded) => [loaded.state.name, loaded])),
    surroundings: first.surroundings,
    redacted: new Set(first.state.redacted),
  };
  return subjectsOf(from, { ...options, objects: first.objects, surroundings: [] }).map((subject) => ({ ...subject, starts }));
}
