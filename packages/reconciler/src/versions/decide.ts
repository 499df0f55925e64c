// The decision which procedure may act on an object. Pure and total: equal inputs give equal answers, and no data throws.
import { openRollback, plainStepBack, requestedRollback } from './backward.ts';
import { limitsOf, type Limits } from './ceiling.ts';
import type { BlockedVerdict, Decision, TeardownVerdict, Verdict } from './decision.ts';
import { forward, withoutPath } from './forward.ts';
import type { DecisionInput } from './inputs.ts';
import { RECORD_FORMAT } from './record.ts';
import { situationOf, type Situation } from './situation.ts';
import { highest, isVersion, UNKNOWN_VERSION } from './version.ts';

/**
 * Decides what happens to one object.
 *
 * A procedure acts only if it is allowed to act on every version that may have left traces; it goes back only with a
 * permission in the record and a request on the object; what was begun is finished before anything new. What the answer
 * says next to it (`upgradeBlocked`, `candidates`) is for people.
 */
export function decide(input: DecisionInput): Decision {
  if (isTooNew(input))
    return { kind: 'Blocked', reason: 'RecordTooNew', need: { operator: {} }, permitted: [], candidates: [] };
  const situation = situationOf(input);
  const verdict = verdictOf(situation);
  const { effective, candidates, notes } = situation;
  const { reason, available } = notes;
  return {
    ...verdict,
    ...(reason === undefined ? {} : { upgradeBlocked: reason }),
    ...(available === undefined ? {} : { available }),
    effective,
    candidates,
  };
}

/** A record that newer code wrote for newer readers only. The mirror counts where status holds nothing. */
function isTooNew({ record, mirror }: DecisionInput): boolean {
  return ((record ?? mirror)?.minReader ?? 1) > RECORD_FORMAT;
}

function verdictOf(situation: Situation): Verdict {
  const { applied, facts, settings, effective, adopt } = situation;
  // Whatever else is to be said about the object, it is for another installation to say.
  if (facts.managedElsewhere !== undefined)
    return { kind: 'Hold', reason: 'ManagedElsewhere', need: { lease: facts.managedElsewhere } };
  if (applied.some(({ version }) => version !== UNKNOWN_VERSION && !isVersion(version)))
    return { kind: 'Blocked', reason: 'RecordAmbiguous', need: {}, permitted: [] };
  if (facts.deleting === true) return teardown(situation);
  if (settings.paused === true) return { kind: 'Hold', reason: 'Paused' };
  if (effective.restored && facts.ownsData === true && adopt.version === undefined)
    return { kind: 'Hold', reason: 'RestoreDetected', need: { request: 'adopt' } };
  const limits = limitsOf(situation);
  if (limits === undefined) return { kind: 'Hold', reason: 'ParentSkew' };
  if (applied.length === 0) return install(situation, limits);
  return (
    plainStepBack(situation) ??
    requestedRollback(situation) ??
    openRollback(situation) ??
    forward(situation, limits) ??
    withoutPath(situation, limits)
  );
}

/** The newest procedure that may act takes the object down; without one, whatever allows to be found by its label. */
function teardown(situation: Situation): TeardownVerdict | BlockedVerdict {
  const { applied, catalog, requests, top } = situation;
  if (applied.length === 0) return { kind: 'Teardown', how: 'nothing' };
  const procedure = catalog.procedures.findLast((known) => situation.may(known));
  if (procedure !== undefined) return { kind: 'Teardown', how: 'procedure', version: procedure.version };
  const force = requests['force-delete'];
  if (force === 'inventory' || applied.every((entry) => entry.teardown === 'Inventory'))
    return { kind: 'Teardown', how: 'inventory' };
  if (force === 'abandon') return { kind: 'Teardown', how: 'abandon' };
  const operator = top === undefined ? {} : { version: top };
  return { kind: 'Blocked', reason: 'DeletionBlocked', need: { operator, request: 'force-delete' }, permitted: [] };
}

/** A fresh object gets the newest version at once, never through older ones. */
function install(situation: Situation, limits: Limits): Verdict {
  const { catalog, facts, avoid } = situation;
  const fresh = catalog.procedures.filter((procedure) => procedure.install && limits.isEligible(procedure));
  const version = highest(fresh.map((procedure) => procedure.version));
  if (version === undefined)
    return limits.isPinUnknown
      ? { kind: 'Blocked', reason: 'PinnedVersionUnknown', need: { pin: true }, permitted: [] }
      : { kind: 'Blocked', reason: 'NothingInstallable', need: { operator: {}, request: 'retry' }, permitted: [] };
  const gate = facts.gates?.[version];
  if (gate !== undefined) return { kind: 'Hold', reason: gate };
  return { kind: 'Run', mode: 'Install', version, path: [version], intent: true, avoid };
}
