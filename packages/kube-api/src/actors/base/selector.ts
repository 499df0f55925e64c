// Label selectors.
import type { LabelSelector, SelectorTerm } from './model.ts';

type Labels = Readonly<Record<string, string>>;

/** True for a missing or empty selector. For workloads it selects nothing, not everything. */
export function selectsNothing(selector: LabelSelector | undefined): boolean {
  return Object.keys(selector?.matchLabels ?? {}).length === 0 && (selector?.matchExpressions?.length ?? 0) === 0;
}

/** True if the labels meet every requirement; an empty selector matches all. */
export function matches(selector: LabelSelector | undefined, labels: Labels | undefined): boolean {
  for (const [key, value] of Object.entries(selector?.matchLabels ?? {})) if (labels?.[key] !== value) return false;
  return (selector?.matchExpressions ?? []).every((term) => meets(term, labels ?? {}));
}

function meets({ key, operator, values = [] }: SelectorTerm, labels: Labels): boolean {
  const value = labels[key];
  switch (operator) {
    case 'In':
      return value !== undefined && values.includes(value);
    case 'NotIn':
      return value === undefined || !values.includes(value);
    case 'Exists':
      return value !== undefined;
    case 'DoesNotExist':
      return value === undefined;
    default:
      return false;
  }
}
