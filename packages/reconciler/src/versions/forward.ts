// Going forward along a planned path, and what is left to do when there is none.
import type { NormalizedProcedure } from './catalog.ts';
import type { Limits } from './ceiling.ts';
import type { BlockedVerdict, HoldVerdict, RunVerdict } from './decision.ts';
import { resume, steady } from './going-on.ts';
import type { GateReason } from './inputs.ts';
import { planPath } from './path.ts';
import type { AvoidedVersion } from './record.ts';
import type { Situation } from './situation.ts';
import { highest, isNewer, isOlder, isSame, UNKNOWN_VERSION } from './version.ts';

/** The next hop of the best path; undefined if there is no way forward. */
export function forward(situation: Situation, limits: Limits): RunVerdict | HoldVerdict | undefined {
  const planned = planPath(situation.catalog.procedures, {
    isFirst: (procedure) => isFirstHop(situation, limits, procedure),
    isNext: (procedure) => limits.isAllowed(procedure),
  });
  const goal = planned?.at(-1);
  if (planned === undefined || goal === undefined) return undefined;
  const { current, target } = situation;
  const path = current !== undefined && isSame(planned[0] ?? '', current) ? planned.slice(1) : planned;
  noteWhatIsMissed(situation, limits, goal);
  const [next] = path;
  const isUnverified = situation.effective.reconstructed && situation.procedure(current) !== undefined;
  if (next === undefined || isUnverified) return steady(situation);
  if (target !== undefined && isSame(target, next)) return resume(situation, path);
  return newHop(situation, path, next);
}

/** A hop begins from everything that is applied, and never below it. Somebody's critical section lets only the target in. */
function isFirstHop(situation: Situation, limits: Limits, procedure: NormalizedProcedure): boolean {
  const { top = UNKNOWN_VERSION, target, effective } = situation;
  const { version } = procedure;
  const isNode = limits.isAllowed(procedure) || (situation.isApplied(version) && !situation.isAvoided(procedure));
  const isFree = effective.hold === undefined || target === undefined || isSame(version, target);
  return isNode && isFree && !isOlder(version, top) && situation.may(procedure);
}

/** Why the newest version is not the goal. */
function noteWhatIsMissed(situation: Situation, limits: Limits, goal: string): void {
  const { notes, settings, rollback, facts, top = UNKNOWN_VERSION } = situation;
  const { newest, newestEligible, ceiling } = limits;
  const isPinned = settings.version !== undefined && !limits.isPinUnknown;
  if (
    isPinned &&
    ceiling !== undefined &&
    isOlder(ceiling, top) &&
    rollback.version === undefined &&
    facts.parent === undefined
  )
    notes.add('RollbackNotRequested');
  if (newestEligible !== undefined && isNewer(newestEligible, goal)) notes.add('NoPathToNewest');
  else if (newest !== undefined && isNewer(newest, goal))
    notes.add(limits.isPinUnknown ? 'PinnedVersionUnknown' : limits.isParentCeiling ? 'ParentSkew' : 'HeldBack');
}

/** Starts the next hop, unless a gate is closed: then what is open or complete goes on meanwhile. */
function newHop(situation: Situation, path: readonly string[], version: string): RunVerdict | HoldVerdict | undefined {
  const { target, applied, notes } = situation;
  // A reconstructed record without a target: what the stamps show is continued, and nobody is asked again.
  const isContinued = target === undefined && situation.isApplied(version);
  const gate = isContinued ? undefined : closedGate(situation, version);
  if (gate !== undefined) {
    notes.add(gate);
    notes.available = path;
    const need = gate === 'ApprovalRequired' ? { need: { request: 'approve' as const, version } } : {};
    return resume(situation) ?? steady(situation) ?? { kind: 'Hold', reason: gate, ...need };
  }
  const isPartial = applied.some(({ state }) => state === 'Partial');
  const mode = isContinued ? 'Resume' : isPartial ? 'Supersede' : 'Upgrade';
  return { kind: 'Run', mode, version, path, intent: true, avoid: without(situation.avoid, version) };
}

function closedGate({ facts, settings, approve }: Situation, version: string): GateReason | undefined {
  const gate = facts.gates?.[version];
  if (gate !== undefined) return gate;
  const isApproved = approve.version !== undefined && isSame(version, approve.version);
  return settings.policy === 'Manual' && !isApproved ? 'ApprovalRequired' : undefined;
}

/** No path leads on: an open hop, an accepted risk, the complete version, or a reason with what would help. */
export function withoutPath(situation: Situation, limits: Limits): RunVerdict | BlockedVerdict {
  const { target, notes, adopt } = situation;
  const open = target === undefined ? undefined : resume(situation);
  if (open !== undefined) return open;
  if (limits.isPinUnknown) notes.add('PinnedVersionUnknown');
  if (adopt.version !== undefined) {
    const adopted = adoption(situation, adopt.version);
    if (adopted !== undefined) return adopted;
    notes.replace('AdoptRefused');
  }
  return steady(situation) ?? stranded(situation);
}

/** A person accepts what no author declared. Never backwards, never behind what was finalized. */
function adoption(situation: Situation, wanted: string): RunVerdict | undefined {
  const { applied, floor, effective } = situation;
  const procedure = situation.procedure(wanted);
  if (procedure === undefined || procedure.withdrawn || effective.hold !== undefined) return undefined;
  const { version } = procedure;
  if (applied.some((entry) => isNewer(entry.version, version))) return undefined;
  if (floor !== undefined && isOlder(version, floor)) return undefined;
  return {
    kind: 'Run',
    mode: 'Supersede',
    version,
    path: [version],
    intent: true,
    accepted: applied.map((entry) => entry.version).filter((other) => !isSame(other, version)),
    avoid: without(situation.avoid, version),
  };
}

function stranded(situation: Situation): BlockedVerdict {
  const { catalog, applied, top = UNKNOWN_VERSION } = situation;
  const newest = highest(catalog.procedures.map(({ version }) => version));
  if (newest !== undefined && isOlder(newest, top)) {
    const permitted = catalog.procedures.filter((procedure) => situation.may(procedure)).map(({ version }) => version);
    const reason = permitted.length > 0 ? 'RollbackNotRequested' : 'DowngradeRefused';
    const request = permitted.length > 0 ? { request: 'rollback' as const } : {};
    return { kind: 'Blocked', reason, need: { operator: { version: top }, ...request }, permitted };
  }
  const isHeld = catalog.procedures.some(
    (procedure) =>
      situation.isAvoided(procedure) &&
      !procedure.withdrawn &&
      !isOlder(procedure.version, top) &&
      situation.may(procedure),
  );
  if (isHeld) return { kind: 'Blocked', reason: 'Avoided', need: { request: 'retry' }, permitted: [] };
  const half = applied.find(({ state }) => state === 'Partial')?.version;
  return {
    kind: 'Blocked',
    reason: half === undefined ? 'Stranded' : 'StrandedMidUpgrade',
    need: { operator: { version: half ?? top }, request: 'adopt' },
    permitted: [],
  };
}

function without(avoid: readonly AvoidedVersion[], version: string): readonly AvoidedVersion[] {
  return avoid.filter((avoided) => !isSame(avoided.version, version));
}
