// Labels and label selectors.
import { isObject } from '../../json.ts';
import type { Json, JsonObject } from '../../json.ts';
import { labelValueFaults, qualifiedNameFaults } from '../../server/names.ts';
import { entriesAt, listAt, objectAt, textAt } from './faults.ts';
import type { Faults } from './faults.ts';

/** Keys and values of a map of labels. */
export function checkLabels(path: string, labels: JsonObject, faults: Faults): void {
  for (const [key, value] of Object.entries(labels)) {
    faults.text(path, key, qualifiedNameFaults);
    if (typeof value === 'string') faults.text(path, value, labelValueFaults);
  }
}

/** A label selector. */
export function checkSelector(path: string, selector: JsonObject, faults: Faults): void {
  checkLabels(`${path}.matchLabels`, objectAt(selector, 'matchLabels'), faults);
  for (const [requirement, place] of entriesAt(selector, 'matchExpressions', path)) {
    const operator = textAt(requirement, 'operator');
    const values = listAt(requirement, 'values');
    if (operator === 'In' || operator === 'NotIn') {
      if (values.length === 0)
        faults.required(`${place}.values`, "must be specified when `operator` is 'In' or 'NotIn'");
    } else if (operator === 'Exists' || operator === 'DoesNotExist') {
      if (values.length > 0)
        faults.forbidden(`${place}.values`, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'");
    } else faults.invalid(`${place}.operator`, operator, 'not a valid selector operator');
    faults.text(`${place}.key`, textAt(requirement, 'key'), qualifiedNameFaults);
    for (const [index, value] of values.entries()) {
      if (typeof value === 'string') faults.text(`${place}.values[${index}]`, value, labelValueFaults);
    }
  }
}

/** True if nothing is asked for. */
export function isEmptySelector(selector: JsonObject): boolean {
  return (
    Object.keys(objectAt(selector, 'matchLabels')).length === 0 && listAt(selector, 'matchExpressions').length === 0
  );
}

/** True if labels fit a selector whose form is right. */
export function selects(selector: JsonObject, labels: JsonObject): boolean {
  for (const [key, value] of Object.entries(objectAt(selector, 'matchLabels'))) if (labels[key] !== value) return false;
  return listAt(selector, 'matchExpressions').every(
    (requirement) => !isObject(requirement) || holds(requirement, labels),
  );
}

function holds(requirement: JsonObject, labels: JsonObject): boolean {
  const value: Json | undefined = labels[textAt(requirement, 'key')];
  const values = listAt(requirement, 'values');
  switch (textAt(requirement, 'operator')) {
    case 'In':
      return value !== undefined && values.includes(value);
    case 'NotIn':
      return value === undefined || !values.includes(value);
    case 'Exists':
      return value !== undefined;
    default:
      return value === undefined;
  }
}
