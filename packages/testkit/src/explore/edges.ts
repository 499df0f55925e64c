// The hops between versions that authors declared, and those that they did not.
import { catalogOf, compareVersions, refusal, type NormalizedProcedure } from '@pawl/reconciler';
import type { Subject } from './subject.ts';

export interface Edge {
  readonly from: string;
  readonly to: string;
  readonly name: string;
  /** The newer one accepts the older one, completed, in one hop. */
  readonly isDirect: boolean;
}

/**
 * All pairs of an older and a newer version; those that end at the newest come first. Against a release: those that begin
 * with a version of it and end with one that it does not know.
 */
export function edgesOf({ catalog, released, versions }: Pick<Subject, 'catalog' | 'released' | 'versions'>): readonly Edge[] {
  const newer = catalogOf(catalog.procedures).procedures;
  const older = released === undefined ? newer : catalogOf(released.procedures).procedures;
  const isOld = (version: string): boolean => older.some((known) => known.version === version);
  const pairs = ownVersions({ released, versions }).flatMap((to) =>
    versions.filter((from) => isOld(from) && compareVersions(from, to) < 0).map((from) => edge(older, newer, from, to)),
  );
  return pairs.toSorted((a, b) => compareVersions(b.to, a.to) || compareVersions(b.from, a.from));
}

/** The versions whose installs and deletions are explored: what was released was explored before. */
export function ownVersions({ released, versions }: Pick<Subject, 'released' | 'versions'>): readonly string[] {
  return versions.filter((version) => released?.procedures.some((known) => known.version === version) !== true);
}

function edge(olders: readonly NormalizedProcedure[], newers: readonly NormalizedProcedure[], from: string, to: string): Edge {
  const older = olders.find(({ version }) => version === from);
  const newer = newers.find(({ version }) => version === to);
  const isDirect =
    older !== undefined &&
    newer !== undefined &&
    refusal(newer, { version: from, state: 'Complete', rollbackTo: older.rollbackTo, teardown: older.teardown }) === undefined;
  return { from, to, name: `${from} → ${to}`, isDirect };
}
