// The catalogs and the operators of the model: four versions, every choice of ranges, up to three operators at once.
import type { ProcedureDeclaration } from '@pawl/reconciler';

/** What each version declares, by its number. */
export type Ladder = Readonly<Record<number, ProcedureDeclaration>>;

/** Stands for the origin of an object without a stamp; it is below every version. */
export const UNKNOWN = -1;

export const versionOf = (number: number): string => (number === UNKNOWN ? 'unknown' : `${number}.0.0`);

/** The number of a version; 0 for none. */
export function numberOf(version: string | undefined): number {
  if (version === undefined) return 0;
  return version === 'unknown' ? UNKNOWN : Number(version.slice(0, version.indexOf('.')));
}

type Range = readonly [lowest: number, highest: number];

/** Every contiguous range of versions below this one. */
function rangesBelow(version: number): readonly Range[] {
  const ranges: Range[] = [];
  for (let low = 1; low < version; low += 1) for (let high = low; high < version; high += 1) ranges.push([low, high]);
  return ranges;
}

/**
 * Every contiguous `from` of the versions 2 to 4, with and without `fromPartial` and `rollbackTo`. Which versions
 * finalize, which need their own teardown, and which take over objects of unknown origin, goes by the index.
 */
export function allLadders(): readonly Ladder[] {
  const ladders: Ladder[] = [];
  for (const two of rangesBelow(2))
    for (const three of rangesBelow(3))
      for (const four of rangesBelow(4))
        for (let partial = 0; partial < 8; partial += 1)
          for (let back = 0; back < 8; back += 1)
            ladders.push(ladderOf([two, three, four], { partial, back, index: ladders.length }));
  return ladders;
}

function ladderOf(
  from: readonly Range[],
  { partial, back, index }: { readonly partial: number; readonly back: number; readonly index: number },
): Ladder {
  const declared = (version: number, extra: ProcedureDeclaration = {}): ProcedureDeclaration => {
    const [low, high] = from[version - 2] ?? [1, 1];
    const bit = 1 << (version - 2);
    const range = `>=${versionOf(low)} <=${versionOf(high)}`;
    const lowest = index % 3 === 0 ? 1 : version - 1;
    return {
      version: versionOf(version),
      from: range,
      fromPartial: (partial & bit) === 0 ? undefined : range,
      rollbackTo: (back & bit) === 0 ? undefined : `>=${versionOf(lowest)} <${versionOf(version)}`,
      ...extra,
    };
  };
  return {
    1: { version: versionOf(1) },
    2: declared(2),
    3: declared(3, { finalizes: index % 2 === 0, ...(index % 4 === 1 ? { adopts: ['unknown'] } : {}) }),
    4: declared(4, { teardown: index % 5 === 0 ? 'Procedure' : 'Inventory' }),
  };
}

/** Operators at work at the same time, each with the versions of its catalog; the last one has them all. */
export const OPERATORS: readonly (readonly (readonly number[])[])[] = [
  [[1], [1, 2], [1, 2, 3, 4]],
  [
    [1, 2],
    [2, 3],
    [1, 2, 3, 4],
  ],
  [
    [1, 2, 3],
    [3, 4],
    [1, 2, 3, 4],
  ],
  [[1], [2], [1, 2, 3, 4]],
  [
    [1, 2],
    [1, 2, 3],
    [1, 2, 3, 4],
  ],
];

/** Products whose authors say nothing about versions, and their second release. */
export const PLAIN_WORLDS: readonly {
  readonly name: string;
  readonly ladder: Ladder;
  readonly operators: readonly (readonly number[])[];
}[] = [
  {
    name: 'single procedures 1, 2, 3',
    ladder: { 1: { version: '1.0.0' }, 2: { version: '2.0.0' }, 3: { version: '3.0.0' } },
    operators: [[1], [2], [3]],
  },
  {
    name: 'second release, derived',
    ladder: {
      1: { version: '1.0.0' },
      2: { version: '2.0.0', derivedFrom: '1.0.0' },
      3: { version: '3.0.0', derivedFrom: '2.0.0' },
    },
    operators: [[1], [1, 2], [1, 2, 3]],
  },
  {
    name: 'second release, base renamed',
    ladder: { 1: { version: '1.0.0' }, 2: { version: '2.0.0' }, 3: { version: '3.0.0', derivedFrom: '2.0.0' } },
    operators: [[1], [2], [2, 3]],
  },
];
