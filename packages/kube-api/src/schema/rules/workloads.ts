// Deployments, ReplicaSets, StatefulSets and DaemonSets.
import { equalJson, isObject, without } from '../../json.ts';
import type { JsonObject, KubeObject } from '../../json.ts';
import { labelName } from '../../server/names.ts';
import { objectAt, textAt } from './faults.ts';
import type { Faults } from './faults.ts';
import { checkPodSpec } from './pods.ts';
import { checkLabels, checkSelector, isEmptySelector, selects } from './selectors.ts';
import { checkAtMostAll, checkIntOrPercent, isNone } from './texts.ts';

/** Selector and template of a workload; `noun` names the kind in messages. */
function checkTemplate(spec: JsonObject, noun: string, faults: Faults): void {
  const selector = spec['selector'];
  const template = objectAt(spec, 'template');
  const labels = objectAt(template, 'metadata')['labels'];
  if (!isObject(selector)) faults.required('spec.selector');
  else {
    const before = faults.causes.length;
    checkSelector('spec.selector', selector, faults);
    if (isEmptySelector(selector)) faults.invalid('spec.selector', selector, `empty selector is invalid for ${noun}`);
    if (faults.causes.length > before && !isEmptySelector(selector)) {
      faults.invalid('spec.selector', selector, 'invalid label selector');
      checkTemplateSpec(template, faults);
      return;
    }
  }
  if (!isObject(selector) || !selects(selector, isObject(labels) ? labels : {})) {
    faults.invalid('spec.template.metadata.labels', labels, '`selector` does not match template `labels`');
  }
  checkTemplateSpec(template, faults);
}

function checkTemplateSpec(template: JsonObject, faults: Faults): void {
  checkLabels('spec.template.labels', objectAt(objectAt(template, 'metadata'), 'labels'), faults);
  const spec = objectAt(template, 'spec');
  checkPodSpec(spec, 'spec.template.spec', faults);
  const policy = spec['restartPolicy'];
  if (policy !== undefined) faults.oneOf('spec.template.spec.restartPolicy', policy, ['Always']);
  if (spec['activeDeadlineSeconds'] !== undefined) {
    faults.forbidden(
      'spec.template.spec.activeDeadlineSeconds',
      'activeDeadlineSeconds in ReplicaSet is not Supported',
    );
  }
}

/** What may not change in an update. */
export function checkImmutable(before: KubeObject | undefined, after: KubeObject, path: string, faults: Faults): void {
  if (before === undefined) return;
  const keys = path.split('.');
  const read = (object: KubeObject) =>
    keys.reduce<unknown>((value, key) => (value as JsonObject | undefined)?.[key], object);
  const value = read(after) as JsonObject | undefined;
  if (!equalJson(value, read(before) as JsonObject | undefined)) faults.invalid(path, value, 'field is immutable');
}

/** A Deployment. */
export function checkDeployment(before: KubeObject | undefined, after: KubeObject, faults: Faults): void {
  const spec = objectAt(after, 'spec');
  faults.notNegatives('spec', spec, 'replicas');
  checkTemplate(spec, 'deployment', faults);
  checkDeploymentStrategy(objectAt(spec, 'strategy'), faults);
  faults.notNegatives('spec', spec, 'minReadySeconds', 'revisionHistoryLimit', 'progressDeadlineSeconds');
  const [deadline, ready = 0] = [spec['progressDeadlineSeconds'], spec['minReadySeconds']];
  if (typeof deadline === 'number' && typeof ready === 'number' && deadline <= ready) {
    faults.invalid('spec.progressDeadlineSeconds', deadline, 'must be greater than minReadySeconds');
  }
  checkImmutable(before, after, 'spec.selector', faults);
}

function checkDeploymentStrategy(strategy: JsonObject, faults: Faults): void {
  const type = textAt(strategy, 'type');
  const rolling = strategy['rollingUpdate'];
  if (type === 'Recreate') {
    if (rolling !== undefined)
      faults.forbidden('spec.strategy.rollingUpdate', "may not be specified when strategy `type` is 'Recreate'");
  } else if (type !== 'RollingUpdate') {
    faults.unsupported('spec.strategy', { Type: type, RollingUpdate: null }, ['Recreate', 'RollingUpdate']);
  } else if (isObject(rolling)) {
    const path = 'spec.strategy.rollingUpdate';
    const { maxUnavailable, maxSurge } = rolling;
    checkIntOrPercent(`${path}.maxUnavailable`, maxUnavailable, faults);
    checkIntOrPercent(`${path}.maxSurge`, maxSurge, faults);
    if (isNone(maxUnavailable) && isNone(maxSurge)) {
      faults.invalid(`${path}.maxUnavailable`, maxUnavailable, 'may not be 0 when `maxSurge` is 0');
    }
    checkAtMostAll(`${path}.maxUnavailable`, maxUnavailable, faults);
  }
}

