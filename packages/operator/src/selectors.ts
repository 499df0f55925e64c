// Label and field selectors as the API server reads them: what is wrong with one, before the server is asked. Pure.

const NAME = '[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?';
const KEY = `([a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?/)?${NAME}`;
const VALUE = `(${NAME})?`;
/** One requirement: a key that is there or not, an (in)equality, or a set of values. */
const REQUIREMENT = new RegExp(
  `^(!?\\s*${KEY}|${KEY}\\s*(=|==|!=)\\s*${VALUE}|${KEY}\\s+(in|notin)\\s*\\(\\s*${VALUE}(\\s*,\\s*${VALUE})*\\s*\\))$`,
);
const FIELD = /^[A-Za-z][\w.[\]'-]*(=|==|!=)[^,=]*$/;

/** The first part of a label selector that is none; undefined if all are right. */
export function labelSelectorFault(selector: string): string | undefined {
  return partsOf(selector).find((part) => !REQUIREMENT.test(part));
}

/** The first part of a field selector that is none; undefined if all are right. */
export function fieldSelectorFault(selector: string): string | undefined {
  return selector.split(',').map((part) => part.trim()).find((part) => !FIELD.test(part));
}

/** Separated by commas, but not by those between parentheses. */
function partsOf(selector: string): readonly string[] {
  return selector.split(/,(?![^(]*\))/).map((part) => part.trim());
}
