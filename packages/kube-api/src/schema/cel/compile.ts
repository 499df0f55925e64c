// Compiled CEL rules.
import { celEnv, isCelError, parse, plan } from '@bufbuild/cel';
import type { CelInput, CelValue } from '@bufbuild/cel';
import { strings } from '@bufbuild/cel/ext';
import type { JsonObject } from '../../json.ts';
import { kubernetesFunctions } from './library.ts';

const env = celEnv({ funcs: [...strings, ...kubernetesFunctions] });

/** What evaluation gives: a value, or why there is none. */
export type Outcome = { readonly value: CelValue } | { readonly fault: string };

/** An expression that can be evaluated many times; `variables` are `self` and, where there is one, `oldSelf`. */
export type Expression = (variables: Readonly<Record<string, CelInput>>) => Outcome;

/** A rule of `x-kubernetes-validations`. */
export interface CompiledRule {
  /** The rule, or why it cannot be compiled. */
  readonly rule: Expression | { readonly fault: string };
  readonly messageExpression: Expression | undefined;
  /** A transition rule: it compares with the stored value. */
  readonly usesOldSelf: boolean;
}

const cache = new WeakMap<JsonObject, CompiledRule>();

/** Compiles a rule, once per rule object. */
export function compileRule(rule: JsonObject): CompiledRule {
  const known = cache.get(rule);
  if (known !== undefined) return known;
  const text = typeof rule['rule'] === 'string' ? rule['rule'] : '';
  const messageText = rule['messageExpression'];
  const message = typeof messageText === 'string' && messageText !== '' ? compile(messageText) : undefined;
  const compiled: CompiledRule = {
    rule: compile(text),
    messageExpression: typeof message === 'function' ? message : undefined,
    usesOldSelf: /\boldSelf\b/.test(withoutLiterals(text)),
  };
  cache.set(rule, compiled);
  return compiled;
}

/** Why an expression cannot be compiled; undefined if it can. */
export function syntaxFault(text: string): string | undefined {
  const compiled = compile(text);
  return typeof compiled === 'function' ? undefined : compiled.fault;
}

function compile(text: string): Expression | { readonly fault: string } {
  try {
    const evaluate = plan(env, parse(text));
    return (variables) => {
      const result = evaluate(variables as never);
      return isCelError(result) ? { fault: worded(result.message) } : { value: result };
    };
  } catch (error) {
    return { fault: error instanceof Error ? error.message : String(error) };
  }
}

function withoutLiterals(text: string): string {
  return text.replaceAll(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/g, '""');
}

/** The library's errors in the words of the server's. */
function worded(message: string): string {
  const field = /^field not found: (.*)$/.exec(message)?.[1];
  if (field !== undefined) return `no such key: ${field}`;
  const index = /^index (-?\d+) out of bounds/.exec(message)?.[1];
  if (index !== undefined) return `index out of bounds: ${index}`;
  if (message.startsWith('found no matching overload')) return 'no such overload';
  return /divide by zero|division by zero/.test(message) ? 'division by zero' : message;
}
