// Roles, budgets, leases, network policies: small rules.
import { invalidValue, required } from '../../causes.ts';
import type { Cause } from '../../errors.ts';
import { at, equalJson, type JsonObject } from '../../json.ts';
import { pathSegmentName } from '../../server/names.ts';
import type { Rules } from '../resource-type.ts';
import { withStatus } from './edit.ts';

export const roleRules: Partial<Rules> = { nameRule: pathSegmentName, createOnUpdate: true };

export const bindingRules: Partial<Rules> = {
  nameRule: pathSegmentName,
  createOnUpdate: true,
  validate: (object, old) => {
    const causes: Cause[] = [];
    if (at(object, 'roleRef', 'name') === undefined) causes.push(required('roleRef.name'));
    if (at(object, 'roleRef', 'kind') === undefined) causes.push(required('roleRef.kind'));
    if (old !== undefined && !equalJson(object['roleRef'], old['roleRef'])) {
      causes.push(invalidValue('roleRef', object['roleRef'], 'cannot change roleRef'));
    }
    return causes;
  },
};

export const budgetRules: Partial<Rules> = {
  generation: true,
  unconditionalUpdate: false,
  prepareCreate: (object) =>
    withStatus(object, { currentHealthy: 0, desiredHealthy: 0, disruptionsAllowed: 0, expectedPods: 0 }),
  validate: (object) => {
    const spec = (object['spec'] ?? {}) as JsonObject;
    if (spec['minAvailable'] === undefined || spec['maxUnavailable'] === undefined) return [];
    return [invalidValue('spec', spec, 'minAvailable and maxUnavailable cannot be both set')];
  },
};

export const leaseRules: Partial<Rules> = {
  createOnUpdate: true,
  unconditionalUpdate: false,
  validate: (object) => {
    const causes: Cause[] = [];
    const seconds = at(object, 'spec', 'leaseDurationSeconds');
    if (typeof seconds === 'number' && seconds <= 0) {
      causes.push(invalidValue('spec.leaseDurationSeconds', seconds, 'must be greater than 0'));
    }
    const transitions = at(object, 'spec', 'leaseTransitions');
    if (typeof transitions === 'number' && transitions < 0) {
      causes.push(invalidValue('spec.leaseTransitions', transitions, 'must be greater than or equal to 0'));
    }
    return causes;
  },
};

export const networkPolicyRules: Partial<Rules> = { generation: true };

export const ingressRules: Partial<Rules> = {
  generation: true,
  prepareCreate: (object) => withStatus(object, { loadBalancer: {} }),
};
