// The report about plans on a real server: for a person, and as data.
import { describePlan } from '../explore/plan.ts';
import { failureText } from '../report/text.ts';
import type { RealExploration } from './explore-real.ts';

/** The whole report, ending in a newline. */
export function realText(exploration: RealExploration): string {
  const { findings, plans, seconds, kills, faults, server, notRun, assumptions, notes } = exploration;
  const nothing = plans.length === 0 ? 'nothing was carried out, which proves nothing,' : 'nothing found';
  const found = findings.length === 0 ? nothing : `${findings.length} ${findings.length === 1 ? 'failure' : 'failures'}`;
  const failing = new Set(findings.map(({ plan }) => plan));
  const parts = [
    ...findings.map((finding) => failureText({ ...finding, found: finding.plan })),
    [
      `${exploration.package} on a real server (${server}): ${found} in ${plans.length} ${plans.length === 1 ? 'plan' : 'plans'}, ${seconds.toFixed(1)} s, ${kills} kills, ${faults} faults`,
      ...plans.map((plan) => `  ${failing.has(plan) ? '✗' : '✓'} ${describePlan(plan)}`),
      ...notes.map((says) => `  cluster: ${says}`),
      ...notRun.map((says) => `  not run: ${says}`),
      `  rests on: ${assumptions.join('; ')}`,
    ].join('\n'),
  ];
  return `${parts.join('\n\n')}\n`;
}

/** The report as JSON data, without histories. */
export function realJson({ findings, ...rest }: RealExploration): object {
  return {
    ...rest,
    violations: findings.flatMap(({ plan, violations }) => violations.map(({ check, says, object }) => ({ check, says, object, plan }))),
  };
}
