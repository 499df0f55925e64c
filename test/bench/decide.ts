// What a decision costs with few and with very many versions: a ladder in which each version accepts the one before.
import { decide, normalizeCatalog, type DecisionInput, type RecordEntry, type VersionCatalog } from '@pawl/reconciler';
import type { Benchmark, Row } from './row.ts';

/** Versions of the catalog, and the goal for one decision in microseconds. */
const SIZES = [
  { versions: 3, goal: 50 },
  { versions: 30, goal: 500 },
  { versions: 300, goal: 10_000 },
] as const;
const SPENT_MS = 400;

/** The cost of `decide` for an object that is complete at the newest version, and for one at the oldest. */
export const decideBenchmark: Benchmark = {
  what: 'decide',
  measure: () =>
    Promise.resolve(
      SIZES.flatMap(({ versions, goal }) => {
        const catalog = ladder(versions);
        const newest = catalog.procedures.at(-1)?.version ?? '';
        return [
          rowOf(`decide, ${versions} versions, steady`, goal, inputOf(catalog, newest)),
          rowOf(`decide, ${versions} versions, from the oldest`, goal, inputOf(catalog, '1.0.0')),
        ];
      }),
    ),
};

function rowOf(what: string, goal: number, input: DecisionInput): Row {
  for (let warm = 0; warm < 20; warm += 1) decide(input);
  const started = performance.now();
  let count = 0;
  while (performance.now() - started < SPENT_MS || count < 5) {
    decide(input);
    count += 1;
  }
  return { what, goal, measured: ((performance.now() - started) * 1000) / count, unit: 'us' };
}

/** Each version takes over from any of the last four. */
function ladder(count: number): VersionCatalog {
  return normalizeCatalog(
    Array.from({ length: count }, (_, index) => ({
      version: `${index + 1}.0.0`,
      ...(index === 0 ? {} : { from: `>=${Math.max(1, index - 3)}.0.0 <${index + 1}.0.0-0` }),
    })),
  );
}

function inputOf(catalog: VersionCatalog, version: string): DecisionInput {
  const digest = catalog.procedures.find((procedure) => procedure.version === version)?.digest ?? version;
  const applied: readonly RecordEntry[] = [{ version, state: 'Complete', digest, rollbackTo: 'none', teardown: 'Inventory' }];
  return {
    catalog,
    uid: 'u',
    record: { formatVersion: 1, minReader: 1, epoch: 7, version, applied, avoid: [], scope: [] },
  };
}
