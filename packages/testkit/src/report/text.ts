// The report for a person: what was run, what was found, and everything that is needed to understand one failure.
import type { Exploration, Failure } from '../explore/exploration.ts';
import { describePlan } from '../explore/plan.ts';
import { subjectOfPath } from '../world/api-paths.ts';
import { describeFault } from '../world/faults.ts';
import type { HistoryEvent, RequestEvent } from '../world/history.ts';
import { actionOf, writesOf, type Written } from '../checks/writes.ts';

export interface ReportOptions {
  /** The command that replays a failure, by its place in the list; absent: no such line. */
  readonly replayCommand?: (failure: Failure, index: number) => string;
}

/** The whole report, ending in a newline. */
export function explorationText(exploration: Exploration, options: ReportOptions = {}): string {
  const { failures } = exploration;
  const parts = [
    ...failures.map((failure, index) => failureText(failure, options.replayCommand?.(failure, index))),
    summaryText(exploration),
  ];
  return `${parts.join('\n\n')}\n`;
}

/** What was run and what was not. */
export function summaryText(exploration: Exploration): string {
  const { failures, runs, seconds, runsPerSecond, crashPoints, repeated, coverage, actions, faults, notRun, seed } = exploration;
  const found = failures.length === 0 ? 'nothing found' : `${failures.length} ${failures.length === 1 ? 'failure' : 'failures'}`;
  const width = Math.max(0, ...coverage.map(({ edge }) => edge.length));
  const rows = coverage.map(({ mode, edge, runs: count, crashPoints: points }) =>
    `  ${mode.padEnd(12)} ${edge.padEnd(width)} ${String(count).padStart(6)} runs${points === 0 ? '' : `, ${points} kills`}`,
  );
  const kinds = Object.entries(faults).map(([name, count]) => `${name} ${count}`);
  return [
    `${exploration.package}: ${found} in ${runs} runs, ${seconds.toFixed(1)} s, ${runsPerSecond.toFixed(0)} runs/s, seed ${seed}`,
    ...rows,
    `  crash points ${crashPoints}; faults: ${kinds.join(', ') || 'none'}`,
    `  Actions that wrote: ${actions.wrote.join(', ') || 'none'}${actions.silent.length === 0 ? '' : `; never: ${actions.silent.join(', ')}`}`,
    `  repeated to see whether the same seed gives the same history: ${repeated} runs`,
    ...notRun.map((says) => `  not run: ${says}`),
    `  rests on: ${exploration.assumptions.join('; ')}`,
  ].join('\n');
}

const MOST_VIOLATIONS = 5;

/** One failure on one page. */
export function failureText(failure: Failure, replay?: string): string {
  const { plan, found, violations, run } = failure;
  const { history } = run.outcome;
  const [first] = violations;
  const lines = violations.slice(0, MOST_VIOLATIONS).map(({ check, says }) => `  ${check}: ${says}`);
  const more = violations.length > MOST_VIOLATIONS ? [`  and ${violations.length - MOST_VIOLATIONS} more`] : [];
  const written = first === undefined ? undefined : writeBehind(history, first);
  return [
    `✗ ${describePlan(plan)}`,
    ...lines,
    ...more,
    '',
    row('plan', plan.faults.length === 0 ? 'nothing goes wrong: it is so every time' : plan.faults.map(describeFault).join('; ')),
    row('write', written === undefined ? `no process wrote ${first?.object ?? 'it'}` : describeWrite(written)),
    ...readsBefore(history, written).map((text, index) => row(index === 0 ? 'based on' : '', text)),
    ...lastLogs(history).map((text, index) => row(index === 0 ? 'it said' : '', text)),
    ...(found === plan ? [] : [row('found as', describePlan(found))]),
    row('seed', String(plan.seed)),
    ...(replay === undefined ? [] : [row('replay', replay)]),
  ].join('\n');
}

const row = (name: string, text: string): string => `  ${name.padEnd(9)} ${text}`;

/** The write that a violation is about: the one that it names, or the last one of its object. */
function writeBehind(history: readonly HistoryEvent[], { object, at }: { readonly object?: string; readonly at?: number }): Written | undefined {
  const writes = writesOf(history);
  const named = at === undefined ? undefined : writes.find((written) => written.at === at);
  if (named !== undefined || object === undefined) return named;
  const name = object.slice(object.lastIndexOf(' ') + 1);
  return writes.findLast(({ subject, event }) => event.type === 'request' && (subject.endsWith(` ${name}`) || subject.includes(` ${name} `)));
}

function describeWrite({ event, subject }: Written): string {
  if (event.type === 'effect') return `process ${event.process}, write ${event.write}: effect ${subject}`;
  const by = actionOf(event);
  const who = by === undefined ? 'the framework' : `Action ${by}`;
  const outcome = event.committed ? (event.status === 0 ? 'done, the answer was lost' : 'done') : `refused with ${event.status}`;
  return `process ${event.process}, write ${event.write ?? '?'}: ${event.method} ${subject} by ${who} (${outcome})`;
}

const MOST_READS = 5;

/** What the process had asked before it wrote. */
function readsBefore(history: readonly HistoryEvent[], written: Written | undefined): readonly string[] {
  const end = written?.at ?? history.length;
  const process = written?.event.process;
  const reads = history
    .slice(0, end)
    .filter((event): event is RequestEvent => event.type === 'request' && event.method === 'GET')
    .filter((event) => process === undefined || event.process === process);
  return reads.slice(-MOST_READS).map(({ path, status, process: by }) => `GET ${subjectOfPath(path)} → ${status} (process ${by})`);
}

function lastLogs(history: readonly HistoryEvent[]): readonly string[] {
  return history
    .filter((event) => event.type === 'log')
    .slice(-3)
    .map(({ process, says, error }) => `process ${process}: ${says}${error === undefined ? '' : `: ${error}`}`);
}
