// Where histories part: two of the same plan, which should be the same, and one with a fault from one without.
import { nameOfAction, type ActionName } from '../world/action-name.ts';
import { subjectOfPath } from '../world/api-paths.ts';
import { lineOf, traceHash, type HistoryEvent } from '../world/history.ts';
import { divergenceOf, referenceOf, type Divergence } from '../report/divergence.ts';
import type { Context } from './context.ts';
import type { Plan } from './plan.ts';
import { runPlan, type Run } from './run-plan.ts';

/** The first difference, in words; undefined if there is none. */
export function partingOf(first: readonly HistoryEvent[], second: readonly HistoryEvent[]): { readonly says: string; readonly at: number } | undefined {
  if (traceHash(first) === traceHash(second)) return undefined;
  const length = Math.max(first.length, second.length);
  const at = Array.from({ length }, (_, index) => index).findIndex((index) => lineAt(first, index) !== lineAt(second, index));
  const event = first[at] ?? second[at];
  const by = event === undefined ? undefined : actionOf(event);
  const who = by === undefined ? '' : `${nameOfAction(by)}: `;
  return { says: `${who}the same seed gave two different histories; they part at event ${at + 1} (${wordsOf(event)}): something depends on more than time and seed`, at };
}

/** An error that is lost, or a look at the real clock, is as clear the first time. */
export const isClearWithoutRepetition = ({ outcome: { escapes, unhandled } }: Run): boolean => escapes.length + unhandled.length > 0;

/** Where a run that failed parts from the same story with nothing in its way. */
export async function divergenceIn(context: Context, { plan, run }: { readonly plan: Plan; readonly run: Run }): Promise<Divergence | undefined> {
  if (plan.faults.length === 0) return undefined;
  const reference = await runPlan(context, referenceOf(plan));
  return divergenceOf(run.outcome.history, reference.outcome.history);
}

const lineAt = (history: readonly HistoryEvent[], index: number): string | undefined => {
  const event = history[index];
  return event === undefined ? undefined : lineOf(event);
};

function actionOf(event: HistoryEvent): ActionName | undefined {
  return event.type === 'request' || event.type === 'effect' || event.type === 'read' ? event.by : undefined;
}

function wordsOf(event: HistoryEvent | undefined): string {
  if (event?.type === 'request') return `${event.method} ${subjectOfPath(event.path)}`;
  if (event?.type === 'effect') return `${event.system}.${event.call}`;
  return event?.type === 'read' ? `a look at ${event.what}` : 'the end of one of them';
}
