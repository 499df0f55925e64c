// The report for machines: JSON with everything that a tool would count, and JUnit for CI.
import type { EdgeCoverage, Exploration, Failure } from '../explore/exploration.ts';
import { describePlan } from '../explore/plan.ts';
import { edgeNames, failureText } from './text.ts';

/** The exploration as JSON data, without histories. */
export function explorationJson(exploration: Exploration): object {
  const { failures, ...rest } = exploration;
  return {
    ...rest,
    violations: failures.flatMap(({ mode, edge, plan, violations, divergence }) =>
      violations.map(({ check, says, object }) => ({ check, says, object, mode, edge, plan, divergence })),
    ),
  };
}

/** One test case for each mode and hop. */
export function explorationJunit(exploration: Exploration): string {
  const { coverage, failures, seconds } = exploration;
  const keyOf = ({ mode, kind, edge }: Pick<EdgeCoverage, 'mode' | 'kind' | 'edge'>): string => `${mode} ${kind} ${edge}`;
  const rows = new Map(coverage.map((row) => [keyOf(row), row]));
  const kindOf = ({ plan, ...failure }: Failure): Pick<EdgeCoverage, 'mode' | 'kind' | 'edge'> => ({ ...failure, kind: plan.kind });
  // What was found by comparing needs no run that counts for its mode.
  for (const { mode, edge, kind } of failures.map(kindOf))
    if (!rows.has(keyOf({ mode, edge, kind }))) rows.set(keyOf({ mode, edge, kind }), { mode, edge, kind, runs: 1, crashPoints: 0 });
  const names = edgeNames([...rows.values()]);
  const cases = [...rows.values()].map((row) => {
    const { mode, runs } = row;
    const edge = names(row);
    const failed = failures.filter((failure) => keyOf(kindOf(failure)) === keyOf(row));
    const inner = failed.map((failure) => `<failure message="${escaped(describePlan(failure.plan))}">${escaped(failureText(failure))}</failure>`);
    return `  <testcase classname="${escaped(exploration.package)}" name="${escaped(`${mode}: ${edge} (${runs} runs)`)}">${inner.join('')}</testcase>`;
  });
  const head = `<testsuite name="pawl explore" tests="${cases.length}" failures="${failures.length}" time="${seconds.toFixed(3)}">`;
  return ['<?xml version="1.0" encoding="UTF-8"?>', head, ...cases, '</testsuite>', ''].join('\n');
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

function escaped(text: string): string {
  // XML has no place for other control characters.
  const plain = Array.from(text).filter((character) => character >= ' ' || character === '\n' || character === '\t').join('');
  return plain.replace(/[&<>"]/g, (character) => ENTITIES[character] ?? character);
}
