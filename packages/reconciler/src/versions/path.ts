// Plans the way to the newest reachable version, instead of taking the greatest next step.
import type { NormalizedProcedure } from './catalog.ts';
import { compareVersions, highest, isInRange, isNewer } from './version.ts';

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
  const paths = new Map<string, readonly string[]>();
  for (const { version } of newestFirst.filter(isFirst)) paths.set(version, [version]);
  let frontier = [...paths.values()];
  while (frontier.length > 0) {
    const longer: (readonly string[])[] = [];
    for (const path of frontier)
      for (const procedure of newestFirst) {
        const last = path[path.length - 1] ?? '';
        const { version, from } = procedure;
        if (paths.has(version) || !isNext(procedure) || !isNewer(version, last) || !isInRange(last, from)) continue;
        const extended = [...path, version];
        paths.set(version, extended);
        longer.push(extended);
      }
    frontier = longer;
  }
  const goal = highest(paths.keys());
  return goal === undefined ? undefined : paths.get(goal);
}
