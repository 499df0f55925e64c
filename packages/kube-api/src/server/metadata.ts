// Validation of metadata: what every object must satisfy, and what an update may not change.
import { forbiddenField, invalidValue, required, tooLong } from '../causes.ts';
import type { Cause } from '../errors.ts';
import { equalJson, type KubeObject, type ObjectMeta, type OwnerReference } from '../json.ts';
import { labelValueFaults, qualifiedNameFaults, type NameRule } from './names.ts';

const ANNOTATIONS_LIMIT = 256 * 1024;

/** Finalizers that the garbage collector removes. */
export const FOREGROUND_FINALIZER = 'foregroundDeletion';
export const ORPHAN_FINALIZER = 'orphan';

/** Causes that every stored object must be free of. */
export function metadataCauses(object: KubeObject, namespaced: boolean, nameRule: NameRule): readonly Cause[] {
  const meta = object.metadata;
  const causes: Cause[] = [];
  if (meta.generateName !== undefined) {
    // A prefix may end in what a name may not end in, because five characters follow.
    const prefix = meta.generateName.replace(/-+$/, 'a');
    for (const fault of nameRule(prefix)) causes.push(invalidValue('metadata.generateName', meta.generateName, fault));
  }
  const name = meta.name ?? '';
  if (name === '') causes.push(required('metadata.name', 'name or generateName is required'));
  else for (const fault of nameRule(name)) causes.push(invalidValue('metadata.name', name, fault));
  if (namespaced && (meta.namespace ?? '') === '') causes.push(required('metadata.namespace'));
  if (!namespaced && meta.namespace !== undefined) {
    causes.push(forbiddenField('metadata.namespace', 'not allowed on this type'));
  }
  causes.push(...labelCauses(meta.labels, 'metadata.labels'), ...annotationCauses(meta.annotations));
  causes.push(...ownerCauses(meta.ownerReferences ?? []), ...finalizerCauses(meta.finalizers ?? []));
  return causes;
}

/** Causes of bad labels at `field`. */
function labelCauses(labels: ObjectMeta['labels'], field: string): readonly Cause[] {
  const causes: Cause[] = [];
  for (const key in labels) {
    const value = labels[key] ?? '';
    for (const fault of qualifiedNameFaults(key)) causes.push(invalidValue(field, key, fault));
    for (const fault of labelValueFaults(value)) causes.push(invalidValue(field, value, fault));
  }
  return causes;
}

function annotationCauses(annotations: ObjectMeta['annotations']): readonly Cause[] {
  const causes: Cause[] = [];
  let size = 0;
  for (const key in annotations) {
    for (const fault of qualifiedNameFaults(key.toLowerCase()))
      causes.push(invalidValue('metadata.annotations', key, fault));
    size += Buffer.byteLength(key) + Buffer.byteLength(annotations[key] ?? '');
  }
  if (size > ANNOTATIONS_LIMIT) causes.push(tooLong('metadata.annotations', ANNOTATIONS_LIMIT));
  return causes;
}

function ownerCauses(references: readonly OwnerReference[]): readonly Cause[] {
  const causes: Cause[] = [];
  let controller: OwnerReference | undefined;
  for (const reference of references) {
    const { apiVersion, kind, name, uid } = reference;
    const at = 'metadata.ownerReferences';
    if ((apiVersion ?? '') === '')
      causes.push(invalidValue(`${at}.apiVersion`, apiVersion ?? '', 'version must not be empty'));
    for (const [field, value] of Object.entries({ kind, name, uid })) {
      if ((value ?? '') === '') causes.push(invalidValue(`${at}.${field}`, value ?? '', 'must not be empty'));
    }
    if (reference.controller !== true) continue;
    if (controller !== undefined) {
      const found = `Found "true" in references for ${controller.kind}/${controller.name} and ${kind}/${name}`;
      causes.push(invalidValue(at, references, `Only one reference can have Controller set to true. ${found}`));
    }
    controller = reference;
  }
  return causes;
}

function finalizerCauses(finalizers: readonly string[]): readonly Cause[] {
  const causes: Cause[] = [];
  for (const finalizer of finalizers) {
    for (const fault of qualifiedNameFaults(finalizer))
      causes.push(invalidValue('metadata.finalizers', finalizer, fault));
  }
  if (finalizers.includes(FOREGROUND_FINALIZER) && finalizers.includes(ORPHAN_FINALIZER)) {
    const why = `finalizer ${ORPHAN_FINALIZER} and ${FOREGROUND_FINALIZER} cannot be both set`;
    causes.push(invalidValue('metadata.finalizers', finalizers, why));
  }
  return causes;
}

const IMMUTABLE = [
  'name',
  'namespace',
  'uid',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
] as const;

/** Causes of an update: what may never change, and finalizers that come too late. */
export function metadataUpdateCauses(next: KubeObject, old: KubeObject): readonly Cause[] {
  const causes: Cause[] = [];
  for (const field of IMMUTABLE) {
    if (!equalJson(next.metadata[field], old.metadata[field])) {
      causes.push(invalidValue(`metadata.${field}`, next.metadata[field], 'field is immutable'));
    }
  }
  if (old.metadata.deletionTimestamp !== undefined) {
    const before = new Set(old.metadata.finalizers);
    const added = (next.metadata.finalizers ?? []).filter((finalizer) => !before.has(finalizer));
    if (added.length > 0) {
      const list = added.map((finalizer) => JSON.stringify(finalizer)).join(', ');
      const why = 'no new finalizers can be added if the object is being deleted';
      causes.push(forbiddenField('metadata.finalizers', `${why}, found new finalizers []string{${list}}`));
    }
  }
  return causes;
}

/** Owner references without exact repetitions, and the warning that something was dropped. */
export function withoutDuplicateOwners(object: KubeObject): {
  readonly object: KubeObject;
  readonly warning: string | undefined;
} {
  const owners = object.metadata.ownerReferences;
  if (owners === undefined || owners.length < 2) return { object, warning: undefined };
  const kept: OwnerReference[] = [];
  const repeated = new Set<string>();
  for (const owner of owners) {
    if (kept.some((one) => equalJson(one, owner))) repeated.add(owner.uid);
    else kept.push(owner);
  }
  if (repeated.size === 0) return { object, warning: undefined };
  const uids = [...repeated].join(', ');
  const warning =
    '.metadata.ownerReferences contains duplicate entries; API server dedups owner references in 1.20+, ' +
    `and may reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: ${uids}`;
  return { object: { ...object, metadata: { ...object.metadata, ownerReferences: kept } }, warning };
}
