// What makes a pod of a StatefulSet that pod: its ordinal, its name, and its claims.
import type { KubeObject } from '../../json.ts';
import type { Pod, PodTemplate, StatefulSet, Volume } from '../base/model.ts';
import { controlledBy } from '../base/owners.ts';
import { podFrom } from '../base/pods.ts';
import { REVISION_LABEL } from '../base/revisions.ts';

/** The first ordinal. */
export function startOf(set: StatefulSet): number {
  return set.spec.ordinals?.start ?? 0;
}

/** The name of the pod with this ordinal. */
export function podName(set: StatefulSet, ordinal: number): string {
  return `${set.metadata.name}-${ordinal}`;
}

/** The ordinal of a pod of this set; undefined if its name is not of the set's form. */
export function ordinalOf(set: StatefulSet, pod: { readonly metadata: Pod['metadata'] }): number | undefined {
  const prefix = `${set.metadata.name}-`;
  const rest = pod.metadata.name.startsWith(prefix) ? pod.metadata.name.slice(prefix.length) : '';
  return /^(0|[1-9]\d*)$/.test(rest) ? Number(rest) : undefined;
}

/** The name of a claim of a pod. */
export function claimName(set: StatefulSet, template: string, ordinal: number): string {
  return `${template}-${podName(set, ordinal)}`;
}

/** The pod with this ordinal, from a template of the set. */
export function podOf(
  set: StatefulSet,
  ordinal: number,
  template: PodTemplate | undefined,
  revision: string,
): KubeObject {
  const name = podName(set, ordinal);
  const claims = (set.spec.volumeClaimTemplates ?? []).map((claim) => claim.metadata?.name ?? '');
  const kept = (template?.spec?.volumes ?? []).filter((volume) => !claims.includes(volume.name));
  const mounted: readonly Volume[] = claims.map((claim) => ({
    name: claim,
    persistentVolumeClaim: { claimName: claimName(set, claim, ordinal) },
  }));
  const volumes = [...mounted, ...kept];
  return podFrom(template, {
    name,
    namespace: set.metadata.namespace,
    owner: controlledBy(set),
    labels: {
      'statefulset.kubernetes.io/pod-name': name,
      'apps.kubernetes.io/pod-index': String(ordinal),
      [REVISION_LABEL]: revision,
    },
    spec: {
      hostname: name,
      ...(set.spec.serviceName === undefined ? {} : { subdomain: set.spec.serviceName }),
      ...(volumes.length === 0 ? {} : { volumes }),
    },
  });
}

/** The claims of the pod with this ordinal. */
export function claimsOf(set: StatefulSet, ordinal: number): readonly KubeObject[] {
  const { namespace } = set.metadata;
  return (set.spec.volumeClaimTemplates ?? []).map((template) => ({
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: {
      name: claimName(set, template.metadata?.name ?? '', ordinal),
      ...(namespace === undefined ? {} : { namespace }),
      labels: { ...template.metadata?.labels, ...set.spec.selector?.matchLabels },
      ...(template.metadata?.annotations === undefined ? {} : { annotations: template.metadata.annotations }),
    },
    spec: template.spec ?? {},
  }));
}
