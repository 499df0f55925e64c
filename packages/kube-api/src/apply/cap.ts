// Keeps the number of updaters bounded: the oldest ones are merged into one entry per version.
import { union } from './field-set.ts';
import { compareText, managerId } from './managers.ts';
import type { Manager, Managers } from './managers.ts';

const MAX_UPDATERS = 10;
const BUCKET = 'ancient-changes';

/** Merges the oldest updaters into `ancient-changes` while there are more than ten. */
export function capUpdaters(managers: Managers): void {
  const updaters = [...managers].filter(([, manager]) => manager.operation === 'Update');
  if (updaters.length <= MAX_UPDATERS) return;
  updaters.sort(([a, x], [b, y]) => compareText(x.time ?? '', y.time ?? '') || compareText(a, b));
  const firstOfVersion = new Map<string, string>();
  let count = updaters.length;
  for (const [id, updater] of updaters) {
    if (count <= MAX_UPDATERS) return;
    const first = firstOfVersion.get(updater.apiVersion);
    if (first === undefined) {
      firstOfVersion.set(updater.apiVersion, id);
      continue;
    }
    const bucket: Manager = { ...updater, manager: BUCKET, subresource: undefined, entry: undefined };
    const bucketId = managerId(bucket);
    const collected = managers.get(bucketId) ?? managers.get(first);
    if (!managers.has(bucketId)) managers.delete(first);
    managers.delete(id);
    managers.set(bucketId, {
      ...bucket,
      set: collected === undefined ? updater.set : union(collected.set, updater.set),
    });
    count--;
  }
}
