// Claims, volumes and storage classes.
import { equalJson, isObject, without } from '../../json.ts';
import type { JsonObject, KubeObject } from '../../json.ts';
import { qualifiedNameFaults, subdomainName } from '../../server/names.ts';
import { compareQuantities, quantityValue } from '../quantity.ts';
import { listAt, objectAt, textAt } from './faults.ts';
import type { Faults } from './faults.ts';

const MODES = ['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce', 'ReadWriteOncePod'];
const CLAIM_FIXED =
  'spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims';

function checkModes(spec: JsonObject, faults: Faults): void {
  for (const mode of listAt(spec, 'accessModes')) {
    if (typeof mode !== 'string' || !MODES.includes(mode)) faults.unsupported('spec.accessModes', mode, MODES);
  }
}

function sizeOf(object: KubeObject): string {
  return textAt(objectAt(objectAt(objectAt(object, 'spec'), 'resources'), 'requests'), 'storage');
}

/** A PersistentVolumeClaim. */
export function checkClaim(before: KubeObject | undefined, after: KubeObject, faults: Faults): void {
  const spec = objectAt(after, 'spec');
  if (listAt(spec, 'accessModes').length === 0)
    faults.required('spec.accessModes', 'at least 1 access mode is required');
  checkModes(spec, faults);
  const size = sizeOf(after);
  if (size === '') faults.required('spec.resources[storage]');
  else if (quantityValue(size) <= 0) faults.invalid('spec.resources[storage]', size, 'must be greater than zero');
  const className = textAt(spec, 'storageClassName');
  if (className !== '') faults.text('spec.storageClassName', className, subdomainName);
  faults.oneOf('spec.volumeMode', spec['volumeMode'], ['Block', 'Filesystem']);
  if (before !== undefined) checkClaimUpdate(before, after, faults);
}

function checkClaimUpdate(before: KubeObject, after: KubeObject, faults: Faults): void {
  if (!equalJson(fixedPart(after, before), fixedPart(before, before))) faults.forbidden('spec', CLAIM_FIXED);
  else if (compareQuantities(sizeOf(after), sizeOf(before)) < 0) {
    faults.forbidden('spec.resources.requests.storage', 'field can not be less than status.capacity');
  }
}

/** What may not change: everything but the size of a bound claim. A claim without class or volume may still get one. */
function fixedPart(claim: KubeObject, before: KubeObject): JsonObject {
  let spec = objectAt(claim, 'spec');
  if (objectAt(before, 'status')['phase'] === 'Bound')
    spec = without(without(spec, 'resources'), 'volumeAttributesClassName');
  for (const late of ['storageClassName', 'volumeName']) {
    if (objectAt(before, 'spec')[late] === undefined) spec = without(spec, late);
  }
  return spec;
}

/** Members of a volume's spec that are objects and yet no source. */
const NO_SOURCE = new Set(['capacity', 'claimRef', 'nodeAffinity']);

/** A PersistentVolume. */
export function checkVolume(before: KubeObject | undefined, after: KubeObject, faults: Faults): void {
  const spec = objectAt(after, 'spec');
  if (listAt(spec, 'accessModes').length === 0) faults.required('spec.accessModes');
  checkModes(spec, faults);
  const capacity = objectAt(spec, 'capacity');
  if (Object.keys(capacity).length === 0) faults.required('spec.capacity');
  if (capacity['storage'] === undefined || Object.keys(capacity).length > 1) {
    faults.unsupported('spec.capacity', spec['capacity'], ['storage']);
  }
  const sources = Object.keys(spec).filter((key) => isObject(spec[key]) && !NO_SOURCE.has(key));
  if (sources.length === 0) faults.required('spec', 'must specify a volume type');
  for (const extra of sources.slice(1)) faults.forbidden(`spec.${extra}`, 'may not specify more than 1 volume type');
  faults.oneOf('spec.persistentVolumeReclaimPolicy', spec['persistentVolumeReclaimPolicy'], [
    'Delete',
    'Recycle',
    'Retain',
  ]);
  faults.oneOf('spec.volumeMode', spec['volumeMode'], ['Block', 'Filesystem']);
  const old = before === undefined ? undefined : objectAt(before, 'spec');
  if (old !== undefined && sources.some((source) => !equalJson(spec[source], old[source]))) {
    faults.forbidden('spec.persistentvolumesource', 'spec.persistentvolumesource is immutable after creation');
  }
}

/** A StorageClass. */
export function checkStorageClass(before: KubeObject | undefined, after: KubeObject, faults: Faults): void {
  const provisioner = textAt(after, 'provisioner');
  if (provisioner === '') faults.required('provisioner');
  else faults.text('provisioner', provisioner.toLowerCase(), qualifiedNameFaults);
  faults.oneOf('reclaimPolicy', after['reclaimPolicy'], ['Delete', 'Retain']);
  faults.oneOf('volumeBindingMode', after['volumeBindingMode'], ['Immediate', 'WaitForFirstConsumer']);
  if (before === undefined) return;
  if (!equalJson(after['parameters'], before['parameters']))
    faults.forbidden('parameters', 'updates to parameters are forbidden.');
  if (after['provisioner'] !== before['provisioner'])
    faults.forbidden('provisioner', 'updates to provisioner are forbidden.');
  if (after['reclaimPolicy'] !== before['reclaimPolicy'])
    faults.forbidden('reclaimPolicy', 'updates to reclaimPolicy are forbidden.');
  if (after['volumeBindingMode'] !== before['volumeBindingMode']) {
    faults.invalid('volumeBindingMode', after['volumeBindingMode'], 'field is immutable');
  }
}
