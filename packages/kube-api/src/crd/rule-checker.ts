// The CEL evaluator, if its library is installed. Without it CRDs that have rules are refused, never half obeyed.
import type { Cause } from '../errors.ts';
import type { JsonObject } from '../json.ts';
import type { RuleChecker } from '../schema/index.ts';

/** What is done with the rules of a schema. */
export interface Cel {
  readonly checkRules: RuleChecker;
  /** The rules that cannot be compiled; `path` is where the schema stands. */
  readonly ruleFaults: (schema: JsonObject, path: string) => readonly Cause[];
}

/** Compiles and evaluates rules; undefined if that is not possible here. */
export const cel: Cel | undefined = await load();

async function load(): Promise<Cel | undefined> {
  try {
    const [{ checkRules }, { ruleFaults }] = await Promise.all([
      import('../schema/cel/check-rules.ts'),
      import('../schema/cel/rule-faults.ts'),
    ]);
    return { checkRules, ruleFaults };
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND') return undefined;
    throw error;
  }
}
