// DaemonSet: one pod on every node that fits.
import type { Cluster } from '../base/cluster.ts';
import { earliest, resolveShare } from '../base/counts.ts';
import { splitKey } from '../base/kind.ts';
import { mergeDiff } from '../base/merge.ts';
import type { DaemonSet, Pod } from '../base/model.ts';
import { claim, controlledBy } from '../base/owners.ts';
import { availableInMs, byDispensability, isEnded, isReady, isTerminating, podFrom } from '../base/pods.ts';
import { REVISION_LABEL, revisionName, surplusRevisions, wantedRevision } from '../base/revisions.ts';
import type { Decision, Step } from '../base/step.ts';
import { NOTHING } from '../base/step.ts';
import { fitOf, tolerationsFor } from './placement.ts';

/** Pods by node, and the nodes that should and may have one. */
interface Situation {
  readonly set: DaemonSet;
  readonly revision: string;
  readonly byNode: ReadonlyMap<string, readonly Pod[]>;
  readonly wanted: ReadonlySet<string>;
  readonly allowed: ReadonlySet<string>;
  readonly now: number;
}

/** What the DaemonSet of this key needs. */
export function decideDaemonSet(key: string, cluster: Cluster, now: number): Decision {
  const { namespace, name } = splitKey(key);
  const set = cluster.get('daemonsets.apps', namespace, name);
  if (set === undefined) return NOTHING;
  const { owned: pods, steps: adopting } = claim(cluster, 'pods', set, set.spec.selector);
  const { owned: revisions, steps: adoptingRevisions } = claim(
    cluster,
    'controllerrevisions.apps',
    set,
    set.spec.selector,
  );
  if (adopting.length + adoptingRevisions.length > 0) return { steps: [...adopting, ...adoptingRevisions] };
  const ending = set.metadata.deletionTimestamp !== undefined;
  const kept =
    cluster.serves('controllerrevisions.apps') && !ending
      ? wantedRevision(set, revisions)
      : { name: revisionName(set), step: undefined };
  if (kept.step !== undefined) return { steps: [kept.step] };
  const fits = cluster
    .list('nodes')
    .map((node) => ({ name: node.metadata.name, ...fitOf(node, set.spec.template?.spec) }));
  const wanted = new Set(fits.filter(({ runs }) => runs).map((fit) => fit.name));
  const allowed = new Set(fits.filter(({ stays }) => stays).map((fit) => fit.name));
  const byNode = Map.groupBy(pods, (pod) => pod.spec?.nodeName ?? '');
  const situation: Situation = { set, revision: hashOf(set, kept.name), byNode, wanted, allowed, now };
  const again = earliest(...pods.map((pod) => availableInMs(pod, set.spec.minReadySeconds ?? 0, now) || undefined));
  const needed = new Set([kept.name, ...pods.map((pod) => `${name}-${pod.metadata.labels?.[REVISION_LABEL] ?? ''}`)]);
  const steps = ending ? [] : [...place(situation), ...roll(situation)];
  return {
    steps:
      steps.length > 0 || ending ? steps : surplusRevisions(revisions, needed, set.spec.revisionHistoryLimit ?? 10),
    report: report(situation),
    ...(again === undefined ? {} : { againAfterMs: again }),
  };
}

/** The label of a pod holds the hash alone, without the name of the set. */
function hashOf(set: DaemonSet, revision: string): string {
  return revision.slice(set.metadata.name.length + 1);
}

/** Creates what is missing, deletes what is too many, misplaced or has ended. */
function place({ set, revision, byNode, wanted, allowed }: Situation): readonly Step[] {
  const steps: Step[] = [];
  for (const [node, pods] of byNode) {
    const alive = pods.filter((pod) => !isTerminating(pod));
    const running = alive.filter((pod) => !isEnded(pod));
    const surplus = allowed.has(node) ? byDispensability(running).slice(0, -1) : running;
    for (const target of [...alive.filter(isEnded), ...surplus]) steps.push({ step: 'delete', target });
  }
  for (const node of wanted) {
    if ((byNode.get(node) ?? []).length > 0) continue;
    const { name, namespace } = set.metadata;
    const labels = { [REVISION_LABEL]: revision, 'pod-template-generation': String(set.metadata.generation ?? 1) };
    const identity = {
      generateName: `${name}-`,
      namespace,
      owner: controlledBy(set),
      labels,
      spec: { nodeName: node, tolerations: tolerationsFor(set.spec.template?.spec) },
    };
    steps.push({ step: 'create', object: podFrom(set.spec.template, identity) });
  }
  return steps;
}

/** Deletes pods of an older template: at once those that do not serve, others as far as enough keep serving. */
function roll(situation: Situation): readonly Step[] {
  const { set, revision, byNode, wanted } = situation;
  if (set.spec.updateStrategy?.type === 'OnDelete') return [];
  const { maxUnavailable = 1 } = set.spec.updateStrategy?.rollingUpdate ?? {};
  const placed = [...wanted].map((node) =>
    (byNode.get(node) ?? []).find((pod) => !isTerminating(pod) && !isEnded(pod)),
  );
  const old = placed
    .filter((pod) => pod !== undefined)
    .filter((pod) => pod.metadata.labels?.[REVISION_LABEL] !== revision);
  const useless = old.filter((pod) => !serves(situation, pod));
  const missing = placed.filter((pod) => pod === undefined || !serves(situation, pod)).length;
  const budget = Math.max(0, Math.max(1, resolveShare(maxUnavailable, wanted.size, 'up')) - missing);
  const serving = old.filter((pod) => serves(situation, pod)).slice(0, budget);
  return [...useless, ...serving].map((target) => ({ step: 'delete', target }));
}

function report(situation: Situation): readonly Step[] {
  const { set, revision, byNode, wanted } = situation;
  const living = [...byNode].map(
    ([node, pods]) => [node, pods.filter((pod) => !isTerminating(pod) && !isEnded(pod))] as const,
  );
  const placed = living.filter(([node, pods]) => wanted.has(node) && pods.length > 0).map(([, pods]) => pods[0]);
  const count = (test: (pod: Pod) => boolean): number => placed.filter((pod) => pod !== undefined && test(pod)).length;
  const available = count((pod) => serves(situation, pod));
  const updated = count((pod) => pod.metadata.labels?.[REVISION_LABEL] === revision);
  const patch = mergeDiff(set.status, {
    observedGeneration: set.metadata.generation ?? 1,
    desiredNumberScheduled: wanted.size,
    currentNumberScheduled: placed.length,
    numberMisscheduled: living.filter(([node, pods]) => !wanted.has(node) && pods.length > 0).length,
    numberReady: count(isReady),
    ...(available === 0 ? {} : { numberAvailable: available }),
    ...(wanted.size === available ? {} : { numberUnavailable: wanted.size - available }),
    ...(updated === 0 ? {} : { updatedNumberScheduled: updated }),
  });
  return patch === undefined ? [] : [{ step: 'patch', target: set, patch: { status: patch }, subresource: 'status' }];
}

function serves({ set, now }: Situation, pod: Pod): boolean {
  return availableInMs(pod, set.spec.minReadySeconds ?? 0, now) === 0;
}
