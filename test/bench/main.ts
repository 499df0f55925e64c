// `npm run bench`: figures beside their goals, as a table, or as JSON with `-o json`. It judges nothing: exit code 0.
import { parseArgs } from 'node:util';
import { demoBenchmark } from './demo.ts';
import { decideBenchmark } from './decide.ts';
import { engineBenchmark } from './engine.ts';
import { apiBenchmark, enrollmentBenchmark, explorerBenchmark, runtimeBenchmark } from './packages.ts';
import { tableOf, type Benchmark, type Row } from './row.ts';

const BENCHMARKS: readonly Benchmark[] = [
  engineBenchmark,
  decideBenchmark,
  apiBenchmark,
  runtimeBenchmark,
  enrollmentBenchmark,
  explorerBenchmark,
  demoBenchmark,
];
const NAMES = BENCHMARKS.map(({ what }) => what).join(', ');

const { values, positionals } = parseArgs({
  options: { output: { type: 'string', short: 'o', default: 'text' } },
  allowPositionals: true,
});
const faults = [
  ...(['text', 'json'].includes(values.output) ? [] : [`--output: found ${values.output}; allowed are text, json`]),
  ...positionals
    .filter((name) => !BENCHMARKS.some(({ what }) => what === name))
    .map((name) => `found ${name}; the benchmarks are ${NAMES}`),
];
if (faults.length > 0) {
  console.error(faults.join('\n'));
  process.exitCode = 1;
} else {
  const rows: Row[] = [];
  for (const { what, measure } of BENCHMARKS)
    if (positionals.length === 0 || positionals.includes(what)) rows.push(...(await measure()));
  console.log(values.output === 'json' ? JSON.stringify(rows, undefined, 2) : tableOf(rows));
}
