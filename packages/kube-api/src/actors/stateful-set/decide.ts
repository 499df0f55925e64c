// StatefulSet: pods with ordinals, brought up, scaled and updated in order (or all at once under Parallel).
import { resolveShare, earliest } from '../base/counts.ts';
import type { Cluster } from '../base/cluster.ts';
import { splitKey } from '../base/kind.ts';
import type { ControllerRevision, Pod, StatefulSet } from '../base/model.ts';
import { claim } from '../base/owners.ts';
import { availableInMs, isEnded, isTerminating } from '../base/pods.ts';
import type { Decision, Step } from '../base/step.ts';
import { NOTHING } from '../base/step.ts';
import { claimOwners, hasEndingClaim, missingClaims } from './claims.ts';
import { ordinalOf, podOf, startOf } from './identity.ts';
import { REVISION_LABEL, revisionName, surplusRevisions, templateOf, wantedRevision } from '../base/revisions.ts';
import { reportOf } from './status.ts';

/** Everything that the decisions about one set look at. */
interface Situation {
  readonly set: StatefulSet;
  readonly pods: ReadonlyMap<number, Pod>;
  readonly revisions: readonly ControllerRevision[];
  readonly current: string;
  readonly update: string;
  readonly cluster: Cluster;
  readonly now: number;
}

/** What the StatefulSet of this key needs. */
export function decideStatefulSet(key: string, cluster: Cluster, now: number): Decision {
  const { namespace, name } = splitKey(key);
  const set = cluster.get('statefulsets.apps', namespace, name);
  if (set === undefined) return NOTHING;
  const claimed = claim(cluster, 'pods', set, set.spec.selector, (pod) => ordinalOf(set, pod) !== undefined);
  if (claimed.steps.length > 0) return { steps: claimed.steps };
  const { owned: revisions, steps: adopting } = claim(cluster, 'controllerrevisions.apps', set, set.spec.selector);
  if (adopting.length > 0) return { steps: adopting };
  const wanted = cluster.serves('controllerrevisions.apps')
    ? wantedRevision(set, revisions)
    : { name: revisionName(set), step: undefined };
  const ending = set.metadata.deletionTimestamp !== undefined;
  if (wanted.step !== undefined && !ending) return { steps: [wanted.step] };
  const pods = byOrdinal(set, claimed.owned);
  const current = set.status?.currentRevision ?? wanted.name;
  const situation: Situation = { set, pods, revisions, current, update: wanted.name, cluster, now };
  const report = reportOf(set, pods, current, wanted.name, now);
  const steps = ending ? [] : advance(situation);
  const again = earliest(...[...pods.values()].map((pod) => nextInMs(situation, pod)));
  return { steps, report, ...(again === undefined ? {} : { againAfterMs: again }) };
}

function byOrdinal(set: StatefulSet, pods: readonly Pod[]): ReadonlyMap<number, Pod> {
  const entries = pods.map((pod) => [ordinalOf(set, pod) ?? -1, pod] as const).filter(([ordinal]) => ordinal >= 0);
  return new Map(entries.toSorted(([a], [b]) => a - b));
}

function advance(situation: Situation): readonly Step[] {
  const { set, pods, revisions, current, update, cluster } = situation;
  const owners = [...new Set([...ordinals(set), ...pods.keys()])].flatMap((ordinal) =>
    claimOwners(set, ordinal, pods.get(ordinal), cluster),
  );
  if (owners.length > 0) return owners;
  const { steps, settled } = fill(situation);
  if (steps.length > 0 || !settled) return steps;
  const condemned = shrink(situation);
  if (condemned !== 'settled') return condemned;
  const replaced = roll(situation);
  if (replaced.length > 0) return replaced;
  const needed = new Set([current, update, ...[...pods.values()].map(revisionOf)]);
  return surplusRevisions(revisions, needed, set.spec.revisionHistoryLimit ?? 10);
}

