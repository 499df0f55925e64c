// The steps of the write protocol. The controller, the model and the tests interpret the same ones.
import type { Decision, RunMode } from './decision.ts';
import type { DecisionFacts, Need, ProcedureSettings, Reason, RequestName, Requests } from './inputs.ts';
import type { RecordMirror, ScopeEntry, VersionRecord } from './record.ts';
import type { VersionCatalog } from './catalog.ts';

/** What accompanies every step. */
export interface Said {
  readonly decision: Decision;
  /** Why nothing happens, or why a newer version is not being reached. */
  readonly reason?: Reason;
  readonly upgradeBlocked?: Reason;
}

/** A write of the record that must be acknowledged and echoed back before anything else is written. */
export interface IntentStep extends Said {
  readonly step: 'intent';
  /** `hop`: a version is about to act. `retry`: what a rollback left is forgotten. `scope`: a new kind or namespace. */
  readonly why: 'hop' | 'retry' | 'scope';
  readonly mode?: RunMode;
  readonly record: VersionRecord;
}

/** One metadata patch: finalizer, mirror, and the removal of requests that are used up. */
export interface MetadataStep extends Said {
  readonly step: 'metadata';
  /** True: must be there. False: is removed. Absent: untouched. */
  readonly finalizer?: boolean;
  readonly mirror?: RecordMirror;
  readonly drop: readonly RequestName[];
}

export type ActionsMode = 'Steady' | 'Hop' | 'Verify' | 'Finalize' | 'Teardown';

/** One cycle of a procedure, or of a teardown without one. */
export interface RunActionsStep extends Said {
  readonly step: 'runActions';
  readonly mode: ActionsMode;
  /** Absent only for a teardown by inventory. */
  readonly version?: string;
  /** For `Teardown`. */
  readonly how?: 'procedure' | 'inventory' | 'nothing' | 'abandon';
  /** For `Teardown`: a list that begins now must find nothing. */
  readonly verify?: boolean;
}

/** Deletes what the procedure no longer wants. */
export interface PruneStep extends Said {
  readonly step: 'prune';
  readonly version: string;
}

/** The write that records the point of no return, before anything irreversible. */
export interface FinalizeStep extends Said {
  readonly step: 'finalize';
  readonly record: VersionRecord;
}

/** The write that ends a hop: one version, complete. */
export interface CompleteStep extends Said {
  readonly step: 'complete';
  readonly record: VersionRecord;
}

/** Nothing to do but to report. */
export interface ReportStep extends Said {
  readonly step: 'report';
}

/** Nothing may be written; the reason goes into the report. */
export interface HoldStep extends Said {
  readonly step: 'hold';
  readonly reason: Reason;
  readonly need?: Need;
}

export type Step =
  IntentStep | MetadataStep | RunActionsStep | PruneStep | FinalizeStep | CompleteStep | ReportStep | HoldStep;

/** The object, from a live read. */
export interface ObjectState {
  readonly uid: string;
  readonly deleting: boolean;
  readonly spec: ProcedureSettings;
  readonly requests: Requests;
  /** Our finalizer is there. */
  readonly finalizer: boolean;
  readonly mirror?: RecordMirror | undefined;
  readonly record?: VersionRecord | undefined;
}

/** What is known beside the object, for the protocol. */
export interface ProtocolFacts extends DecisionFacts {
  /** No write of a deposed leader can still arrive. */
  readonly settled: boolean;
  /** The API server does not keep the record as it was written. */
  readonly notPersisted?: boolean | undefined;
  /** The time before the point of no return is not over, or nobody has approved it yet. */
  readonly soaking?: boolean | undefined;
}

/** What this process's last cycle under exactly this object found; absent when the object has changed since. */
export interface CycleReport {
  readonly version: string;
  /** Every action is True and nothing was written. */
  readonly clean: boolean;
  /** It read live, and began after the settle moment. */
  readonly verified: boolean;
  /** Owned objects that nothing wants any more. */
  readonly extras: number;
  /** An action could not be told or was skipped for a fault: nothing is pruned. */
  readonly failed?: boolean;
  /** Actions past the point of no return are not True yet. */
  readonly finalizePending?: boolean;
  /** Teardown: owned objects that are still there. */
  readonly ownedLeft?: number;
  /** Kinds and namespaces in which an action wants to create something and that the record does not cover yet. */
  readonly widen?: readonly ScopeEntry[];
  /** Kinds and namespaces in which owned objects are. */
  readonly used?: readonly ScopeEntry[];
}

/** Everything that the next step of one object depends on. */
export interface ProtocolState {
  readonly catalog: VersionCatalog;
  readonly cr: ObjectState;
  /** Versions on owned objects, from live reads. */
  readonly stamps: readonly string[];
  readonly facts: ProtocolFacts;
  /** Kinds and namespaces that the catalog's procedures declare for this object. */
  readonly scope: readonly ScopeEntry[];
  readonly cycle?: CycleReport | undefined;
}
