// What a server took of a run, object by object, in an order that two runs of the same plan must share: between two
// changes of the record writes may come in any order, and what changed nothing counts for nothing.
import { LABELS, ownerHashOf, type KubernetesObject } from '@pawl/reconciler/kubernetes';
import { writesOf } from '../checks/writes.ts';
import { isOwned } from '../explore/state.ts';
import { objectPathOf, subjectOfPath } from '../world/api-paths.ts';
import type { HistoryEvent, RequestEvent } from '../world/history.ts';
import { recordText } from './aims.ts';

/** By the owner of what was written: steps, each with writes in no order. A step that is a change of the record stands alone. */
export type Sequence = Readonly<Record<string, readonly (readonly string[])[]>>;

type Found = KubernetesObject | undefined;

export function sequenceOf(history: readonly HistoryEvent[]): Sequence {
  const byOwner = new Map<string, string[][]>();
  for (const { event, plural } of writesOf(history)) {
    if (event.type !== 'request' || plural === 'leases' || !event.committed || changesNothing(event)) continue;
    const owner = ownerOf(event);
    const steps = byOwner.get(owner) ?? [];
    byOwner.set(owner, steps);
    if (!/\/status(\?|$)/.test(event.path)) {
      const last = steps.at(-1);
      const text = `${event.method} ${subjectOfPath(objectPathOf(event) ?? event.path)}`;
      if (last === undefined || last[0]?.startsWith('record:') === true) steps.push([text]);
      else last.push(text);
      continue;
    }
    const text = recordText(event.after);
    if (text !== recordText(event.before)) steps.push([text]);
  }
  return Object.fromEntries([...byOwner].toSorted(([a], [b]) => a.localeCompare(b)).map(([owner, steps]) => [owner, steps.map((step) => step.toSorted())]));
}

function changesNothing({ before, after, method }: RequestEvent): boolean {
  const revision = (object: unknown): string | undefined => (object as Found)?.metadata?.resourceVersion;
  return method !== 'DELETE' && before !== undefined && revision(before) !== undefined && revision(before) === revision(after);
}

function ownerOf({ before, after, body, path }: RequestEvent): string {
  const objects = [after, before, body].filter((object): object is KubernetesObject => (object as Found)?.metadata !== undefined);
  const owned = objects.find(isOwned);
  if (owned !== undefined) return owned.metadata.labels?.[LABELS.owner] ?? '';
  const [object] = objects;
  return object?.metadata.name === undefined ? path : ownerHashOf(object);
}

/** How two sequences differ, for people; undefined if they do not. */
export function sequenceDifference(simulated: Sequence, real: Sequence): string | undefined {
  for (const owner of new Set([...Object.keys(simulated), ...Object.keys(real)])) {
    const [wanted, found] = [simulated[owner] ?? [], real[owner] ?? []];
    for (let index = 0; index < Math.max(wanted.length, found.length); index += 1) {
      const [should, is] = [wanted[index] ?? [], found[index] ?? []];
      if (should.join('\n') === is.join('\n')) continue;
      const after = wanted[index - 1]?.join(', ');
      return `${after === undefined ? 'first' : `after ${after}`} the simulation writes ${should.join(', ') || 'nothing'}; the real server took ${is.join(', ') || 'nothing'}`;
    }
  }
  return undefined;
}
