// The write protocol of one object as a pure function: from its state to the one next step.
import { procedureOf, type NormalizedProcedure } from './catalog.ts';
import { decide } from './decide.ts';
import type { Decision, RunVerdict, TeardownVerdict } from './decision.ts';
import type { EffectiveRecord } from './effective-record.ts';
import type { Need, Reason, RequestName } from './inputs.ts';
import { isOpenRollback, isPlainRecord, mirrorOf, type VersionRecord } from './record.ts';
import { completedRecord, finalizedRecord, forgivenRecord, intentRecord, widenedRecord } from './record-writes.ts';
import { coversScope, uniteScopes } from './scope.ts';
import type { ActionsMode, HoldStep, MetadataStep, ProtocolState, RunActionsStep, Said, Step } from './step.ts';
import { isSame } from './version.ts';

/**
 * The next step for one object.
 *
 * The caller carries it out and asks again with what is then true. The order is what makes a crash after any write
 * harmless: the record widens before the first write to anything else, the finalizer and the mirror are acknowledged
 * next, and the record shrinks only after a verification that began when no late write could arrive any more.
 */
export function nextStep(state: ProtocolState): Step {
  const { catalog, cr, stamps, facts } = state;
  const decision = decide({
    catalog,
    uid: cr.uid,
    record: cr.record,
    mirror: cr.mirror,
    stamps,
    spec: cr.spec,
    requests: cr.requests,
    facts: { ...facts, deleting: cr.deleting },
  });
  const protocol = new Protocol(state, decision);
  if (cr.deleting) return decision.kind === 'Teardown' ? protocol.teardown(decision) : protocol.stopped();
  if (decision.kind !== 'Run') return protocol.stopped();
  return protocol.run(decision);
}

/** One evaluation: the state, the decision that follows from it, and the answers made of both. */
class Protocol {
  readonly #state: ProtocolState;
  readonly #decision: Decision;
  readonly #said: Said;

