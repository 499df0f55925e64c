// Templates of a StatefulSet or DaemonSet, kept as ControllerRevisions so that an old one can be used again.
import type { JsonObject, KubeObject } from '../../json.ts';
import { equalJson, isObject, without } from '../../json.ts';
import { shortHash } from './hash.ts';
import type { ControllerRevision, DaemonSet, PodTemplate, StatefulSet } from './model.ts';
import { controlledBy } from './owners.ts';
import type { Step } from './step.ts';

/** The label of a pod that tells its revision: by name in a StatefulSet, by hash in a DaemonSet. */
export const REVISION_LABEL = 'controller-revision-hash';
/** The label of a StatefulSet's revision; a DaemonSet's has the label of its pods. */
const HASH_LABEL = 'controller.kubernetes.io/hash';

/** What a revision holds: a patch of the workload that puts this template back. */
export function dataOf(template: PodTemplate | undefined): JsonObject {
  return { spec: { template: { ...template, $patch: 'replace' } } };
}

/** The template that a revision holds. */
export function templateOf(revision: ControllerRevision | undefined): PodTemplate | undefined {
  const spec = revision?.data?.['spec'];
  const template = isObject(spec) ? spec['template'] : undefined;
  return isObject(template) ? without(template, '$patch') : undefined;
}

/** Which revision is wanted, and the step that makes it so if it is not yet. */
export interface Wanted {
  readonly name: string;
  readonly step: Step | undefined;
}

/** The revision of the workload's present template: found by content, or to be created; the newest number wins. */
export function wantedRevision(owner: StatefulSet | DaemonSet, revisions: readonly ControllerRevision[]): Wanted {
  const data = dataOf(owner.spec.template);
  const last = Math.max(0, ...revisions.map(({ revision = 0 }) => revision));
  const known = revisions.find((revision) => equalJson(revision.data, data));
  if (known !== undefined) {
    if ((known.revision ?? 0) === last) return { name: known.metadata.name, step: undefined };
    return { name: known.metadata.name, step: { step: 'patch', target: known, patch: { revision: last + 1 } } };
  }
  const object = newRevision(owner, data, last + 1);
  return { name: object.metadata.name ?? '', step: { step: 'create', object } };
}

/** The name of the revision of a template. */
export function revisionName(owner: StatefulSet | DaemonSet): string {
  return `${owner.metadata.name}-${shortHash(dataOf(owner.spec.template))}`;
}

function newRevision(owner: StatefulSet | DaemonSet, data: JsonObject, revision: number): KubeObject {
  const { namespace, annotations } = owner.metadata;
  const name = revisionName(owner);
  const label = owner.kind === 'StatefulSet' ? HASH_LABEL : REVISION_LABEL;
  return {
    apiVersion: 'apps/v1',
    kind: 'ControllerRevision',
    metadata: {
      name,
      ...(namespace === undefined ? {} : { namespace }),
      labels: { ...owner.spec.template?.metadata?.labels, [label]: name.slice(owner.metadata.name.length + 1) },
      ...(annotations === undefined ? {} : { annotations }),
      ownerReferences: [controlledBy(owner)],
    },
    data,
    revision,
  };
}

/** Deletes the oldest revisions beyond the limit that neither a pod nor the status still needs. */
export function surplusRevisions(
  revisions: readonly ControllerRevision[],
  needed: ReadonlySet<string>,
  limit: number,
): readonly Step[] {
  const unused = revisions.filter(({ metadata }) => !needed.has(metadata.name));
  if (unused.length <= limit) return [];
  return unused
    .toSorted((a, b) => (a.revision ?? 0) - (b.revision ?? 0))
    .slice(0, unused.length - limit)
    .map((target) => ({ step: 'delete', target }));
}
