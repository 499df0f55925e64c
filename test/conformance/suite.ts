// Runs rows against a target, several at once, and compares what it says with the recorded answers of a real server.
import { startHookServer } from './hook-server.ts';
import { runRow } from './run-row.ts';
import type { RowResult } from './run-row.ts';
import type { Row } from './row.ts';
import { unjudged } from './target.ts';
import type { Target } from './target.ts';
import { differences } from './transcript.ts';
import type { Transcripts } from './transcript.ts';

export type Verdict =
  | {
      readonly row: Row;
      readonly outcome: 'passed' | 'failed';
      readonly disagreements: readonly string[];
      readonly result: RowResult;
    }
  | { readonly row: Row; readonly outcome: 'skipped'; readonly reason: string };

/** Judges one row on one target. */
export async function judge(row: Row, target: Target, transcripts: Transcripts): Promise<Verdict> {
  const reason = unjudged(row, target);
  if (reason !== undefined) return { row, outcome: 'skipped', reason };
  const result = await runOn(row, target);
  const real = target.name === 'control-plane';
  const agrees = result.disagreements.length === 0;
  const found = agrees && !real ? differences(row, result, transcripts) : result.disagreements;
  if (real || row.notModelled === undefined) {
    return { row, outcome: found.length === 0 ? 'passed' : 'failed', disagreements: found, result };
  }
  if (found.length > 0) return { row, outcome: 'skipped', reason: `not modelled: ${row.notModelled}` };
  return { row, outcome: 'failed', disagreements: ['it agrees now: remove the note that it is not modelled'], result };
}

async function runOn(row: Row, target: Target): Promise<RowResult> {
  const hook = row.needs?.includes('webhooks') === true ? await startHookServer() : undefined;
  const session = await target.open(row);
  try {
    return await runRow(row, hook === undefined ? session : { ...session, hook });
  } finally {
    await session.close();
    await hook?.close();
  }
}

/** On a server that rows share, those that have pods moved, or that need the server for themselves, wait for the others. */
function stage(row: Row, target: Target): 'quiet' | 'pods move' | 'alone' {
  if (!target.shared) return 'quiet';
  if (row.alone === true) return 'alone';
  return row.needs?.includes('pods') === true ? 'pods move' : 'quiet';
}

/** Judges all rows, as many at once as the target bears. */
export async function judgeAll(
  rows: readonly Row[],
  target: Target,
  transcripts: Transcripts,
  report: (verdict: Verdict) => void = () => undefined,
): Promise<readonly Verdict[]> {
  const verdicts = new Map<Row, Verdict>();
  const work = async (queue: Row[]): Promise<void> => {
    for (let row = queue.shift(); row !== undefined; row = queue.shift()) {
      const verdict = await judge(row, target, transcripts);
      verdicts.set(row, verdict);
      report(verdict);
    }
  };
  const quiet = rows.filter((row) => stage(row, target) === 'quiet');
  await Promise.all(Array.from({ length: target.parallel }, () => work(quiet)));
  const moving = rows.filter((row) => stage(row, target) === 'pods move');
  await Promise.all(Array.from({ length: target.parallel }, () => work(moving)));
  await work(rows.filter((row) => stage(row, target) === 'alone'));
  return rows.flatMap((row) => verdicts.get(row) ?? []);
}
