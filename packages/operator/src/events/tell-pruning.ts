// Tells of a pruning: what was deleted, and what was left for a reason that somebody should look into.
import type { KubernetesObject, PrunePlan } from '@pawl/reconciler/kubernetes';
import type { Metrics } from '../observe/metrics.ts';
import type { EventRecorder } from './event-recorder.ts';
import { eventsOfPruning, isLeftBehind } from './other-events.ts';

/** By Events about the owner, and by metrics. */
export function tellPruning(
  owner: KubernetesObject,
  pruned: readonly KubernetesObject[],
  keep: PrunePlan['keep'],
  { metrics, events }: { readonly metrics: Metrics; readonly events: Pick<EventRecorder, 'record'> },
): void {
  for (const { kind } of pruned) metrics.pruned(kind, 1);
  for (const { reason } of keep) if (isLeftBehind(reason)) metrics.pruneSkipped(reason, 1);
  events.record(...eventsOfPruning(owner, pruned, keep));
}
