// What is known of the versions that left traces, when the record itself is gone: from its copy, or from the children.
import { compareVersions, isVersion, parseMirror, UNKNOWN_VERSION, type RecordEntry, type VersionRecord } from '@pawl/reconciler';
import { ANNOTATIONS, FINALIZER, LABELS, ownerHashOf, type KubernetesObject } from '@pawl/reconciler/kubernetes';
import { recordOf, type State } from './state.ts';

/**
 * The record of an object; else its copy in the annotation; else one in which every version that wrote a child counts as
 * half applied, and none below the newest of them may act. An object without our finalizer is fresh whatever stands around it.
 *
 * @param state everything that is there, children included
 */
export function knownRecordOf(object: KubernetesObject, state: State): VersionRecord | undefined {
  const record = recordOf(object);
  if (record !== undefined) return record;
  const { annotations = {}, finalizers = [], uid } = object.metadata;
  const mirror = parseMirror(annotations[ANNOTATIONS.mirror]);
  if (mirror !== undefined && mirror.uid === uid) return { formatVersion: 1, ...mirror };
  return finalizers.includes(FINALIZER) ? fromStamps(stampsOf(object, state)) : undefined;
}

/** Whether something besides the record has to be asked. */
export function isRecordLost(object: KubernetesObject): boolean {
  return recordOf(object) === undefined && (object.metadata.finalizers ?? []).includes(FINALIZER);
}

function stampsOf(object: KubernetesObject, state: State): readonly string[] {
  const owner = ownerHashOf(object);
  const owned = [...state.values()].filter(({ metadata }) => metadata.labels?.[LABELS.owner] === owner);
  return [...new Set(owned.map(({ metadata }) => metadata.annotations?.[ANNOTATIONS.version] ?? UNKNOWN_VERSION))];
}

function fromStamps(versions: readonly string[]): VersionRecord | undefined {
  if (versions.length === 0) return undefined;
  const applied = versions.map((version): RecordEntry => ({ version, state: 'Partial', rollbackTo: 'none', teardown: 'Procedure' }));
  const floor = versions.filter(isVersion).toSorted(compareVersions).at(-1);
  return { formatVersion: 1, minReader: 1, epoch: 0, applied, avoid: [], scope: [], ...(floor === undefined ? {} : { floor }) };
}
