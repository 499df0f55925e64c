// The CEL evaluator, if its library is installed. Without it CRDs that have rules are refused, never half obeyed.
import type { RuleChecker } from '../schema/index.ts';

/** Evaluates rules; undefined if that is not possible here. */
export const ruleChecker: RuleChecker | undefined = await load();

async function load(): Promise<RuleChecker | undefined> {
  try {
    return (await import('../schema/cel/check-rules.ts')).checkRules;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND') return undefined;
    throw error;
  }
}
