// Where a pod may run: tolerations, spreading, affinity.
import { isObject } from '../../json.ts';
import type { Json, JsonObject } from '../../json.ts';
import { qualifiedNameFaults } from '../../server/names.ts';
import { entriesAt, listAt, objectAt, textAt } from './faults.ts';
import type { Faults } from './faults.ts';
import { checkSelector } from './selectors.ts';

const EFFECTS = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'];
const REQUIRED = 'requiredDuringSchedulingIgnoredDuringExecution';
const PREFERRED = 'preferredDuringSchedulingIgnoredDuringExecution';

/** Affinity, tolerations and spreading of a pod spec. */
export function checkScheduling(spec: JsonObject, path: string, faults: Faults): void {
  const affinity = objectAt(spec, 'affinity');
  const nodes = objectAt(affinity, 'nodeAffinity')[REQUIRED];
  if (isObject(nodes) && listAt(nodes, 'nodeSelectorTerms').length === 0) {
    const place = `${path}.affinity.nodeAffinity.${REQUIRED}.nodeSelectorTerms`;
    faults.required(place, 'must have at least one node selector term');
  }
  for (const kind of ['podAffinity', 'podAntiAffinity'])
    checkPodAffinity(objectAt(affinity, kind), `${path}.affinity.${kind}`, faults);
  for (const [toleration, place] of entriesAt(spec, 'tolerations', path)) checkToleration(toleration, place, faults);
  for (const [constraint, place] of entriesAt(spec, 'topologySpreadConstraints', path))
    checkSpread(constraint, place, faults);
}

function checkPodAffinity(affinity: JsonObject, path: string, faults: Faults): void {
  for (const [term, place] of entriesAt(affinity, REQUIRED, path)) checkTerm(term, place, faults);
  for (const [preference, place] of entriesAt(affinity, PREFERRED, path)) {
    const weight = preference['weight'];
    if (typeof weight !== 'number' || weight <= 0 || weight > 100) {
      faults.invalid(`${place}.weight`, weight ?? 0, 'must be in the range 1-100');
    }
    checkTerm(objectAt(preference, 'podAffinityTerm'), `${place}.podAffinityTerm`, faults);
  }
}

function checkTerm(term: JsonObject, path: string, faults: Faults): void {
  const selector = term['labelSelector'];
  if (isObject(selector)) checkSelector(`${path}.labelSelector`, selector, faults);
  const key = textAt(term, 'topologyKey');
  if (key === '') faults.required(`${path}.topologyKey`, 'can not be empty');
  faults.text(`${path}.topologyKey`, key, qualifiedNameFaults);
}

function checkToleration(toleration: JsonObject, path: string, faults: Faults): void {
  const key = textAt(toleration, 'key');
  const operator = textAt(toleration, 'operator');
  const value = textAt(toleration, 'value');
  if (key !== '') faults.text(`${path}.key`, key, qualifiedNameFaults);
  else if (operator !== 'Exists') {
    faults.invalid(
      `${path}.operator`,
      operator,
      'operator must be Exists when `key` is empty, which means "match all values and all keys"',
    );
  }
  if (operator === 'Exists' && value !== '') {
    faults.invalid(`${path}.operator`, value, "value must be empty when `operator` is 'Exists'");
  } else if (operator !== '' && operator !== 'Exists') faults.oneOf(`${path}.operator`, operator, ['Equal', 'Exists']);
  const effect: Json | undefined = toleration['effect'];
  if (effect !== undefined && effect !== '') faults.oneOf(`${path}.effect`, effect, EFFECTS);
}

function checkSpread(constraint: JsonObject, path: string, faults: Faults): void {
  const skew = constraint['maxSkew'];
  if (typeof skew !== 'number' || skew <= 0) faults.invalid(`${path}.maxSkew`, skew ?? 0, 'must be greater than zero');
  const key = textAt(constraint, 'topologyKey');
  if (key === '') faults.required(`${path}.topologyKey`, 'can not be empty');
  faults.oneOf(`${path}.whenUnsatisfiable`, textAt(constraint, 'whenUnsatisfiable'), [
    'DoNotSchedule',
    'ScheduleAnyway',
  ]);
}
