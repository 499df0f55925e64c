// Events that do not follow from a step alone: what was pruned, left or replaced, and a kind that drops the record. Pure.
import type { KeepReason, KubernetesObject } from '@pawl/reconciler/kubernetes';
import { subjectFrom, type Happening } from './happening.ts';

/** Left although nothing wants it, and why; all other reasons are how things should be. */
const LEFT: Readonly<Partial<Record<KeepReason, string>>> = {
  ForeignOwner: 'it belongs to somebody else',
  NewerStamp: 'a newer version wrote it',
  UnknownOrigin: 'it carries no version or no Action',
};

/** Whether an object is left although nothing wants it. */
export function isLeftBehind(reason: KeepReason): boolean {
  return LEFT[reason] !== undefined;
}

/** One Event for each object that was deleted, or that is left for a reason that somebody should look into. */
export function eventsOfPruning(
  owner: KubernetesObject,
  pruned: readonly KubernetesObject[],
  kept: readonly { readonly object: KubernetesObject; readonly reason: KeepReason }[] = [],
): readonly Happening[] {
  const regarding = subjectFrom(owner);
  const deleted = pruned.map(
    (object): Happening => ({
      type: 'Normal',
      reason: 'ObjectPruned',
      action: 'Prune',
      note: `${nameOf(object)} is no longer wanted and was deleted`,
      regarding,
      related: subjectFrom(object),
    }),
  );
  const left = kept.flatMap(({ object, reason }): Happening[] => {
    const why = LEFT[reason];
    if (why === undefined) return [];
    const note = `${nameOf(object)} is no longer wanted and was left: ${why}`;
    return [{ type: 'Warning', reason: 'PruneSkipped', action: 'Prune', note, regarding, related: subjectFrom(object) }];
  });
  return [...deleted, ...left];
}

/** An owned object was deleted to be created anew, because a field had to change that cannot. */
export function objectReplacedEvent(owner: KubernetesObject, replaced: KubernetesObject): Happening {
  return {
    type: 'Normal',
    reason: 'ObjectReplaced',
    action: 'Replace',
    note: `${nameOf(replaced)} was replaced, for a field of it that had to change cannot be changed`,
    regarding: subjectFrom(owner),
    related: subjectFrom(replaced),
  };
}

/** A release that is held back: about its pod where that is known, else about the first object that it would strand. */
export function rolloutHeldEvent(text: string, first: KubernetesObject, pod: PodRef): Happening {
  const { podName, podNamespace, podUid } = pod;
  const object = subjectFrom(first);
  const note = text.replace(/^RolloutHeld: /, '');
  const bare = { type: 'Warning', reason: 'RolloutHeld', action: 'Rollout', note } as const;
  if (podNamespace === undefined) return { ...bare, regarding: object };
  const uid = podUid === undefined ? {} : { uid: podUid };
  const regarding = { apiVersion: 'v1', kind: 'Pod', name: podName, namespace: podNamespace, ...uid };
  return { ...bare, regarding, related: object };
}

/** The pod that this process runs in, as far as it was told. */
export interface PodRef {
  readonly podName: string;
  readonly podNamespace?: string;
  readonly podUid?: string;
}

/** About the definition of a kind whose schema drops fields of the record, so that nothing may be written. */
export function recordNotPersistedEvent({
  apiVersion,
  kind,
  plural,
}: {
  readonly apiVersion: string;
  readonly kind: string;
  readonly plural: string;
}): Happening {
  const [group = ''] = apiVersion.split('/');
  return {
    type: 'Warning',
    reason: 'RecordNotPersisted',
    action: 'Record',
    note:
      `the schema of ${kind} drops fields of status.procedure, so no object of the kind is changed; ` +
      'install the definition that comes with the operator',
    regarding: {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      name: `${plural}.${group}`,
    },
  };
}

const nameOf = ({ kind, metadata: { name, namespace } }: KubernetesObject): string =>
  `${kind} ${namespace === undefined ? name : `${namespace}/${name}`}`;
