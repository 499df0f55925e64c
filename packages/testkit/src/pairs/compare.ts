// All looks at a pair of versions. Pure: whatever is asked of an API was asked before.
import { droppedObjects } from './dropped.ts';
import { renamedLeases } from './leases.ts';
import { changedNames } from './names.ts';
import type { Look, Pair, PairFinding } from './pair.ts';
import { refusedChanges } from './refused.ts';
import { selectors } from './selectors.ts';

const LOOKS: readonly Look[] = [refusedChanges, selectors, renamedLeases, changedNames, droppedObjects];

/** What a hop changes that is not seen in one version alone, errors first. */
export function pairFindings(pair: Pair): readonly PairFinding[] {
  const found = LOOKS.flatMap((look) => look(pair)).map((remark): PairFinding => ({ edge: pair.edge, ...remark }));
  return [...found.filter(({ severity }) => severity === 'error'), ...found.filter(({ severity }) => severity !== 'error')];
}
