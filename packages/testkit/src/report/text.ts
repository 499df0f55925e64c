// The report for a person: what was run, what was found, and everything that is needed to understand one failure.
import { ANNOTATIONS } from '@pawl/reconciler/kubernetes';
import type { EdgeCoverage, Exploration, Failure } from '../explore/exploration.ts';
import { describePlan } from '../explore/plan.ts';
import type { PairFinding } from '../pairs/pair.ts';
import { describeFault } from '../world/fault-words.ts';
import { nameOfAction } from '../world/action-name.ts';
import type { HistoryEvent } from '../world/history.ts';
import { actionOf, writesOf, type Written } from '../checks/writes.ts';
import { askedBefore, lastReadsOf, readsBefore, type Divergence } from './divergence.ts';

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
  const names = edgeNames(coverage);
  const width = Math.max(0, ...coverage.map((row) => names(row).length));
  const rows = coverage.map(({ mode, kind, edge, runs: count, crashPoints: points }) =>
    `  ${mode.padEnd(12)} ${names({ kind, edge }).padEnd(width)} ${String(count).padStart(6)} runs${points === 0 ? '' : `, ${points} kills`}`,
  );
  const kinds = Object.entries(faults).map(([name, count]) => `${name} ${count}`);
  return [
    `${exploration.package}: ${found} in ${runs} runs, ${seconds.toFixed(1)} s, ${runsPerSecond.toFixed(0)} runs/s, seed ${seed}`,
    ...rows,
    `  crash points ${crashPoints}; faults: ${kinds.join(', ') || 'none'}`,
    `  Actions that wrote: ${actions.wrote.join(', ') || 'none'}${actions.silent.length === 0 ? '' : `; never: ${actions.silent.join(', ')}`}`,
    `  repeated to see whether the same seed gives the same history: ${repeated} runs`,
    ...exploration.pairs.map((finding) => `  ${pairText(finding)}`),
    ...notRun.map((says) => `  not run: ${says}`),
    `  rests on: ${exploration.assumptions.join('; ')}`,
  ].join('\n');
}

/** How a line of the report names a hop: the kind counts only where there are several. */
export function edgeNames(coverage: readonly Pick<EdgeCoverage, 'kind'>[]): (row: Pick<EdgeCoverage, 'kind' | 'edge'>) => string {
  const hasSeveral = new Set(coverage.map(({ kind }) => kind)).size > 1;
  return ({ kind, edge }) => (hasSeveral ? `${kind} ${edge}` : edge);
}

/** One finding about a hop in one line. */
export function pairText({ edge, object, path, says, severity, action }: PairFinding): string {
  const where = path === undefined ? object : `${object} ${path}`;
  return `${edge}: ${where}: ${says}${severity === 'error' ? `; to do: ${action}` : ''}`;
}

const MOST_VIOLATIONS = 5;

/** What is shown of a failure. */
type Shown = Pick<Failure, 'plan' | 'found' | 'violations' | 'divergence'> & { readonly run: Pick<Failure['run'], 'outcome'> };

/** One failure on one page. */
export function failureText(failure: Shown, replay?: string): string {
  const { plan, found, violations, run, divergence } = failure;
  const { history, masks } = run.outcome;
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
    ...(written === undefined ? unwrittenRows(failure) : [row('write', describeWrite(written)), ...rows('based on', readsBefore(history, written))]),
    ...divergenceRows(divergence),
    ...rows('it said', lastLogs(history)),
    ...rows('left out', masks.map(({ says }) => says)),
    ...(found === plan ? [] : [row('found as', describePlan(found))]),
    row('seed', String(plan.seed)),
    ...(replay === undefined ? [] : [row('replay', replay)]),
  ].join('\n');
}

const rows = (name: string, texts: readonly string[]): readonly string[] => texts.map((text, index) => row(index === 0 ? name : '', text));
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
  if (event.type === 'effect') return `process ${event.process}, write ${event.write}: effect ${subject}${event.by === undefined ? '' : ` by ${nameOfAction(event.by)}`}`;
  const by = actionOf(event);
  const who = event.by !== undefined ? nameOfAction(event.by) : by === undefined ? 'the framework' : `the framework, for Action ${by}`;
  const outcome = event.committed ? (event.status === 0 ? 'done, the answer was lost' : 'done') : `refused with ${event.status}`;
  return `process ${event.process}, write ${event.write ?? '?'}: ${event.method} ${subject} by ${who} (${outcome})`;
}

/** What nobody wrote, whose it would have been, and what was seen instead. */
function unwrittenRows({ violations: [first], run, divergence }: Shown): readonly string[] {
  const { history, final, fresh } = run.outcome;
  const object = first?.object;
  const owned = object === undefined ? undefined : (fresh?.get(object) ?? final.get(object));
  const action = owned?.metadata.annotations?.[ANNOTATIONS.action];
  const says = row('write', `no process wrote ${object ?? 'it'}${action === undefined ? '' : `, which is of Action ${action}`}`);
  if (divergence !== undefined) return [says];
  return [says, ...rows('based on', action === undefined ? askedBefore(history, history.length, undefined) : lastReadsOf(history, action))];
}

/** Where the run parts from the undisturbed one. */
function divergenceRows(divergence: Divergence | undefined): readonly string[] {
  if (divergence === undefined) return [];
  const { kind, write, by = 'the framework', after, reads } = divergence;
  const place = after === undefined ? 'from the start' : `after ${after}`;
  const says = kind === 'sent' ? `${write} by ${by} is sent here, and never without the fault` : `${write} by ${by} is sent without the fault, and never here`;
  return [row('parts', `${place}: ${says}`), ...rows('it saw', reads.length === 0 && by !== 'the framework' ? [`${by} did not run again`] : reads)];
}

function lastLogs(history: readonly HistoryEvent[]): readonly string[] {
  return history
    .filter((event) => event.type === 'log')
    .slice(-3)
    .map(({ process, says, error }) => `process ${process}: ${says}${error === undefined ? '' : `: ${error}`}`);
}
