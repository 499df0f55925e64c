// Deployment, ReplicaSet, StatefulSet, DaemonSet: required parts, and what may not change.
import { forbiddenField, invalidValue, required } from '../../causes.ts';
import type { Cause } from '../../errors.ts';
import { at, equalJson, isObject, without, type Json, type JsonObject, type KubeObject } from '../../json.ts';
import { matchesSelector } from '../label-match.ts';
import { selectorText } from '../columns/cells.ts';
import type { Rules } from '../resource-type.ts';
import { objectOf, withStatus } from './edit.ts';
import { podSpecCauses } from './pod-validation.ts';

/** Selector and template, which all workloads have alike. */
function templateCauses(object: KubeObject): readonly Cause[] {
  const causes: Cause[] = [];
  const selector = at(object, 'spec', 'selector');
  const labels = objectOf(at(object, 'spec', 'template', 'metadata', 'labels')) as { readonly [key: string]: string };
  if (!isObject(selector)) causes.push(required('spec.selector'));
  else if (selectorText(selector) === '<none>') {
    causes.push(invalidValue('spec.selector', selector, 'empty selector is invalid for this kind'));
  }
  if (isObject(selector) && !matchesSelector(selector, labels)) {
    causes.push(invalidValue('spec.template.metadata.labels', labels, '`selector` does not match template `labels`'));
  }
  causes.push(...podSpecCauses(at(object, 'spec', 'template', 'spec'), 'spec.template.spec'));
  const replicas = at(object, 'spec', 'replicas');
  if (typeof replicas === 'number' && replicas < 0) {
    causes.push(invalidValue('spec.replicas', replicas, 'must be greater than or equal to 0'));
  }
  const policy = at(object, 'spec', 'template', 'spec', 'restartPolicy');
  if (policy !== undefined && policy !== 'Always') {
    const message = `Unsupported value: ${JSON.stringify(policy)}: supported values: "Always"`;
    causes.push({ reason: 'FieldValueNotSupported', message, field: 'spec.template.spec.restartPolicy' });
  }
  return causes;
}

function immutable(field: string, next: KubeObject, old: KubeObject | undefined): readonly Cause[] {
  if (old === undefined) return [];
  const path = field.split('.');
  const value = at(next, ...path);
  return equalJson(value, at(old, ...path)) ? [] : [invalidValue(field, value, 'field is immutable')];
}

function workload(emptyStatus: JsonObject, rules: Partial<Rules> = {}): Partial<Rules> {
  return {
    generation: true,
    prepareCreate: (object) => withStatus(object, emptyStatus),
    validate: (object, old) => [...templateCauses(object), ...immutable('spec.selector', object, old)],
    ...rules,
  };
}

export const deploymentRules: Partial<Rules> = workload(
  {},
  {
    validate: (object, old) => {
      const causes = [...templateCauses(object), ...immutable('spec.selector', object, old)];
      const strategy = objectOf(at(object, 'spec', 'strategy'));
      if (strategy['type'] === 'Recreate' && strategy['rollingUpdate'] !== undefined) {
        const why = "may not be specified when strategy `type` is 'Recreate'";
        causes.push(forbiddenField('spec.strategy.rollingUpdate', why));
      }
      return causes;
    },
    // A Deployment's annotations are copied to its ReplicaSets, so they count as wishes.
    versionedPart: (object) => ({ spec: object['spec'], annotations: object.metadata.annotations }),
  },
);

export const replicaSetRules: Partial<Rules> = workload({ replicas: 0 });

export const daemonSetRules: Partial<Rules> = workload({
  currentNumberScheduled: 0,
  numberMisscheduled: 0,
  desiredNumberScheduled: 0,
  numberReady: 0,
});

const STATEFUL_SET_MUTABLE = [
  'replicas',
  'ordinals',
  'template',
  'updateStrategy',
  'revisionHistoryLimit',
  'persistentVolumeClaimRetentionPolicy',
  'minReadySeconds',
];
const STATEFUL_SET_FORBIDDEN =
  "updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', 'updateStrategy', " +
  "'revisionHistoryLimit', " +
  "'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden";

export const statefulSetRules: Partial<Rules> = workload(
  { replicas: 0, availableReplicas: 0 },
  {
    validate: (object, old) => {
      const causes = [...templateCauses(object)];
      if (old !== undefined && !equalJson(fixedPart(object), fixedPart(old))) {
        causes.push(forbiddenField('spec', STATEFUL_SET_FORBIDDEN));
      }
      return causes;
    },
  },
);

function fixedPart(object: KubeObject): Json {
  let spec = objectOf(object['spec']);
  for (const field of STATEFUL_SET_MUTABLE) spec = without(spec, field);
  return spec;
}
