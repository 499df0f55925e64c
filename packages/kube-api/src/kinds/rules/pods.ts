// Pod: what may change, and the time it gets to end.
import { at, type KubeObject } from '../../json.ts';
import type { Rules } from '../resource-type.ts';
import { withStatus } from './edit.ts';
import { podSpecCauses, podUpdateCauses } from './pod-validation.ts';
import { qosClass } from './qos.ts';

export const podRules: Partial<Rules> = {
  generation: true,
  returnsDeleted: true,
  prepareCreate: (object) => withStatus(object, { phase: 'Pending', qosClass: qosClass(object) }),
  validate: (object, old) => [
    ...podSpecCauses(object['spec'], 'spec'),
    ...(old === undefined ? [] : podUpdateCauses(object, old)),
  ],
  gracePeriod,
};

/** Nobody has to be waited for where nothing runs: pods without a node, and pods that have ended. */
function gracePeriod(object: KubeObject, asked: number | undefined): number {
  const phase = at(object, 'status', 'phase');
  if (at(object, 'spec', 'nodeName') === undefined || phase === 'Failed' || phase === 'Succeeded') return 0;
  const seconds = asked ?? at(object, 'spec', 'terminationGracePeriodSeconds');
  return typeof seconds === 'number' && seconds >= 0 ? seconds : 30;
}
