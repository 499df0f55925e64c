// The facts of one decision, worked out once: what is recorded, what is asked for, what each procedure may do.
import { procedureOf, type NormalizedProcedure, type VersionCatalog } from './catalog.ts';
import type { Candidate } from './decision.ts';
import { effectiveRecord, type EffectiveRecord } from './effective-record.ts';
import type { DecisionFacts, DecisionInput, ProcedureSettings, Reason, Requests } from './inputs.ts';
import { refusals } from './permission.ts';
import { isOpenRollback, isPlainRecord, type AvoidedVersion, type RecordEntry } from './record.ts';
import { highest, isSame, isVersion } from './version.ts';

/** What a request says: a version, something that is none, or nothing. */
export interface Asked {
  readonly version: string | undefined;
  readonly isUnreadable: boolean;
}

export interface Situation {
  readonly catalog: VersionCatalog;
  readonly effective: EffectiveRecord;
  readonly applied: readonly RecordEntry[];
  readonly target: string | undefined;
  readonly floor: string | undefined;
  /** The newest applied version. */
  readonly top: string | undefined;
  /** The single complete version of a record without an open hop. */
  readonly current: string | undefined;
  /** Every entry was written by catalogs that say nothing about versions. */
  readonly isPlain: boolean;
  /** A hop back is open. Only another request turns it round. */
  readonly isRollbackOpen: boolean;
  readonly avoid: readonly AvoidedVersion[];
  readonly rollback: Asked;
  readonly approve: Asked;
  readonly adopt: Asked;
  readonly requests: Requests;
  readonly settings: ProcedureSettings;
  readonly facts: DecisionFacts;
  readonly candidates: readonly Candidate[];
  readonly notes: Notes;
  /** Whether a procedure may act on everything that is recorded. */
  readonly may: (procedure: NormalizedProcedure) => boolean;
  readonly reasons: (procedure: NormalizedProcedure) => readonly string[];
  readonly isAvoided: (procedure: NormalizedProcedure) => boolean;
  readonly isApplied: (version: string) => boolean;
  readonly procedure: (version: string | undefined) => NormalizedProcedure | undefined;
}

/** Why a newer version is not being reached: the first reason found stands, unless a refused request replaces it. */
export class Notes {
  #reason: Reason | undefined;
  /** The hops that would follow if a gate were open. */
  available: readonly string[] | undefined;

  add = (reason: Reason): void => {
    this.#reason ??= reason;
  };

  replace = (reason: Reason): void => {
    this.#reason = reason;
  };

  get reason(): Reason | undefined {
    return this.#reason;
  }
}

/** Works out the situation of one object. Total: junk in any input is a fact like others. */
export function situationOf(input: DecisionInput): Situation {
  const { catalog, requests = {}, spec: settings = {}, facts = {} } = input;
  const effective = effectiveRecord(input, catalog.plain);
  const { applied, target, floor } = effective;
  const isPlain = isPlainRecord(effective);
  const isRollbackOpen = isOpenRollback({ applied, ...(target === undefined ? {} : { target }) }) && !isPlain;
  // A record that status does not hold yet is written without what `retry` clears.
  const isCleared = requests.retry !== undefined && !effective.persisted && !isRollbackOpen;
  const avoid = isCleared ? [] : effective.avoid;
  const [rollback, approve, adopt] = [asked(requests.rollback), asked(requests.approve), asked(requests.adopt)];
  const notes = new Notes();
  if ([rollback, approve, adopt].some(({ isUnreadable }) => isUnreadable)) notes.add('RequestNotUnderstood');
  const judged = new Map(
    catalog.procedures.map((procedure) => [procedure, refusals(procedure, applied, floor)] as const),
  );
  const reasons = (procedure: NormalizedProcedure): readonly string[] => judged.get(procedure) ?? [];
  return {
    catalog,
    effective,
    applied,
    target,
    floor,
    top: highest(applied.map(({ version }) => version)),
    current: currentOf(effective),
    isPlain,
    isRollbackOpen,
    avoid,
    rollback,
    approve,
    adopt,
    requests,
    settings,
    facts,
    candidates: catalog.procedures.map((procedure) => ({ version: procedure.version, reasons: reasons(procedure) })),
    notes,
    reasons,
    may: (procedure) => reasons(procedure).length === 0,
    isAvoided: ({ version, digest }) =>
      avoid.some((avoided) => avoided.digest === digest && isSame(avoided.version, version)),
    isApplied: (version) => applied.some((entry) => isSame(entry.version, version)),
    procedure: (version) => procedureOf(catalog, version),
  };
}

function asked(request: string | undefined): Asked {
  if (request === undefined) return { version: undefined, isUnreadable: false };
  return isVersion(request) ? { version: request, isUnreadable: false } : { version: undefined, isUnreadable: true };
}

function currentOf({ applied, target }: EffectiveRecord): string | undefined {
  const [only] = applied;
  return target === undefined && applied.length === 1 && only?.state === 'Complete' ? only.version : undefined;
}