/** Creates what is missing from the lowest ordinal up; in order means that each waits for the one before. */
function fill(situation: Situation): { readonly steps: readonly Step[]; readonly settled: boolean } {
  const { set, pods, cluster } = situation;
  const steps: Step[] = [];
  for (const ordinal of ordinals(set)) {
    const pod = pods.get(ordinal);
    if (pod === undefined && !hasEndingClaim(set, ordinal, cluster)) {
      steps.push(...missingClaims(set, ordinal, cluster), { step: 'create', object: createPod(situation, ordinal) });
    } else if (pod !== undefined && isEnded(pod) && !isTerminating(pod)) {
      steps.push({ step: 'delete', target: pod });
    }
    if (isInOrder(set) && (steps.length > 0 || pod === undefined || !serves(situation, pod)))
      return { steps, settled: false };
  }
  return { steps, settled: true };
}

/** Deletes pods beyond the scale from the highest ordinal down; in order means one at a time. */
function shrink({ set, pods }: Situation): readonly Step[] | 'settled' {
  const wanted = new Set(ordinals(set));
  const condemned = [...pods]
    .filter(([ordinal]) => !wanted.has(ordinal))
    .map(([, pod]) => pod)
    .toReversed();
  if (condemned.length === 0) return 'settled';
  if (isInOrder(set) && condemned.some(isTerminating)) return [];
  const alive = condemned.filter((pod) => !isTerminating(pod));
  const chosen = isInOrder(set) ? alive.slice(0, 1) : alive;
  return chosen.length === 0 ? 'settled' : chosen.map((target) => ({ step: 'delete', target }));
}

/** Deletes pods of another revision from the highest ordinal down to the partition, as long as enough serve. */
function roll(situation: Situation): readonly Step[] {
  const { set, pods, update } = situation;
  const { type = 'RollingUpdate', rollingUpdate } = set.spec.updateStrategy ?? {};
  if (type === 'OnDelete') return [];
  const lowest = startOf(set) + (rollingUpdate?.partition ?? 0);
  let budget = Math.max(1, resolveShare(rollingUpdate?.maxUnavailable ?? 1, set.spec.replicas ?? 1, 'up'));
  const steps: Step[] = [];
  for (const ordinal of ordinals(set).toReversed()) {
    const pod = pods.get(ordinal);
    if (ordinal < lowest || budget <= 0) break;
    if (pod === undefined || !serves(situation, pod)) {
      budget--;
      if (pod === undefined || isTerminating(pod) || revisionOf(pod) === update) continue;
    } else if (revisionOf(pod) === update) {
      continue;
    } else {
      budget--;
    }
    steps.push({ step: 'delete', target: pod });
  }
  return steps;
}

/** Ordinals below the partition are made from the revision before the update. */
function createPod({ set, revisions, current, update }: Situation, ordinal: number): ReturnType<typeof podOf> {
  const { type = 'RollingUpdate', rollingUpdate } = set.spec.updateStrategy ?? {};
  const former = type === 'RollingUpdate' && ordinal < startOf(set) + (rollingUpdate?.partition ?? 0);
  const template = former ? templateOf(revisions.find(({ metadata }) => metadata.name === current)) : undefined;
  return podOf(set, ordinal, template ?? set.spec.template, template === undefined ? update : current);
}

function ordinals(set: StatefulSet): readonly number[] {
  return Array.from({ length: set.spec.replicas ?? 1 }, (_, index) => startOf(set) + index);
}

function isInOrder(set: StatefulSet): boolean {
  return set.spec.podManagementPolicy !== 'Parallel';
}

function serves({ set, now }: Situation, pod: Pod): boolean {
  return !isTerminating(pod) && availableInMs(pod, set.spec.minReadySeconds ?? 0, now) === 0;
}

function nextInMs({ set, now }: Situation, pod: Pod): number | undefined {
  const ms = availableInMs(pod, set.spec.minReadySeconds ?? 0, now);
  return ms === undefined || ms === 0 ? undefined : ms;
}

function revisionOf(pod: Pod): string {
  return pod.metadata.labels?.[REVISION_LABEL] ?? '';
}
