// Compares every hop that is declared, and says what of it a run has not shown by itself.
import { violationsOf } from '../checks/index.ts';
import type { Violation } from '../checks/check.ts';
import type { Context } from '../explore/context.ts';
import { installOf, planOf, upgradeOf, type Story } from '../explore/crash-modes.ts';
import { edgesOf, type Edge } from '../explore/edges.ts';
import type { Failure } from '../explore/exploration.ts';
import { planKey, type Plan } from '../explore/plan.ts';
import { runPlan, type Run } from '../explore/run-plan.ts';
import { pairFindings } from './compare.ts';
import { makePair } from './make-pair.ts';
import type { PairFinding } from './pair.ts';

export interface PairCheck {
  readonly findings: readonly PairFinding[];
  /** Errors that nothing else tells of: the upgrade itself looks fine, or is not explored. */
  readonly failures: readonly Failure[];
  /** Hops that were left out, for the time was over. */
  readonly leftOut: readonly string[];
}

export interface PairRunner {
  /** Carries out a story with nothing in its way. */
  readonly run: (story: Story) => Promise<Run>;
  /** What is wrong with an upgrade is told by others. */
  readonly isExplored: boolean;
  readonly isOver: () => boolean;
}

/** Compares the declared hops of a subject one after the other. */
export async function checkPairs(context: Context, { run, isExplored, isOver }: PairRunner): Promise<PairCheck> {
  const findings: PairFinding[] = [];
  const failures: Failure[] = [];
  const leftOut: string[] = [];
  for (const edge of directEdges(context)) {
    if (isOver()) {
      leftOut.push(edge.name);
      continue;
    }
    const upgrade = await run(upgradeOf(edge));
    const found = await findingsOf(context, edge, await run(installOf(edge.to)), upgrade);
    findings.push(...found);
    const violations = found.flatMap(violationOf);
    const { plan } = upgrade.outcome;
    const isTold = isExplored && violationsOf(upgrade.outcome).length > 0;
    if (violations.length > 0 && !isTold)
      failures.push({ mode: 'upgrade', edge: edge.name, plan, found: plan, run: upgrade, violations });
  }
  return { findings, failures, leftOut };
}

/** The errors of the hop that a plan is about, if it is an upgrade with nothing in its way. */
export async function pairViolations(context: Context, plan: Plan, upgrade: Run): Promise<readonly Violation[]> {
  const edge = directEdges(context).find((one) => planKey(planOf(context, upgradeOf(one))) === planKey(plan));
  if (edge === undefined) return [];
  const install = await runPlan(context, planOf(context, installOf(edge.to)));
  return (await findingsOf(context, edge, install, upgrade)).flatMap(violationOf);
}

/** A state from outside is no fresh install: there is nothing to compare. */
function directEdges({ subject }: Context): readonly Edge[] {
  return subject.starts === undefined ? edgesOf(subject).filter(({ isDirect }) => isDirect) : [];
}

/** Without the two installs there is no pair, and exploring tells why. */
async function findingsOf(context: Context, edge: Edge, install: Run, upgrade: Run): Promise<readonly PairFinding[]> {
  const isPair = (await context.peace(edge.from)).isAtRest && install.outcome.isAtRest;
  return isPair ? pairFindings(await makePair(context, edge, { install, upgrade })) : [];
}

function violationOf({ severity, object, path = '', says, action }: PairFinding): readonly Violation[] {
  if (severity !== 'error') return [];
  return [{ check: 'fits the version before', object, says: `${object}${path === '' ? '' : ` ${path}`}: ${says}; ${action}` }];
}
