// Plans the way to the newest reachable version, instead of taking the greatest next step.
import type { NormalizedProcedure } from './catalog.ts';
import { compareVersions, isInRange, isNewer } from './version.ts';

export interface PathRules {
  /** May be the first hop, from what is applied. */
  readonly isFirst: (procedure: NormalizedProcedure) => boolean;
  /** May be a later hop. */
  readonly isNext: (procedure: NormalizedProcedure) => boolean;
}

/**
 * The shortest way to the highest version that can be reached; among equally short ones the highest first hop.
 * Undefined if there is no first hop. Each later hop must accept the completed one before it.
 */
export function planPath(
  procedures: readonly NormalizedProcedure[],
  { isFirst, isNext }: PathRules,
): readonly string[] | undefined {
  const newestFirst = procedures.toSorted((a, b) => compareVersions(b.version, a.version));
  const allowed = newestFirst.map(isNext);
  /** Index of each version reached to that of the one before it; the first hops come from none. */
  const before = new Map<number, number | undefined>();
  for (const [index, procedure] of newestFirst.entries()) if (isFirst(procedure)) before.set(index, undefined);
  // Breadth first, the newest first within a breadth; a map is walked in the order in which it grows.
  for (const last of before.keys()) {
    const from = newestFirst[last]?.version ?? '';
    for (const [index, { version, from: range }] of newestFirst.slice(0, last).entries())
      if (allowed[index] === true && !before.has(index) && isInRange(from, range) && isNewer(version, from))
        before.set(index, last);
  }
  const goal = Math.min(...before.keys());
  const path: string[] = [];
  for (let at: number | undefined = goal; at !== undefined; at = before.get(at))
    path.unshift(newestFirst[at]?.version ?? '');
  return before.size === 0 ? undefined : path;
}
