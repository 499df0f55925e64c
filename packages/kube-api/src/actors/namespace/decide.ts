// Namespace: when it is deleted, first everything in it goes, then the namespace itself.
import type { Cluster } from '../base/cluster.ts';
import { withCondition } from '../base/condition.ts';
import type { Kind } from '../base/kind.ts';
import { resourceName, splitKey } from '../base/kind.ts';
import { mergeDiff } from '../base/merge.ts';
import type { Condition, Namespace } from '../base/model.ts';
import type { Decision, Step } from '../base/step.ts';
import { NOTHING } from '../base/step.ts';

const FINALIZER = 'kubernetes';
/** Failures are retried rather than reported here; readers expect the conditions all the same. */
const NO_FAILURES = [
  ['NamespaceDeletionDiscoveryFailure', 'ResourcesDiscovered'],
  ['NamespaceDeletionGroupVersionParsingFailure', 'ParsedGroupVersions'],
  ['NamespaceDeletionContentFailure', 'ContentDeleted'],
] as const;

/** What the namespace of this key needs. */
export function decideNamespace(key: string, cluster: Cluster, now: number): Decision {
  const { name } = splitKey(key);
  const namespace = cluster.get('namespaces', undefined, name);
  if (namespace?.metadata.deletionTimestamp === undefined) return NOTHING;
  const finalizers = namespace.spec?.finalizers ?? [];
  if (!finalizers.includes(FINALIZER)) return NOTHING;
  const kinds = cluster.kinds().filter(isDeletable);
  const filled = kinds.filter((kind) => (cluster.storeOf(kind)?.list(name).length ?? 0) > 0);
  if (filled.length > 0) {
    const report = remaining(namespace, filled, cluster, now);
    return {
      steps: filled
        .filter((kind) => hasUntouched(kind, name, cluster))
        .map((kind) => ({ step: 'clear', kind, namespace: name })),
      report,
    };
  }
  const checks: readonly Step[] = kinds.map((kind) => ({ step: 'expectEmpty', kind, namespace: name }));
  return {
    steps: [
      ...checks,
      { step: 'finalize', target: namespace, finalizers: finalizers.filter((entry) => entry !== FINALIZER) },
    ],
  };
}

function isDeletable({ namespaced, verbs }: Kind): boolean {
  return namespaced && verbs.includes('list') && verbs.includes('deletecollection');
}

function hasUntouched(kind: Kind, namespace: string, cluster: Cluster): boolean {
  return (
    cluster
      .storeOf(kind)
      ?.list(namespace)
      .some(({ metadata }) => metadata.deletionTimestamp === undefined) ?? false
  );
}

/** Says what is still there, and which finalizers hold it. */
function remaining(target: Namespace, filled: readonly Kind[], cluster: Cluster, now: number): readonly Step[] {
  const objects = filled.flatMap((kind) => cluster.storeOf(kind)?.list(target.metadata.name) ?? []);
  const finalizers = new Set(objects.flatMap(({ metadata }) => metadata.finalizers ?? []));
  const content = filled.map(
    (kind) => `${resourceName(kind)} (${cluster.storeOf(kind)?.list(target.metadata.name).length})`,
  );
  let conditions: readonly Condition[] = target.status?.conditions ?? [];
  const set = (type: string, reason: string, held: boolean, message: string): void => {
    conditions = withCondition(conditions, { type, status: held ? 'True' : 'False', reason, message }, now);
  };
  for (const [type, reason] of NO_FAILURES) set(type, reason, false, 'No failure');
  set('NamespaceContentRemaining', 'SomeResourcesRemain', true, `Still there: ${content.toSorted().join(', ')}`);
  set(
    'NamespaceFinalizersRemaining',
    finalizers.size > 0 ? 'SomeFinalizersRemain' : 'ContentHasNoFinalizers',
    finalizers.size > 0,
    finalizers.size > 0
      ? `Held by the finalizers: ${[...finalizers].toSorted().join(', ')}`
      : 'Nothing is held by a finalizer',
  );
  const patch = mergeDiff(target.status, { ...target.status, conditions });
  return patch === undefined ? [] : [{ step: 'patch', target, patch: { status: patch }, subresource: 'status' }];
}
