// The gates in front of a new hop that need the cluster: preconditions, a settled old version, and a plan of the new one.
import type { GateReason, IntentStep } from '@pawl/reconciler';
import type { Plan } from '@pawl/reconciler/kubernetes';
import { saysImmutable } from '../cluster/immutable.ts';
import type { ActionsRunner } from './actions-runner.ts';
import type { FleetBudget } from './fleet-budget.ts';
import { partsOf } from './custom-object.ts';
import { procedureFor, type KindSetup } from './kind-setup.ts';
import type { Pass, Refusal } from './pass.ts';

/** A plan's answer is kept for so long: a refused hop does not send its dry runs again and again. */
const KEPT_MS = 600_000;

export interface GateParts {
  readonly setup: KindSetup;
  readonly runner: ActionsRunner;
  readonly fleet: FleetBudget;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/**
 * The closed gate in front of an intent, if any. Installing and resuming have none here; of a rollback only the plan is
 * asked.
 */
export async function closedGate(
  step: IntentStep,
  pass: Pass,
  { setup, runner, fleet, now }: GateParts,
  signal: AbortSignal,
): Promise<GateReason | undefined> {
  const { target } = step.record;
  if (step.why !== 'hop' || target === undefined || step.mode === 'Install' || step.mode === 'Resume') return undefined;
  const procedure = procedureFor(setup, target);
  if (step.mode !== 'Rollback') {
    const { status } = partsOf(pass.object);
    if ((procedure.preconditions ?? []).length > 0 && !(await runner.preconditions(pass, target, signal)).reconciled)
      return 'PreconditionNotMet';
    const isSettled = status['verifiedGeneration'] === pass.object.metadata.generation;
    if (procedure.settled === true && !isSettled) return 'NotSettled';
  }
  const { generation, uid } = pass.object.metadata;
  const key = `${uid}/${generation}/${target}/${step.record.epoch}`;
  const kept = pass.memory.preflight;
  const isKept = kept !== undefined && kept.key === key && now < kept.until;
  const refusal = isKept ? kept : refusalOf(await runner.plan(pass, target, signal));
  if (!isKept) pass.memory.preflight = { key, ...refusal, until: now + KEPT_MS };
  return refusal.gate ?? (step.mode === 'Rollback' ? undefined : fleet.admit(uid));
}

/** The gate of a full fleet, in front of everything that costs requests. */
export function fullFleet({ why, mode, record }: IntentStep, pass: Pass, fleet: FleetBudget): GateReason | undefined {
  const isNewHop = why === 'hop' && record.target !== undefined && mode !== 'Install' && mode !== 'Resume' && mode !== 'Rollback';
  return isNewHop ? fleet.look(pass.object.metadata.uid) : undefined;
}

/** What the server would refuse decides; what cannot be told before something else took effect does not. */
function refusalOf(plan: Plan): Refusal {
  const [first] = plan.refused;
  if (first === undefined) return {};
  const { action, target, refused = '' } = first;
  return { gate: saysImmutable(refused) ? 'ImmutableFieldChange' : 'PreflightFailed', refused: { action, target, refused } };
}
