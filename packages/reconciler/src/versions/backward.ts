// Going back: plain catalogs as operators without versions do, all others only by permission and request.
import type { NormalizedProcedure } from './catalog.ts';
import type { BlockedVerdict, RunVerdict } from './decision.ts';
import { resume } from './going-on.ts';
import type { GateReason } from './inputs.ts';
import type { AvoidedVersion } from './record.ts';
import type { Situation } from './situation.ts';
import { compareVersions, isNewer, isOlder, isSame, UNKNOWN_VERSION } from './version.ts';

/** A single procedure without versions acts on whatever others of its kind left, newer ones too. */
export function plainStepBack(situation: Situation): RunVerdict | undefined {
  const { catalog, top, target } = situation;
  const [only] = catalog.procedures;
  if (only === undefined || !catalog.plain || !situation.isPlain) return undefined;
  if (!isNewer(top ?? UNKNOWN_VERSION, only.version) || !situation.may(only)) return undefined;
  if (target !== undefined && isSame(target, only.version)) return resume(situation);
  const { version } = only;
  return { kind: 'Run', mode: 'Rollback', version, path: [version], intent: true, avoid: [] };
}

/**
 * A request to go back, with the permission of everything newer in the record. A refused request is noted and leaves
 * the object to be kept as it is.
 */
export function requestedRollback(situation: Situation): RunVerdict | undefined {
  const { rollback, top = UNKNOWN_VERSION, target } = situation;
  if (rollback.version === undefined || !isOlder(rollback.version, top)) return undefined;
  const procedure = situation.procedure(rollback.version);
  const refused = procedure === undefined ? 'RollbackNotPermitted' : refusedBy(situation, procedure);
  if (refused !== undefined) situation.notes.replace(refused);
  if (procedure === undefined || refused !== undefined) return undefined;
  if (target !== undefined && isSame(target, procedure.version)) return resume(situation);
  const { version } = procedure;
  const avoid = avoidedAfter(situation, procedure);
  return { kind: 'Run', mode: 'Rollback', version, path: [version], intent: true, avoid };
}

type Refusal = 'RollbackNotPermitted' | GateReason;

function refusedBy(situation: Situation, procedure: NormalizedProcedure): Refusal | undefined {
  const { effective, target } = situation;
  const { version } = procedure;
  const isHeld = effective.hold !== undefined && (target === undefined || !isSame(version, target));
  const isRefused =
    (procedure.withdrawn && !situation.isApplied(version)) ||
    situation.isAvoided(procedure) ||
    isHeld ||
    !situation.may(procedure);
  return isRefused ? 'RollbackNotPermitted' : planRefusal(situation, version);
}

/** Of the gates only the preflight is asked, and only before the version has begun to act. */
function planRefusal({ applied, facts }: Situation, version: string): GateReason | undefined {
  const hasBegun = applied.some((entry) => entry.state === 'Partial' && isSame(entry.version, version));
  const gate = facts.gates?.[version];
  return !hasBegun && (gate === 'PreflightFailed' || gate === 'ImmutableFieldChange') ? gate : undefined;
}

/** Everything newer that is applied or known here: nothing may climb back when the request disappears. */
function avoidedAfter(situation: Situation, { version }: NormalizedProcedure): readonly AvoidedVersion[] {
  const left = situation.avoid.filter((avoided) => !isSame(avoided.version, version));
  const newer = [
    ...situation.applied.map((entry) => ({
      version: entry.version,
      digest: situation.procedure(entry.version)?.digest ?? entry.digest ?? entry.version,
    })),
    ...situation.catalog.procedures.map((known) => ({ version: known.version, digest: known.digest })),
  ].filter((known) => isNewer(known.version, version));
  for (const known of newer)
    if (!left.some((avoided) => avoided.digest === known.digest && isSame(avoided.version, known.version)))
      left.push(known);
  return left.sort((a, b) => compareVersions(a.version, b.version));
}

/** An open rollback is finished; only `approve` naming a forward version turns it round. */
export function openRollback(situation: Situation): RunVerdict | BlockedVerdict | undefined {
  if (!situation.isRollbackOpen) return undefined;
  const { target, top = UNKNOWN_VERSION, avoid } = situation;
  const forward = situation.procedure(situation.approve.version);
  if (forward !== undefined && mayTurnRound(situation, forward, top)) {
    const { version } = forward;
    const kept = avoid.filter((avoided) => !isSame(avoided.version, version));
    return { kind: 'Run', mode: 'Supersede', version, path: [version], intent: true, avoid: kept };
  }
  return (
    resume(situation) ?? {
      kind: 'Blocked',
      reason: 'RollbackUnfinished',
      need: { operator: target === undefined ? {} : { version: target }, request: 'approve' },
      permitted: [],
    }
  );
}

function mayTurnRound(situation: Situation, forward: NormalizedProcedure, top: string): boolean {
  const { rollback, effective, facts } = situation;
  return (
    rollback.version === undefined &&
    effective.hold === undefined &&
    !forward.withdrawn &&
    !isOlder(forward.version, top) &&
    situation.may(forward) &&
    facts.gates?.[forward.version] === undefined
  );
}
