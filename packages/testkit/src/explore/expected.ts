// What is to be expected of the objects when a turn of a plan begins, and which fresh install its end is compared with.
import { compareVersions, type VersionRecord } from '@pawl/reconciler';
import { ownerHashOf, requestAnnotation, type ProcedureCatalog } from '@pawl/reconciler/kubernetes';
import { expectationOfDeletion } from './deletion.ts';
import { expectationOf, type Expectation } from './expectation.ts';
import type { Ground } from './ground.ts';
import { isRecordLost, knownRecordOf } from './lost-record.ts';
import type { Plan, Turn } from './plan.ts';
import { readState, standingOf, type State } from './state.ts';
import { isExplored, type Subject } from './subject.ts';

/** The strictest of what is to be expected of the objects, as they are now. */
export async function expected(ground: Pick<Ground, 'api'>, subject: Subject, isDeleted: boolean, turns: readonly Turn[]): Promise<Expectation> {
  const owners = await readState(ground, { collections: subject.collections.filter(({ isOwner }) => isOwner) });
  const state = [...owners.values()].some(isRecordLost) ? await readState(ground, subject) : owners;
  const [last] = turns.toSorted((a, b) => compareVersions(b.release.upTo, a.release.upTo));
  const newest = last === undefined ? subject.catalog : catalogIn(subject, last.release);
  const objects = [...state.values()].filter((object) => isExplored(subject, object));
  const one = (record: VersionRecord | undefined, rollback?: string): Expectation =>
    isDeleted ? expectationOfDeletion(newest, record) : expectationOf(newest, record, rollback);
  const all = objects.map((object) => one(knownRecordOf(object, state), object.metadata.annotations?.[requestAnnotation('rollback')]));
  const strictest = all.find(({ ends }) => ends === 'refused') ?? all[0] ?? one(undefined);
  if (strictest.ends === 'refused')
    return { ...strictest, owners: objects.filter((_, index) => all[index]?.ends === 'refused').map(ownerHashOf) };
  const oldest = (turns.length > 1 ? turns : []).map(({ release }) => release.upTo).toSorted(compareVersions)[0];
  return strictest.ends === 'at' && oldest !== undefined && oldest !== strictest.version ? { ...strictest, or: oldest } : strictest;
}

/** Whether the deletion has been asked for when a turn begins. */
export const isGoing = ({ deed, turns }: Plan, index: number): boolean =>
  deed.does === 'delete' || turns.slice(0, index + 1).some(({ deletes }) => deletes === true);

export function catalogIn(subject: Subject, release: Turn['release']): ProcedureCatalog {
  const { kinds } = subject.packageOf(release);
  return kinds.find(({ resource }) => resource.id === subject.catalog.resource.id) ?? subject.catalog;
}

/** The version at which it ended, of those that are as good as each other. */
export function reached(subject: Subject, final: State, { version, or }: { readonly version: string; readonly or?: string }): string {
  const explored = [...final.values()].find((object) => isExplored(subject, object));
  return or !== undefined && explored !== undefined && standingOf(explored).version === or ? or : version;
}

/** What the objects say in the end. */
export function editsOf({ deed, faults }: Plan): readonly number[] {
  const first = deed.does === 'edit' ? [deed.edit] : [];
  return [...first, ...faults.flatMap((fault) => (fault.kind === 'edit' ? [fault.edit] : []))];
}
