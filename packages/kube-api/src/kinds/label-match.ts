// Label selectors as objects hold them, matched against labels.
import { isObject, type Json, objectsOf, textsOf } from '../json.ts';
import { text } from './columns/cells.ts';

type Labels = { readonly [key: string]: string } | undefined;

/** Whether labels satisfy `{ matchLabels, matchExpressions }`. An empty selector matches everything. */
export function matchesSelector(selector: Json | undefined, labels: Labels = {}): boolean {
  if (!isObject(selector)) return false;
  const wanted = isObject(selector['matchLabels']) ? selector['matchLabels'] : {};
  for (const key in wanted) if (labels[key] !== wanted[key]) return false;
  return objectsOf(selector['matchExpressions']).every(({ key, operator, values }) => {
    const value = labels[text(key, '')];
    if (operator === 'In') return value !== undefined && textsOf(values).includes(value);
    if (operator === 'NotIn') return value === undefined || !textsOf(values).includes(value);
    return (value !== undefined) === (operator === 'Exists');
  });
}