  constructor(state: ProtocolState, decision: Decision) {
    this.#state = state;
    this.#decision = decision;
    const { upgradeBlocked } = decision;
    const reason = decision.kind === 'Hold' || decision.kind === 'Blocked' ? decision.reason : upgradeBlocked;
    this.#said = {
      decision,
      ...(reason === undefined ? {} : { reason }),
      ...(upgradeBlocked === undefined ? {} : { upgradeBlocked }),
    };
  }

  /** Deletion: take down, wait for late writes to be dead, look again, let go. A late create must not outlive the object. */
  teardown({ how, version }: TeardownVerdict): Step {
    const { cr, facts, cycle } = this.#state;
    if (!cr.finalizer) return this.#hold('Gone');
    if (how === 'abandon') return this.#metadata({ finalizer: false });
    const isEmpty = cycle?.ownedLeft === 0;
    const down = { how, ...(version === undefined ? {} : { version }) };
    if (how !== 'nothing' && !isEmpty) return this.#actions('Teardown', down);
    if (!facts.settled) return this.#hold('Settling');
    if (!isEmpty || !cycle.verified) return this.#actions('Teardown', { ...down, verify: true });
    return this.#metadata({ finalizer: false });
  }

  /** Held or blocked. What a person asked to be forgotten may be what stands in the way. */
  stopped(): Step {
    const decision = this.#decision;
    if (decision.kind !== 'Hold' && decision.kind !== 'Blocked') return this.#hold('Gone');
    const { reason, need } = decision;
    const isWaitingForRetry = reason === 'Avoided' || reason === 'NothingInstallable';
    const retried = isWaitingForRetry && !this.#state.cr.deleting ? this.#retry() : undefined;
    return retried ?? this.#hold(reason, need);
  }

  run(run: RunVerdict & Pick<Decision, 'effective'>): Step {
    const { cr, facts, catalog } = this.#state;
    if (facts.notPersisted === true) return this.#hold('RecordNotPersisted');
    const retried = this.#retry();
    if (retried !== undefined) return retried;
    const { effective } = run;
    const procedure = procedureOf(catalog, run.version);
    if (effective === undefined || procedure === undefined) return this.#hold('RecordAmbiguous');
    // A request to go back beats an approval, also after it is gone.
    const isRequested = cr.requests.rollback !== undefined && cr.requests.approve !== undefined;
    if (isRequested && run.mode === 'Resume' && isGoingBack(effective)) return this.#metadata({ drop: ['approve'] });
    if (run.intent) return this.#intent(run, procedure, effective);
    const { record } = cr;
    if (record === undefined) return this.#hold('RecordAmbiguous');
    return this.#acknowledgement(record) ?? this.#widening(record, procedure) ?? this.#progress(run, record, procedure);
  }

  /** `retry`: one write of the record unless a rollback is open, then the annotation goes. */
  #retry(): Step | undefined {
    const { record, requests } = this.#state.cr;
    const { effective } = this.#decision;
    if (requests.retry === undefined || record === undefined || effective?.persisted !== true) return undefined;
    if (record.avoid.length > 0 && !isGoingBack(effective))
      return { step: 'intent', why: 'retry', record: forgivenRecord(record), ...this.#said };
    return this.#metadata({ drop: ['retry'] });
  }

  #intent(run: RunVerdict, procedure: NormalizedProcedure, effective: EffectiveRecord): Step {
    const { cr, facts, scope } = this.#state;
    const isUnrecorded = (cr.record?.applied ?? []).length === 0 && (cr.mirror?.applied ?? []).length === 0;
    // Somebody was here and nothing is recorded: late writes must be dead before the stamps are counted.
    if (isUnrecorded && cr.finalizer && !facts.settled) return this.#hold('Settling');
    // Left in place, an approval would turn the rollback round later.
    if (run.mode === 'Rollback' && cr.requests.approve !== undefined) return this.#metadata({ drop: ['approve'] });
    const record = intentRecord({ run, procedure, effective, record: cr.record, scope });
    return { step: 'intent', why: 'hop', mode: run.mode, record, ...this.#said };
  }

  /** Finalizer and mirror before any other write; requests that are used up go with the same patch. */
  #acknowledgement(record: VersionRecord): Step | undefined {
    const { cr, catalog } = this.#state;
    const isSmall = catalog.plain && cr.mirror === undefined && isPlainRecord(record);
    const isMirrored = isSmall || (cr.mirror?.epoch === record.epoch && cr.mirror.uid === cr.uid);
    if (cr.finalizer && isMirrored) return undefined;
    const { approve, adopt, rollback } = cr.requests;
    const { target, version } = record;
    const isNow = (request: string | undefined, reached: string | undefined): boolean =>
      request !== undefined && reached !== undefined && isSame(request, reached);
    const finished = target === undefined ? version : undefined;
    const drop: RequestName[] = [];
    if (isNow(approve, target) || isNow(approve, finished)) drop.push('approve');
    if (isNow(adopt, target)) drop.push('adopt');
    if (isNow(rollback, finished)) drop.push('rollback');
    return this.#metadata({ finalizer: true, ...(isSmall ? {} : { mirror: mirrorOf(record, cr.uid) }), drop });
  }

  /** Nothing is created where the record does not look for it. */
  #widening(record: VersionRecord, procedure: NormalizedProcedure): Step | undefined {
    const { cycle } = this.#state;
    const { widen } = cycle ?? {};
    if (cycle?.version !== procedure.version || widen === undefined || coversScope(record.scope, widen))
      return undefined;
    return { step: 'intent', why: 'scope', record: widenedRecord(record, widen), ...this.#said };
  }

  /** A complete version is kept; a hop goes on: apply, settle, verify, prune, finalize, complete. */
  #progress(run: RunVerdict, record: VersionRecord, procedure: NormalizedProcedure): Step {
    const { facts, scope } = this.#state;
    const { version } = procedure;
    const cycle = this.#state.cycle?.version === version ? this.#state.cycle : undefined;
    if (run.mode === 'Steady') {
      if (cycle?.clean !== true) return this.#actions('Steady', { version });
      const isPrunable = cycle.verified && cycle.extras > 0 && cycle.failed !== true;
      return isPrunable ? { step: 'prune', version, ...this.#said } : { step: 'report', ...this.#said };
    }
    const entry = record.applied.find((known) => isSame(known.version, version));
    if (entry === undefined) return this.#hold('RecordAmbiguous');
    if (cycle?.clean !== true || cycle.failed === true) return this.#actions('Hop', { version });
    // The verification must begin after this moment, or it proves nothing.
    if (record.applied.length > 1 && !facts.settled) return this.#hold('Settling');
    if (!cycle.verified) return this.#actions('Verify', { version });
    if (cycle.extras > 0) return { step: 'prune', version, ...this.#said };
    if (record.hold !== undefined) return this.#hold('HeldByAction');
    if (procedure.finalizes) {
      if (entry.finalized !== true)
        return facts.soaking === true
          ? this.#hold('Soaking')
          : { step: 'finalize', record: finalizedRecord(record, version), ...this.#said };
      if (cycle.finalizePending === true) return this.#actions('Finalize', { version });
    }
    const left = uniteScopes(scope, cycle.used);
    return { step: 'complete', record: completedRecord(record, entry, version, left), ...this.#said };
  }

  #hold(reason: Reason, need?: Need): HoldStep {
    return { step: 'hold', ...this.#said, reason, ...(need === undefined ? {} : { need }) };
  }

  #metadata(parts: Partial<Pick<MetadataStep, 'finalizer' | 'mirror' | 'drop'>>): MetadataStep {
    return { step: 'metadata', ...this.#said, drop: [], ...parts };
  }

  #actions(mode: ActionsMode, parts: Partial<Pick<RunActionsStep, 'version' | 'how' | 'verify'>>): RunActionsStep {
    return { step: 'runActions', mode, ...parts, ...this.#said };
  }
}

/** A hop to something older than what is applied is open, whoever wrote it. */
function isGoingBack({ applied, target }: EffectiveRecord): boolean {
  return target !== undefined && isOpenRollback({ applied, target });
}
