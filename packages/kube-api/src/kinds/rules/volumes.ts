// PersistentVolumeClaim, PersistentVolume, StorageClass.
import { forbiddenField, invalidValue, required } from '../../causes.ts';
import type { Cause } from '../../errors.ts';
import { at, equalJson, isObject, type Json, type JsonObject, type KubeObject, textsOf, without } from '../../json.ts';
import { text } from '../columns/cells.ts';
import { compareQuantities } from '../../schema/quantity.ts';
import type { RuleContext, Rules } from '../resource-type.ts';
import { editSpec, objectOf, withDefaults, withStatus } from './edit.ts';

const STORAGE_CLASSES = 'storageclasses.storage.k8s.io';
/** Keeps a claim that pods use; a controller takes it away. */
const PROTECTION = 'kubernetes.io/pvc-protection';
const DEFAULT_CLASS = 'storageclass.kubernetes.io/is-default-class';

export const claimRules: Partial<Rules> = {
  returnsDeleted: true,
  prepareCreate: (object, context) => {
    const classed = editSpec(object, (spec) => withDefaults(spec, { storageClassName: defaultClass(spec, context) }));
    const finalizers = [...new Set([...(object.metadata.finalizers ?? []), PROTECTION])];
    return withStatus({ ...classed, metadata: { ...object.metadata, finalizers } }, { phase: 'Pending' });
  },
  refusesUpdate: refusedResize,
  validate: claimCauses,
};

/** The class of claims that name none and no volume: the newest of those marked as default. */
function defaultClass(spec: JsonObject, context: RuleContext): string | undefined {
  if (spec['storageClassName'] !== undefined) return undefined;
  const marked = context
    .list('storageclasses.storage.k8s.io', '')
    .filter((one) => one.metadata.annotations?.[DEFAULT_CLASS] === 'true');
  marked.sort((a, b) => ((a.metadata.creationTimestamp ?? '') < (b.metadata.creationTimestamp ?? '') ? 1 : -1));
  return marked[0]?.metadata.name;
}

function claimCauses(object: KubeObject, old: KubeObject | undefined): readonly Cause[] {
  const causes: Cause[] = [];
  const spec = objectOf(object['spec']);
  if (textsOf(spec['accessModes']).length === 0)
    causes.push(required('spec.accessModes', 'at least 1 access mode is required'));
  const size = at(spec, 'resources', 'requests', 'storage');
  if (size === undefined) causes.push(required('spec.resources[storage]'));
  if (old === undefined) return causes;
  const before = at(old, 'spec', 'resources', 'requests', 'storage');
  if (!equalJson(fixedPart(object, old), fixedPart(old, old))) {
    const why =
      'spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims';
    causes.push(forbiddenField('spec', why));
  }
  if (compareQuantities(text(size, '0'), text(before, '0')) < 0) {
    causes.push(forbiddenField('spec.resources.requests.storage', 'field can not be less than status.capacity'));
  }
  return causes;
}

/** What may not change: everything but the size of a bound claim. A claim without class or volume may still get one. */
function fixedPart(object: KubeObject, old: KubeObject): Json {
  let spec = without(objectOf(object['spec']), 'volumeAttributesClassName');
  if (at(old, 'status', 'phase') === 'Bound') spec = without(spec, 'resources');
  for (const late of ['storageClassName', 'volumeName']) {
    if (at(old, 'spec', late) === undefined) spec = without(spec, late);
  }
  return spec;
}

/** A claim grows only if its class lets it. */
function refusedResize(next: KubeObject, old: KubeObject, context: RuleContext): string | undefined {
  const size = (claim: KubeObject): string => text(at(claim, 'spec', 'resources', 'requests', 'storage'), '0');
  if (compareQuantities(size(next), size(old)) <= 0) return undefined;
  const storageClass = context.get(STORAGE_CLASSES, '', text(at(next, 'spec', 'storageClassName'), ''));
  if (storageClass?.['allowVolumeExpansion'] === true) return undefined;
  return 'only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize';
}

export const volumeRules: Partial<Rules> = {
  returnsDeleted: true,
  prepareCreate: (object) => withStatus(object, { phase: 'Pending' }),
  validate: (object) => {
    const spec = objectOf(object['spec']);
    const causes: Cause[] = [];
    if (textsOf(spec['accessModes']).length === 0) causes.push(required('spec.accessModes'));
    if (at(spec, 'capacity', 'storage') === undefined) causes.push(required('spec.capacity'));
    return causes;
  },
};

export const storageClassRules: Partial<Rules> = {
  validate: (object, old) => {
    const causes: Cause[] = [];
    if ((object['provisioner'] ?? '') === '') causes.push(required('provisioner'));
    if (old === undefined) return causes;
    for (const field of ['provisioner', 'parameters', 'reclaimPolicy', 'volumeBindingMode']) {
      if (equalJson(object[field], old[field])) continue;
      const value = object[field];
      causes.push(
        isObject(value) || field === 'parameters'
          ? forbiddenField(field, 'updates to parameters are forbidden.')
          : invalidValue(field, value, 'field is immutable'),
      );
    }
    return causes;
  },
};
