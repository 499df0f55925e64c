// One line of the benchmark: what is measured, the goal, the figure.

/** A figure beside its goal. */
export interface Row {
  readonly what: string;
  readonly goal: number;
  readonly measured: number;
  readonly unit: 'us' | 's';
}

/** A measurement, run when it is its turn. */
export interface Benchmark {
  readonly what: string;
  readonly measure: () => Promise<readonly Row[]>;
}

/** Rows as a table for people. The goal of every row is an upper bound. */
export function tableOf(rows: readonly Row[]): string {
  const cells = rows.map(({ what, goal, measured, unit }) => [
    what,
    `<= ${goal} ${unit}`,
    `${measured.toFixed(2)} ${unit}`,
    measured <= goal ? 'reached' : 'missed',
  ]);
  const lines = [['what', 'goal', 'measured', ''], ...cells];
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
