// Pod: what may change, and the time it gets to end.
import { at, isList, isObject, type Json, type JsonObject, type KubeObject } from '../../json.ts';
import type { Rules } from '../resource-type.ts';
import { editSpec, withDefaults, withStatus } from './edit.ts';
import { podSpecCauses, podUpdateCauses } from './pod-validation.ts';
import { qosClass } from './qos.ts';

export const podRules: Partial<Rules> = {
  generation: true,
  returnsDeleted: true,
  prepareCreate: (object) => withStatus(editSpec(object, admitted), { phase: 'Pending', qosClass: qosClass(object) }),
  validate: (object, old) => [
    ...podSpecCauses(object['spec'], 'spec'),
    ...(old === undefined ? [] : podUpdateCauses(object, old)),
  ],
  gracePeriod,
};

const TROUBLES = ['node.kubernetes.io/not-ready', 'node.kubernetes.io/unreachable'];

/** What admission adds to the spec of each new pod: an account, a priority, five minutes on a node in trouble. */
function admitted(spec: JsonObject): JsonObject {
  const account = spec['serviceAccountName'] ?? spec['serviceAccount'] ?? 'default';
  const given = isList(spec['tolerations']) ? spec['tolerations'] : [];
  const missing = TROUBLES.filter((key) => !given.some((one) => tolerates(one, key)));
  const added = missing.map((key) => ({ key, operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 300 }));
  const priority =
    spec['priorityClassName'] === undefined ? { priority: 0, preemptionPolicy: 'PreemptLowerPriority' } : {};
  const next = withDefaults(spec, { serviceAccountName: account, serviceAccount: account, ...priority });
  return added.length === 0 ? next : { ...next, tolerations: [...given, ...added] };
}

function tolerates(toleration: Json, taint: string): boolean {
  if (!isObject(toleration)) return false;
  const { key, effect } = toleration;
  return (key ?? taint) === taint && (effect ?? 'NoExecute') === 'NoExecute';
}

/** Nobody has to be waited for where nothing runs: pods without a node, and pods that have ended. */
function gracePeriod(object: KubeObject, asked: number | undefined): number {
  const phase = at(object, 'status', 'phase');
  if (at(object, 'spec', 'nodeName') === undefined || phase === 'Failed' || phase === 'Succeeded') return 0;
  const seconds = asked ?? at(object, 'spec', 'terminationGracePeriodSeconds');
  return typeof seconds === 'number' && seconds >= 0 ? seconds : 30;
}
