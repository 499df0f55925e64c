// anyOf, oneOf, allOf and not.
import { isList, isObject } from '../json.ts';
import type { Json, JsonObject } from '../json.ts';
import type { Report } from './report.ts';

type Check = (schema: JsonObject, value: Json, before: undefined, path: string, report: Report) => void;

/** Checks the combinations of a schema. `check` validates against one schema. */
export function checkCombinations(schema: JsonObject, value: Json, path: string, report: Report, check: Check): void {
  const attempt = (alternative: JsonObject): Report => {
    const branch = report.branch();
    check(alternative, value, undefined, path, branch);
    return branch;
  };
  const name = JSON.stringify(path);
  const anyOf = schemas(schema['anyOf']);
  if (anyOf.length > 0) checkAnyOf(anyOf.map(attempt), name, report);
  const oneOf = schemas(schema['oneOf']);
  if (oneOf.length > 0) checkOneOf(oneOf.map(attempt), name, report);
  const allOf = schemas(schema['allOf']).map(attempt);
  const failed = allOf.filter((branch) => branch.failed).length;
  for (const branch of allOf) report.take(branch);
  if (failed > 0) {
    report.addUnplaced(
      `${name} must validate all the schemas (allOf)${failed === allOf.length ? '. None validated' : ''}`,
    );
  }
  const not = schema['not'];
  if (isObject(not) && !attempt(not).failed) report.addUnplaced(`${name} must not validate the schema (not)`);
}

function schemas(value: Json | undefined): readonly JsonObject[] {
  return isList(value) ? value.filter(isObject) : [];
}

function checkAnyOf(branches: readonly Report[], name: string, report: Report): void {
  const valid = branches.find((branch) => !branch.failed);
  if (valid === undefined) report.addUnplaced(`${name} must validate at least one schema (anyOf)`);
  report.take(valid ?? best(branches));
}

function checkOneOf(branches: readonly Report[], name: string, report: Report): void {
  const valid = branches.filter((branch) => !branch.failed);
  if (valid.length === 1 && valid[0] !== undefined) {
    report.take(valid[0]);
    return;
  }
  const found = valid.length === 0 ? 'Found none valid' : `Found ${valid.length} valid alternatives`;
  report.addUnplaced(`${name} must validate one and only one schema (oneOf). ${found}`);
  if (valid.length === 0) report.take(best(branches));
}

/** The failed alternative in which most checks passed; the first of equals. */
function best(branches: readonly Report[]): Report {
  return branches.reduce((a, b) => (b.matches > a.matches ? b : a));
}
