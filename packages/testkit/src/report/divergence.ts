// Where a run that went wrong parts from the same story with nothing in its way: the first write that one of them makes and
// the other does not, and what was read before.
import { ANNOTATIONS } from '@pawl/reconciler/kubernetes';
import { canonicalJson } from '@pawl/reconciler';
import { writesOf, type Written } from '../checks/writes.ts';
import type { Plan } from '../explore/plan.ts';
import { nameOfAction } from '../world/action-name.ts';
import { subjectOfPath } from '../world/api-paths.ts';
import { describeSeen, type HistoryEvent, type ReadEvent, type RequestEvent } from '../world/history.ts';

/** In words, for people and as JSON. */
export interface Divergence {
  /** `never sent`: the undisturbed run makes the write, this one does not. `sent`: the other way round. */
  readonly kind: 'never sent' | 'sent';
  /** Such as `PATCH configmaps default/a`. */
  readonly write: string;
  /** The Action that made it or should have, with its version; undefined: the framework. */
  readonly by: string | undefined;
  /** The last write that both runs made before. */
  readonly after: string | undefined;
  /** What the Action was shown in this run, with revisions; of the framework, what the process asked for last. */
  readonly reads: readonly string[];
}

/** The same story with nothing in its way: an operator that only took over from a killed one is left out. */
export function referenceOf(plan: Plan): Plan {
  const { order: _, ...rest } = plan;
  const turns = plan.turns.filter(({ rollback, deletes, beside, release }, index) => {
    const before = plan.turns[index - 1]?.release;
    const isSame = before !== undefined && before.upTo === release.upTo && before.alone === release.alone;
    return !isSame || rollback !== undefined || deletes === true || beside === true;
  });
  return { ...rest, turns, faults: [] };
}

/** @param reference the history of {@link referenceOf} */
export function divergenceOf(history: readonly HistoryEvent[], reference: readonly HistoryEvent[]): Divergence | undefined {
  const [own, usual] = [effectiveIn(history), effectiveIn(reference)];
  const places = new Map<string, number>();
  for (const [index, { key }] of usual.entries()) if (!places.has(key)) places.set(key, index);
  const made = new Set(own.map(({ key }) => key));
  const extra = own.findIndex(({ key }) => !places.has(key));
  const missing = usual.findIndex(({ key }) => !made.has(key));
  // A write is overdue as soon as the run makes one that comes later in the undisturbed one.
  const passed = missing === -1 ? -1 : own.findIndex(({ key }) => (places.get(key) ?? -1) > missing);
  const due = passed === -1 ? own.length : passed;
  const after = (place: number): string | undefined => wordsOf(own[place - 1]?.written);
  if (missing !== -1 && (extra === -1 || due <= extra)) {
    const [written, from] = [usual[missing]?.written, own[due - 1]?.written.at ?? 0];
    return written === undefined ? undefined : { kind: 'never sent', ...whoAndWhat(written), after: after(due), reads: readsFor(history, written, from) };
  }
  const written = own[extra]?.written;
  if (written === undefined) return undefined;
  return { kind: 'sent', ...whoAndWhat(written), after: after(extra), reads: readsBefore(history, written) };
}

interface Effective {
  readonly key: string;
  readonly written: Written;
}

/** Writes that changed something, each by what it is and what it asked for. What is only told, such as status, is left out. */
function effectiveIn(history: readonly HistoryEvent[]): readonly Effective[] {
  return writesOf(history).flatMap((written) => {
    const { event, plural } = written;
    if (event.type === 'effect') return [{ key: `${event.system}.${event.call} ${canonicalJson(event.args)}`, written }];
    if (!event.committed || plural === 'leases' || /\/status(\?|$)/.test(event.path)) return [];
    return [{ key: `${event.method} ${subjectOfPath(event.path)} ${contentOf(event)}`, written }];
  });
}

function contentOf({ method, body }: RequestEvent): string {
  if (method === 'DELETE') return '';
  const { metadata = {}, ...rest } = (body ?? {}) as { readonly metadata?: { readonly annotations?: Readonly<Record<string, string>> } };
  const applied = metadata.annotations?.[ANNOTATIONS.applied];
  return applied ?? canonicalJson(rest);
}

const wordsOf = (written: Written | undefined): string | undefined =>
  written === undefined ? undefined : `${verbOf(written)} (write ${written.event.write ?? '?'} of process ${written.event.process})`;

const verbOf = ({ event, subject }: Written): string => (event.type === 'effect' ? `the effect ${subject}` : `${event.method} ${subject}`);

function whoAndWhat(written: Written): Pick<Divergence, 'write' | 'by'> {
  const { by } = written.event;
  return { write: verbOf(written), by: by === undefined ? undefined : nameOfAction(by) };
}

/** What the Action that should have written was shown when it ran next; if it never ran, there is nothing. */
function readsFor(history: readonly HistoryEvent[], { event: { by } }: Written, from: number): readonly string[] {
  if (by === undefined) return askedBefore(history, history.length, undefined);
  const isOwn = (event: HistoryEvent): event is ReadEvent => event.type === 'read' && event.by.action === by.action;
  const began = history.findIndex((event, index) => index >= from && isOwn(event) && event.source === 'own');
  if (began === -1) return [];
  const next = history.findIndex((event, index) => index > began && isOwn(event) && event.source === 'own');
  return shown(history.slice(began, next === -1 ? undefined : next).filter(isOwn));
}

/** What the Action that wrote was shown before, since it began. */
export function readsBefore(history: readonly HistoryEvent[], { event, at }: Written): readonly string[] {
  const { by, process } = event;
  if (by === undefined) return askedBefore(history, at, process);
  const reads = history
    .slice(0, at)
    .filter((one): one is ReadEvent => one.type === 'read' && one.process === process && one.by.action === by.action);
  return shown(reads.slice(Math.max(0, reads.findLastIndex(({ source }) => source === 'own'))));
}

const MOST_READS = 6;

/** What a process asked the server for, for lack of an Action. */
export function askedBefore(history: readonly HistoryEvent[], end: number, process: number | undefined): readonly string[] {
  const asked = history
    .slice(0, end)
    .filter((event): event is RequestEvent => event.type === 'request' && event.method === 'GET' && (process === undefined || event.process === process))
    .map(({ path, status, process: by, revision }) => `GET ${subjectOfPath(path)} → ${status}${revision === undefined ? '' : ` @${revision}`} (process ${by})`);
  return [...new Set(asked.toReversed())].slice(0, MOST_READS).toReversed();
}

/** What an Action was shown when it ran last. */
export function lastReadsOf(history: readonly HistoryEvent[], action: string): readonly string[] {
  const reads = history.filter((event): event is ReadEvent => event.type === 'read' && event.by.action === action);
  return shown(reads.slice(Math.max(0, reads.findLastIndex(({ source }) => source === 'own'))));
}

const shown = (reads: readonly ReadEvent[]): readonly string[] => {
  const texts = reads.map((event) => {
    const { what, source, process } = event;
    const by = { own: '', cache: ', as the cache has it', server: ', as the server says' }[source];
    return `${what} ${describeSeen(event)}${by} (process ${process})`;
  });
  return [...new Set(texts)].slice(-MOST_READS);
};
