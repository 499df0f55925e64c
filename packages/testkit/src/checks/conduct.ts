// Checks of conduct: what is deleted and how, whose objects are written, how often, and by whom.
import { isProtectedKind, LABELS, type KubernetesObject } from '@pawl/reconciler/kubernetes';
import { nameOfAction, type ActionName } from '../world/action-name.ts';
import { partsOfPath } from '../world/api-paths.ts';
import type { HistoryEvent } from '../world/history.ts';
import type { Check, Violation } from './check.ts';
import { actionOf, writesOf } from './writes.ts';

type Found = KubernetesObject | undefined;

/** A deletion names the uid that it means, and the object is ours; data goes only if an Action says so. */
export const deletesOnlyWhatItMay: Check = ({ history }) => {
  const violations: Violation[] = [];
  // Where nobody followed the Actions, the mark on the object has to do.
  const isFollowed = history.some(({ type }) => type === 'read');
  for (const { event, at, subject } of writesOf(history)) {
    if (event.type !== 'request' || event.method !== 'DELETE') continue;
    const { preconditions } = (event.body ?? {}) as { readonly preconditions?: { readonly uid?: string } };
    const object = event.before as Found;
    const complain = (says: string): void =>
      void violations.push({ check: 'deletes only what it may', object: subject, says: `${subject} ${says}`, at });
    if (preconditions?.uid === undefined) complain('is deleted without naming its uid: another object of that name could be hit');
    if (object === undefined) continue;
    if (object.metadata.labels?.[LABELS.owner] === undefined) complain('is deleted, but does not belong to an object of the package');
    else if (isProtectedKind(object) && (isFollowed ? event.by : actionOf(event)) === undefined) complain('is deleted by the framework, although its loss destroys data');
  }
  return violations;
};

/** Nobody else's controller owns what is written. */
export const writesOnlyItsOwn: Check = ({ history }) => {
  const violations: Violation[] = [];
  for (const { event, at, subject } of writesOf(history)) {
    if (event.type !== 'request' || !event.committed || event.before === undefined) continue;
    const { metadata } = event.before as KubernetesObject;
    const controller = metadata.ownerReferences?.find((reference) => reference.controller === true);
    const isOurs = metadata.labels?.[LABELS.owner] !== undefined;
    const stamps = (event.body as Found)?.metadata?.labels?.[LABELS.owner] !== undefined;
    if (controller !== undefined && !isOurs && stamps)
      violations.push({
        check: 'writes only its own objects',
        object: subject,
        says: `${subject} belongs to ${controller.kind} ${controller.name} and is taken over`,
        at,
      });
  }
  return violations;
};

