// The ReplicaSets of a Deployment: which one carries the current template, in which order they came, and making one.
import type { Json, JsonObject, KubeObject } from '../../json.ts';
import { equalJson, without } from '../../json.ts';
import { shortHash } from '../base/hash.ts';
import type { Deployment, PodTemplate, ReplicaSet } from '../base/model.ts';
import { controlledBy } from '../base/owners.ts';

export const HASH_LABEL = 'pod-template-hash';
export const REVISION = 'deployment.kubernetes.io/revision';
const HISTORY = 'deployment.kubernetes.io/revision-history';
const DESIRED = 'deployment.kubernetes.io/desired-replicas';
const MAXIMUM = 'deployment.kubernetes.io/max-replicas';
/** Annotations of a Deployment that say something about it alone. */
const OWN = new Set([
  'kubectl.kubernetes.io/last-applied-configuration',
  'deprecated.deployment.rollback.to',
  REVISION,
  HISTORY,
  DESIRED,
  MAXIMUM,
]);

/** The hash of a template; the number of collisions so far makes it another one. */
export function templateHash(deployment: Deployment): string {
  const collisions = deployment.status?.collisionCount ?? 0;
  const template: Json = deployment.spec.template ?? {};
  return shortHash(collisions === 0 ? template : { template, collisions });
}

/**
 * The ReplicaSet that carries the Deployment's template; the oldest if there are several. Where the server has filled in
 * one template and not the other, the hash still tells.
 */
export function currentOf(deployment: Deployment, sets: readonly ReplicaSet[]): ReplicaSet | undefined {
  if (sets.length === 0) return undefined;
  const wanted = withoutHash(deployment.spec.template);
  const equal = byAge(sets).find((set) => equalJson(withoutHash(set.spec.template), wanted));
  if (equal !== undefined) return equal;
  const hash = templateHash(deployment);
  return byAge(sets).find((set) => set.metadata.labels?.[HASH_LABEL] === hash);
}

function withoutHash(template: PodTemplate | undefined): JsonObject {
  const metadata = template?.metadata;
  if (metadata === undefined) return template ?? {};
  const labels = without(metadata.labels ?? {}, HASH_LABEL);
  // A server may store the empty creation time of a template or leave it out.
  return { ...template, metadata: { ...without(metadata, 'creationTimestamp'), labels } };
}

/** Oldest first. */
export function byAge(sets: readonly ReplicaSet[]): readonly ReplicaSet[] {
  return sets.toSorted((a, b) => {
    const [left, right] = [a.metadata.creationTimestamp ?? '', b.metadata.creationTimestamp ?? ''];
    if (left !== right) return left < right ? -1 : 1;
    return revisionOf(a) - revisionOf(b) || (a.metadata.name < b.metadata.name ? -1 : 1);
  });
}

/** The rollout number of a ReplicaSet; 0 if it has none. */
export function revisionOf(object: { readonly metadata: ReplicaSet['metadata'] }): number {
  return Number.parseInt(object.metadata.annotations?.[REVISION] ?? '0', 10) || 0;
}

/** The rollout number that the current ReplicaSet should have: one more than all others. */
export function nextRevision(current: ReplicaSet | undefined, sets: readonly ReplicaSet[]): number {
  return Math.max(0, ...sets.filter((set) => set !== current).map(revisionOf)) + 1;
}

/** The annotations of a ReplicaSet: those of its Deployment, its rollout number, and the scale it takes part in. */
export function annotationsFor(
  deployment: Deployment,
  revision: number,
  maximum: number,
  known?: ReplicaSet,
): Readonly<Record<string, string>> {
  const before = known?.metadata.annotations ?? {};
  const copied = Object.entries(deployment.metadata.annotations ?? {}).filter(([key]) => !OWN.has(key));
  const former = before[REVISION];
  const moved = former !== undefined && former !== String(revision);
  const history = [before[HISTORY], former].filter((entry) => entry !== undefined).join(',');
  return {
    ...before,
    ...Object.fromEntries(copied),
    ...(moved ? { [HISTORY]: history } : {}),
    [REVISION]: String(revision),
    ...scaleAnnotations(deployment, maximum),
  };
}

/** What a ReplicaSet says about the scale of its Deployment. */
export function scaleAnnotations(deployment: Deployment, maximum: number): Readonly<Record<string, string>> {
  return { [DESIRED]: String(deployment.spec.replicas ?? 1), [MAXIMUM]: String(maximum) };
}

/** A ReplicaSet for the Deployment's template. */
export function newReplicaSet(
  deployment: Deployment,
  replicas: number,
  annotations: Readonly<Record<string, string>>,
): KubeObject {
  const hash = templateHash(deployment);
  const { selector, template, minReadySeconds } = deployment.spec;
  const labels = { ...template?.metadata?.labels, [HASH_LABEL]: hash };
  return {
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata: {
      name: `${deployment.metadata.name}-${hash}`,
      ...(deployment.metadata.namespace === undefined ? {} : { namespace: deployment.metadata.namespace }),
      labels,
      annotations,
      ownerReferences: [controlledBy(deployment)],
    },
    spec: {
      replicas,
      ...(minReadySeconds === undefined ? {} : { minReadySeconds }),
      selector: { ...selector, matchLabels: { ...selector?.matchLabels, [HASH_LABEL]: hash } },
      template: { ...template, metadata: { ...template?.metadata, labels } },
    },
  };
}
