// What a label selector in an object must look like.
import { forbiddenField, invalidValue, required } from '../causes.ts';
import type { Cause } from '../errors.ts';
import { isList, isObject, type Json } from '../json.ts';

const OPERATORS = ['In', 'NotIn', 'Exists', 'DoesNotExist'];

/** The causes of the expressions of a selector. */
export function selectorCauses(path: string, selector: Json | undefined): readonly Cause[] {
  const expressions = isObject(selector) ? selector['matchExpressions'] : undefined;
  if (!isList(expressions)) return [];
  return expressions.flatMap((expression, index) => {
    const { operator, values } = isObject(expression) ? expression : {};
    const at = `${path}.matchExpressions[${index}]`;
    const count = isList(values) ? values.length : 0;
    if (typeof operator !== 'string' || !OPERATORS.includes(operator)) {
      return [invalidValue(`${at}.operator`, operator, 'not a valid selector operator')];
    }
    const needsValues = operator.endsWith('In');
    if (needsValues && count === 0) {
      return [required(`${at}.values`, "must be specified when `operator` is 'In' or 'NotIn'")];
    }
    if (needsValues || count === 0) return [];
    return [forbiddenField(`${at}.values`, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'")];
  });
}
