// The report for machines: JSON with everything that a tool would count, and JUnit for CI.
import type { Exploration } from '../explore/exploration.ts';
import { describePlan } from '../explore/plan.ts';
import { failureText } from './text.ts';

/** The exploration as JSON data, without histories. */
export function explorationJson(exploration: Exploration): object {
  const { failures, ...rest } = exploration;
  return {
    ...rest,
    violations: failures.flatMap(({ mode, edge, plan, violations }) =>
      violations.map(({ check, says, object }) => ({ check, says, object, mode, edge, plan })),
    ),
  };
}

/** One test case for each mode and hop. */
export function explorationJunit(exploration: Exploration): string {
  const { coverage, failures, seconds } = exploration;
  const cases = coverage.map(({ mode, edge, runs }) => {
    const failed = failures.filter((failure) => failure.mode === mode && failure.edge === edge);
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
