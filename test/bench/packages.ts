// What the packages measure of themselves, as rows of the one table.
import { benchFork, benchHttp, benchInProcess } from '@pawl/kube-api/bench';
import { benchEvents, benchIdle, benchSync, benchTakeover } from '@pawl/operator/bench';
import { enrollmentBench } from '@pawl/procedures-enrollment/bench';
import { benchCrashes, benchGrowth } from '@pawl/testkit';
import type { Benchmark, Row } from './row.ts';

interface Figure {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  readonly goal?: number;
}

const rowOf = ({ name, value, unit, goal }: Figure): Row => ({ what: name, goal, measured: value, unit });
const withGoal = (goal: number, figures: readonly Figure[]): readonly Row[] =>
  figures.map((figure) => rowOf({ ...figure, ...(figure.unit === 'requests/s' && !figure.name.includes('list') ? { goal } : {}) }));

export const apiBenchmark: Benchmark = {
  what: 'api',
  measure: async () => [
    ...withGoal(50_000, await benchInProcess()),
    ...withGoal(5_000, await benchHttp()),
    rowOf(await benchFork()),
  ],
};

export const runtimeBenchmark: Benchmark = {
  what: 'runtime',
  measure: async () =>
    [await benchSync(), await benchEvents(), await benchIdle(), await benchTakeover()].flat().map(rowOf),
};

const cpuUs = (): number => {
  const { user, system } = process.cpuUsage();
  return user + system;
};

export const enrollmentBenchmark: Benchmark = {
  what: 'enrollment',
  measure: async () => (await enrollmentBench({ cpuUs })).map(rowOf),
};

const CRASH_RUNS_PER_CPU_SECOND = 300;
const EXPLORED_MS = 8_000;
const GROWTH_MS = 2_000;

/** How the price of a run grows with writes, objects and versions. */
const growthRows = async (): Promise<readonly Row[]> =>
  (await benchGrowth(GROWTH_MS)).map(({ name, writes, runsPerCpuSecond }) => ({ what: `crash runs, ${name} (${writes} writes)`, measured: runsPerCpuSecond, unit: 'runs/s' }));

export const explorerBenchmark: Benchmark = {
  what: 'explorer',
  measure: async () => {
    const { writes, runsPerCpuSecond } = await benchCrashes({ children: 9 }, EXPLORED_MS);
    const what = `crash runs of an install of ${writes} writes, for each second of processor time`;
    return [{ what, goal: CRASH_RUNS_PER_CPU_SECOND, measured: runsPerCpuSecond, unit: 'runs/s' }, ...(await growthRows())];
  },
};