/** How often each object was created and deleted. */
export function lifeCounts(history: readonly HistoryEvent[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { event } of writesOf(history)) {
    if (event.type !== 'request' || !event.committed) continue;
    const isCreated = event.before === undefined && event.method !== 'DELETE';
    const isDeleted = event.method === 'DELETE';
    if (!isCreated && !isDeleted) continue;
    const parts = partsOfPath(event.path);
    if (parts === undefined || parts.plural === 'leases') continue;
    const name = parts.name ?? (event.body as Found)?.metadata.name ?? '(generated)';
    const key = `${isCreated ? 'created' : 'deleted'} ${parts.plural} ${parts.namespace ?? ''}/${name}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
}

/** A run with a fault creates and deletes each object no more often than an undisturbed one, and a repetition. */
export const doesNotChurn: Check = ({ history, usual, plan }) => {
  if (usual === undefined) return [];
  const slack = plan.faults.length + plan.turns.length;
  // What somebody deletes is made anew.
  const lost = plan.faults.filter((fault) => fault.kind === 'person' && fault.does === 'deletes').length;
  return [...lifeCounts(history)].flatMap(([key, count]): readonly Violation[] => {
    const expected = usual.get(key) ?? 0;
    const isTooMuch = key.startsWith('created') ? count > Math.max(1, expected) + lost : count > Math.max(1, expected) + slack;
    return isTooMuch
      ? [{ check: 'does not churn', object: key, says: `${key} ${count} times; an undisturbed run does so ${expected} times` }]
      : [];
  });
};

/** Of what may be there once, one is there: a name that the server makes up is asked for once. */
export const createsNothingTwice: Check = ({ history }) => {
  const generated = new Map<string, number>();
  for (const { event } of writesOf(history)) {
    if (event.type !== 'request' || event.method !== 'POST' || !event.committed) continue;
    const { generateName, name } = ((event.body ?? {}) as { readonly metadata?: Readonly<Record<string, string>> }).metadata ?? {};
    if (name !== undefined || generateName === undefined) continue;
    const key = `${event.path} ${generateName}`;
    generated.set(key, (generated.get(key) ?? 0) + 1);
  }
  return [...generated].flatMap(([key, count]) =>
    count > 1 ? [{ check: 'creates nothing twice' as const, object: key, says: `${key} was created ${count} times under made-up names` }] : [],
  );
};

/** A write that the server takes comes from the holder of the Lease. */
export const oneWriter: Check = ({ history }) =>
  writesOf(history).flatMap(({ event, at, subject, plural }): readonly Violation[] => {
    if (event.type !== 'request' || !event.committed || event.holder === undefined || plural === 'leases') return [];
    return event.holder.startsWith(`replica-${event.process}_`)
      ? []
      : [
          {
            check: 'lets one process write at a time',
            object: subject,
            says: `process ${event.process} writes ${subject} while ${event.holder} holds the Lease`,
            at,
          },
        ];
  });

/** So many requests are still polite in a run, however much goes wrong in it. */
const MOST_REQUESTS = 3_000;
const MOST_AT_ONCE = 700;

/** What fails, or is undone again and again, is tried again after a pause. */
export const behavesWell: Check = ({ history }) => {
  const requests = history.filter(({ type }) => type === 'request');
  const moments = new Map<string, number>();
  for (const { atMs, process } of requests) {
    const key = `${process} ${atMs}`;
    moments.set(key, (moments.get(key) ?? 0) + 1);
  }
  const most = Math.max(0, ...moments.values());
  const idle = idleRuns(history);
  if (idle !== undefined)
    return [{ check: 'behaves well under errors', says: `${nameOfAction(idle.by)} is run ${idle.times} times at one moment, and nothing is written: a hot loop` }];
  const restless = restlessWriter(history);
  if (restless !== undefined)
    return [{ check: 'behaves well under errors', says: `${nameOfAction(restless.by)} writes ${restless.subject} more than ${MOST_WRITES} times: it wants something else each time it looks` }];
  if (most > MOST_AT_ONCE)
    return [{ check: 'behaves well under errors', says: `${most} requests are sent without any pause between them, most of them by ${busiest(requests)}: a hot loop` }];
  return requests.length > MOST_REQUESTS
    ? [{ check: 'behaves well under errors', says: `${requests.length} requests are sent, most of them by ${busiest(requests)}; allowed are ${MOST_REQUESTS}` }]
    : [];
};

/** So often an Action may look again at one moment without that anything is written. */
const MOST_IDLE_RUNS = 50;

/** An Action that is run again and again at one moment. */
function idleRuns(history: readonly HistoryEvent[]): { readonly by: ActionName; readonly times: number } | undefined {
  let [process, atMs, counts] = [0, 0, new Map<string, { readonly by: ActionName; times: number }>()];
  for (const event of history) {
    const isWrite = event.type === 'effect' || (event.type === 'request' && event.write !== undefined);
    if (event.atMs !== atMs || event.process !== process || isWrite) [process, atMs, counts] = [event.process, event.atMs, new Map()];
    if (event.type !== 'read' || event.source !== 'own') continue;
    const key = `${event.by.action} ${event.what}`;
    const count = counts.get(key) ?? { by: event.by, times: 0 };
    count.times += 1;
    counts.set(key, count);
    if (count.times > MOST_IDLE_RUNS) return count;
  }
  return undefined;
}

/** So often an Action may change one object in a run, whatever goes wrong. */
const MOST_WRITES = 60;

/** An Action that changes an object again and again. */
function restlessWriter(history: readonly HistoryEvent[]): { readonly by: ActionName; readonly subject: string } | undefined {
  const counts = new Map<string, number>();
  for (const { event, subject } of writesOf(history)) {
    if (event.type !== 'request' || event.by === undefined || !event.committed || revisionOf(event.before) === revisionOf(event.after)) continue;
    const key = `${event.by.action} ${subject}`;
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    if (count > MOST_WRITES) return { by: event.by, subject };
  }
  return undefined;
}

const revisionOf = (object: unknown): string | undefined => (object as Found)?.metadata?.resourceVersion;

/** Who sent most of the requests, in words. */
function busiest(requests: readonly HistoryEvent[]): string {
  const counts = new Map<string, number>();
  for (const event of requests) {
    const by = event.type !== 'request' || event.by === undefined ? 'the framework' : nameOfAction(event.by);
    counts.set(by, (counts.get(by) ?? 0) + 1);
  }
  return [...counts].toSorted(([, a], [, b]) => b - a)[0]?.[0] ?? 'nobody';
}
