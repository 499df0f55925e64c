// One line of the benchmark: what is measured, the goal if there is one, the figure.

/** A figure beside its goal. */
export interface Row {
  readonly what: string;
  /** At most this much; at least this much where the unit is so many a second. */
  readonly goal?: number | undefined;
  readonly measured: number;
  /** Such as `us`, `ms`, `s`, `MB`, `requests/s`. */
  readonly unit: string;
}

/** A measurement, run when it is its turn. */
export interface Benchmark {
  readonly what: string;
  readonly measure: () => Promise<readonly Row[]>;
}

const isRate = ({ unit }: Row): boolean => unit.endsWith('/s');

/** Rows as a table for people. */
export function tableOf(rows: readonly Row[]): string {
  const lines = [['what', 'goal', 'measured', ''], ...rows.map(cellsOf)];
  const widths = [0, 1, 2, 3].map((column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  return lines
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

function cellsOf(row: Row): readonly string[] {
  const { what, goal, measured, unit } = row;
  const figure = `${measured >= 1000 ? Math.round(measured) : measured.toFixed(2)} ${unit}`;
  if (goal === undefined) return [what, '', figure, ''];
  const isReached = isRate(row) ? measured >= goal : measured <= goal;
  return [what, `${isRate(row) ? '>=' : '<='} ${goal} ${unit}`, figure, isReached ? 'reached' : 'missed'];
}
