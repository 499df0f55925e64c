// Command line: `npm run conformance -- --target memory|http|control-plane [--record] [--write-docs] [--row ID]`.
import { parseArgs } from 'node:util';
import { writeDocs } from './docs.ts';
import { areas, allRows } from './rows/index.ts';
import type { Row } from './row.ts';
import { judgeAll } from './suite.ts';
import type { Verdict } from './suite.ts';
import { openTarget, targetNames } from './targets/open.ts';
import type { TargetName } from './targets/open.ts';
import { differences, readTranscripts, writeTranscripts } from './transcript.ts';
import type { Transcript } from './transcript.ts';

const usage = `usage: npm run conformance -- [--target ${targetNames.join('|')}] [--row ID]... [--record] [--write-docs] [--whole] [--verbose]

  --target      what to judge; default memory. control-plane: a real one, see test/control-plane
  --row         only these rows
  --record      with control-plane: keep its answers in test/conformance/transcripts
  --write-docs  write docs/conformance.md from the rows and transcripts, and end
  --whole       also list every other difference from the recorded answers; they do not count
  --verbose     name the rows that pass, too`;

function readArguments():
  | { target: TargetName; rows: readonly Row[]; record: boolean; docs: boolean; whole: boolean; verbose: boolean }
  | undefined {
  try {
    const { values } = parseArgs({
      options: {
        target: { type: 'string', default: 'memory' },
        row: { type: 'string', multiple: true },
        record: { type: 'boolean', default: false },
        'write-docs': { type: 'boolean', default: false },
        whole: { type: 'boolean', default: false },
        verbose: { type: 'boolean', default: false },
      },
    });
    const target = targetNames.find((name) => name === values.target);
    if (target === undefined) throw new Error(`--target: ${values.target} is none of ${targetNames.join(', ')}`);
    if (values.record && target !== 'control-plane')
      throw new Error('--record: only a real control plane is recorded, add --target control-plane');
    const rows = values.row === undefined ? allRows : values.row.map(rowNamed);
    return {
      target,
      rows,
      record: values.record,
      docs: values['write-docs'],
      whole: values.whole,
      verbose: values.verbose,
    };
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : String(error)}\n\n${usage}`);
    return undefined;
  }
}

function rowNamed(id: string): Row {
  const row = allRows.find((one) => one.id.toLowerCase() === id.toLowerCase());
  if (row === undefined) throw new Error(`--row: there is no row ${id}`);
  return row;
}

function report(verdict: Verdict, verbose: boolean): void {
  const name = `${verdict.row.id}  ${verdict.row.title}`;
  if (verdict.outcome === 'failed')
    console.log([`FAILED   ${name}`, ...verdict.disagreements.map((line) => `           ${line}`)].join('\n'));
  else if (verdict.outcome === 'skipped') console.log(`skipped  ${name}\n           ${verdict.reason}`);
  else if (verbose) console.log(`passed   ${name}`);
}

/** Replaces the transcripts of the rows that were judged and passed; those of rows that no longer exist go. */
function record(verdicts: readonly Verdict[], version: string): void {
  const known = readTranscripts();
  for (const area of areas) {
    const entries = area.rows.flatMap((row): readonly (readonly [string, Transcript])[] => {
      const verdict = verdicts.find((one) => one.row === row);
      if (verdict?.outcome === 'passed') return [[row.id, { kubernetes: version, steps: verdict.result.recorded }]];
      const before = known.get(row.id);
      return before === undefined ? [] : [[row.id, before]];
    });
    writeTranscripts(area.name, Object.fromEntries(entries));
  }
}

async function run(): Promise<number> {
  const options = readArguments();
  if (options === undefined) return 2;
  if (options.docs) {
    writeDocs();
    return 0;
  }
  const target = await openTarget(options.target);
  try {
    console.log(`target ${target.name}, Kubernetes ${target.version}`);
    const transcripts = readTranscripts();
    const verdicts = await judgeAll(options.rows, target, transcripts, (verdict) => {
      report(verdict, options.verbose);
      if (options.whole && verdict.outcome === 'passed') {
        for (const line of differences(verdict.row, verdict.result, transcripts, true))
          console.log(`differs  ${verdict.row.id}  ${line}`);
      }
    });
    if (options.record) record(verdicts, target.version);
    const count = (outcome: Verdict['outcome']): number =>
      verdicts.filter((verdict) => verdict.outcome === outcome).length;
    const skipped = count('skipped');
    console.log(
      `${String(count('passed'))} passed, ${String(count('failed'))} failed${skipped === 0 ? '' : `, ${String(skipped)} skipped`}`,
    );
    return count('failed') === 0 ? 0 : 1;
  } finally {
    await target.close();
  }
}

process.exitCode = await run();
