// Budgets, leases, namespaces, nodes and events.
import { isObject } from '../../json.ts';
import type { JsonObject, KubeObject } from '../../json.ts';
import { qualifiedNameFaults } from '../../server/names.ts';
import { entriesAt, listAt, objectAt, textAt } from './faults.ts';
import type { Faults } from './faults.ts';
import { checkSelector } from './selectors.ts';
import { checkAtMostAll, checkIntOrPercent } from './texts.ts';

/** A PodDisruptionBudget. */
export function checkBudget(_before: KubeObject | undefined, after: KubeObject, faults: Faults): void {
  const spec = objectAt(after, 'spec');
  const { minAvailable, maxUnavailable, selector, unhealthyPodEvictionPolicy } = spec;
  if (minAvailable !== undefined && maxUnavailable !== undefined) {
    const shown: JsonObject = {
      MinAvailable: minAvailable,
      Selector: selector ?? null,
      MaxUnavailable: maxUnavailable,
      UnhealthyPodEvictionPolicy: unhealthyPodEvictionPolicy ?? null,
    };
    faults.invalid('spec', shown, 'minAvailable and maxUnavailable cannot be both set');
  }
  for (const [key, value] of [
    ['minAvailable', minAvailable],
    ['maxUnavailable', maxUnavailable],
  ] as const) {
    checkIntOrPercent(`spec.${key}`, value, faults);
    checkAtMostAll(`spec.${key}`, value, faults);
  }
  if (isObject(selector)) checkSelector('spec.selector', selector, faults);
  faults.oneOf('spec.unhealthyPodEvictionPolicy', unhealthyPodEvictionPolicy, ['AlwaysAllow', 'IfHealthyBudget']);
}

/** A Lease. */
export function checkLease(_before: KubeObject | undefined, after: KubeObject, faults: Faults): void {
  const spec = objectAt(after, 'spec');
  const seconds = spec['leaseDurationSeconds'];
  if (typeof seconds === 'number' && seconds <= 0)
    faults.invalid('spec.leaseDurationSeconds', seconds, 'must be greater than 0');
  faults.notNegatives('spec', spec, 'leaseTransitions');
}

/** A Namespace. */
export function checkNamespace(_before: KubeObject | undefined, after: KubeObject, faults: Faults): void {
  for (const finalizer of listAt(objectAt(after, 'spec'), 'finalizers')) {
    if (typeof finalizer !== 'string') continue;
    faults.text('spec.finalizers', finalizer, qualifiedNameFaults);
    if (!finalizer.includes('/') && finalizer !== 'kubernetes') {
      faults.invalid(
        'spec.finalizers',
        finalizer,
        'name is neither a standard finalizer name nor is it fully qualified',
      );
    }
  }
}

/** A Node. */
export function checkNode(_before: KubeObject | undefined, after: KubeObject, faults: Faults): void {
  const seen = new Set<string>();
  for (const [taint, place] of entriesAt(objectAt(after, 'spec'), 'taints', 'metadata')) {
    const [key, value, effect] = [textAt(taint, 'key'), textAt(taint, 'value'), textAt(taint, 'effect')];
    faults.text(`${place}.key`, key, qualifiedNameFaults);
    if (effect === '') faults.required(`${place}.effect`);
    else faults.oneOf(`${place}.effect`, effect, ['NoSchedule', 'PreferNoSchedule', 'NoExecute']);
    if (seen.has(`${key}:${effect}`)) {
      const shown = JSON.stringify({ Key: key, Value: value, Effect: effect, TimeAdded: null });
      const message = `Duplicate value: ${shown}: taints must be unique by key and effect pair`;
      faults.causes.push({ reason: 'FieldValueDuplicate', message, field: place });
    }
    seen.add(`${key}:${effect}`);
  }
}

/** An Event of the core group. */
export function checkEvent(_before: KubeObject | undefined, after: KubeObject, faults: Faults): void {
  const namespace = textAt(objectAt(after, 'involvedObject'), 'namespace');
  if (namespace !== '' && namespace !== after.metadata.namespace) {
    faults.invalid('involvedObject.namespace', namespace, 'does not match event.namespace');
  }
}
