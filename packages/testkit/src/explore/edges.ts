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

/** All pairs of an older and a newer version; those that end at the newest come first. */
export function edgesOf({ catalog, versions }: Pick<Subject, 'catalog' | 'versions'>): readonly Edge[] {
  const { procedures } = catalogOf(catalog.procedures);
  const pairs = versions.flatMap((to) =>
    versions.filter((from) => compareVersions(from, to) < 0).map((from) => edge(procedures, from, to)),
  );
  return pairs.toSorted((a, b) => compareVersions(b.to, a.to) || compareVersions(b.from, a.from));
}

function edge(procedures: readonly NormalizedProcedure[], from: string, to: string): Edge {
  const older = procedures.find(({ version }) => version === from);
  const newer = procedures.find(({ version }) => version === to);
  const isDirect =
    older !== undefined &&
    newer !== undefined &&
    refusal(newer, { version: from, state: 'Complete', rollbackTo: older.rollbackTo, teardown: older.teardown }) === undefined;
  return { from, to, name: `${from} → ${to}`, isDirect };
}