/** A ReplicaSet. */
export function checkReplicaSet(before: KubeObject | undefined, after: KubeObject, faults: Faults): void {
  const spec = objectAt(after, 'spec');
  faults.notNegatives('spec', spec, 'replicas', 'minReadySeconds');
  checkTemplate(spec, 'deployment', faults);
  checkImmutable(before, after, 'spec.selector', faults);
}

/** A DaemonSet. */
export function checkDaemonSet(before: KubeObject | undefined, after: KubeObject, faults: Faults): void {
  const spec = objectAt(after, 'spec');
  const selector = spec['selector'];
  const template = objectAt(spec, 'template');
  if (isObject(selector)) checkSelector('spec.selector', selector, faults);
  const labels = objectAt(template, 'metadata')['labels'];
  if (!isObject(selector) || !selects(selector, isObject(labels) ? labels : {})) {
    faults.invalid('spec.template.metadata.labels', labels, '`selector` does not match template `labels`');
  }
  if (isObject(selector) && isEmptySelector(selector)) {
    faults.invalid('spec.selector', selector, 'empty selector is invalid for daemonset');
  }
  checkTemplateSpec(template, faults);
  faults.notNegatives('spec', spec, 'minReadySeconds', 'revisionHistoryLimit');
  checkDaemonStrategy(objectAt(spec, 'updateStrategy'), faults);
  checkImmutable(before, after, 'spec.selector', faults);
}

function checkDaemonStrategy(strategy: JsonObject, faults: Faults): void {
  const type = textAt(strategy, 'type');
  if (type === 'OnDelete') return;
  if (type !== 'RollingUpdate') {
    faults.unsupported('spec.updateStrategy', { Type: type, RollingUpdate: null }, ['RollingUpdate', 'OnDelete']);
    return;
  }
  const path = 'spec.updateStrategy.rollingUpdate';
  const { maxUnavailable, maxSurge } = objectAt(strategy, 'rollingUpdate');
  checkIntOrPercent(`${path}.maxUnavailable`, maxUnavailable, faults);
  checkIntOrPercent(`${path}.maxSurge`, maxSurge, faults);
  if (isNone(maxUnavailable) && isNone(maxSurge))
    faults.required(`${path}.maxUnavailable`, 'cannot be 0 when maxSurge is 0');
  if (!isNone(maxUnavailable) && !isNone(maxSurge)) {
    faults.invalid(`${path}.maxSurge`, maxSurge, 'may not be set when maxUnavailable is non-zero');
  }
}

const STATEFUL_SET_CHANGEABLE = [
  'replicas',
  'ordinals',
  'template',
  'updateStrategy',
  'revisionHistoryLimit',
  'persistentVolumeClaimRetentionPolicy',
  'minReadySeconds',
];
const STATEFUL_SET_FIXED =
  "updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', 'updateStrategy', 'revisionHistoryLimit', " +
  "'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden";

/** A StatefulSet. */
export function checkStatefulSet(before: KubeObject | undefined, after: KubeObject, faults: Faults): void {
  const spec = objectAt(after, 'spec');
  const policy = textAt(spec, 'podManagementPolicy');
  if (policy !== 'OrderedReady' && policy !== 'Parallel') {
    faults.invalid('spec.podManagementPolicy', policy, "must be 'OrderedReady' or 'Parallel'");
  }
  checkStatefulStrategy(objectAt(spec, 'updateStrategy'), faults);
  const retention = objectAt(spec, 'persistentVolumeClaimRetentionPolicy');
  for (const key of ['whenDeleted', 'whenScaled']) {
    faults.oneOf(`spec.persistentVolumeClaimRetentionPolicy.${key}`, retention[key], ['Retain', 'Delete']);
  }
  faults.notNegatives('spec', spec, 'replicas', 'minReadySeconds', 'revisionHistoryLimit');
  const service = textAt(spec, 'serviceName');
  if (service !== '') faults.text('spec.serviceName', service, labelName);
  checkTemplate(spec, 'statefulset', faults);
  if (before !== undefined && !equalJson(fixedPart(after), fixedPart(before)))
    faults.forbidden('spec', STATEFUL_SET_FIXED);
}

function checkStatefulStrategy(strategy: JsonObject, faults: Faults): void {
  const type = textAt(strategy, 'type');
  const rolling = strategy['rollingUpdate'];
  if (type !== 'RollingUpdate' && type !== 'OnDelete') {
    faults.invalid('spec.updateStrategy', { Type: type, RollingUpdate: null }, "must be 'RollingUpdate' or 'OnDelete'");
  } else if (isObject(rolling) && type === 'OnDelete') {
    const shown = { Partition: rolling['partition'] ?? 0, MaxUnavailable: rolling['maxUnavailable'] ?? null };
    faults.invalid('spec.updateStrategy.rollingUpdate', shown, "only allowed for updateStrategy 'RollingUpdate'");
  } else if (isObject(rolling)) faults.notNegatives('spec.updateStrategy.rollingUpdate', rolling, 'partition');
}

function fixedPart(object: KubeObject): JsonObject {
  let spec = objectAt(object, 'spec');
  for (const field of STATEFUL_SET_CHANGEABLE) spec = without(spec, field);
  return spec;
}
