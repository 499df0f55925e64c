// What a decision is made from, and the words that it uses. No rules here.
import type { VersionCatalog } from './catalog.ts';
import type { RecordMirror, VersionRecord } from './record.ts';

/** Requests of people: annotations that the operator removes when they are used up. */
export type RequestName = 'rollback' | 'approve' | 'retry' | 'adopt' | 'force-delete' | 'approve-prune';
export const REQUEST_NAMES = [
  'rollback',
  'approve',
  'retry',
  'adopt',
  'force-delete',
  'approve-prune',
] as const satisfies readonly RequestName[];
export type Requests = Readonly<Partial<Record<RequestName, string>>>;

/** `spec.procedure`: what belongs in git. */
export interface ProcedureSettings {
  /** A pin: a version or a range that is a ceiling for new hops. */
  readonly version?: string;
  /** `Manual`: each new hop forward needs an `approve`. Default `Automatic`. */
  readonly policy?: 'Automatic' | 'Manual';
  /** No child write while true. */
  readonly paused?: boolean;
}

/** Why a gate in front of a new hop is closed. */
export type GateReason =
  | 'ApprovalRequired'
  | 'PreconditionNotMet'
  | 'NotSettled'
  | 'PreflightFailed'
  | 'ImmutableFieldChange'
  | 'ParentSkew'
  | 'WaitingForSlot'
  | 'FleetHalted';

/** Why an object, or its next hop, stands still. */
export type Reason =
  | GateReason
  | 'ManagedElsewhere'
  | 'RecordTooNew'
  | 'RecordAmbiguous'
  | 'RecordNotPersisted'
  | 'RestoreDetected'
  | 'Paused'
  | 'PinnedVersionUnknown'
  | 'NothingInstallable'
  | 'HeldBack'
  | 'HeldByAction'
  | 'Avoided'
  | 'AdoptRefused'
  | 'NoPathToNewest'
  | 'DowngradeRefused'
  | 'RollbackNotRequested'
  | 'RollbackNotPermitted'
  | 'RollbackUnfinished'
  | 'RequestNotUnderstood'
  | 'Stranded'
  | 'StrandedMidUpgrade'
  | 'DeletionBlocked'
  | 'Settling'
  | 'Soaking'
  | 'Gone';

/** What would let a stopped object go on; texts for people are made from it. */
export interface Need {
  /** An operator whose catalog contains this version; without a version: any newer operator. */
  readonly operator?: { readonly version?: string };
  /** Or this request on the object, naming this version where one can be named. */
  readonly request?: RequestName;
  readonly version?: string;
  /** Or another pin. */
  readonly pin?: true;
  /** Or that whoever holds this Lease lets go of the object. */
  readonly lease?: string;
}

/** Where the object that this one belongs to stands. */
export interface ParentState {
  readonly version?: string | undefined;
  readonly target?: string | undefined;
  /** The parent's action that releases its children is True under its target. */
  readonly released?: boolean | undefined;
}

/** What is known beside the object itself. */
export interface DecisionFacts {
  readonly deleting?: boolean | undefined;
  /** The record names this Lease, which another installation holds and renews: the object is not ours. */
  readonly managedElsewhere?: string | undefined;
  /** Closed gates by the version that they keep out. */
  readonly gates?: Readonly<Record<string, GateReason>> | undefined;
  /** The procedures own objects that hold data, such as volume claims. */
  readonly ownsData?: boolean | undefined;
  readonly parent?: ParentState | undefined;
  /** Prereleases may become targets without being named. */
  readonly prerelease?: boolean | undefined;
}

/** One object, as the decision sees it. */
export interface DecisionInput {
  readonly catalog: VersionCatalog;
  readonly uid: string;
  readonly record?: VersionRecord | undefined;
  readonly mirror?: RecordMirror | undefined;
  /** Versions found on owned objects by live reads; `unknown` for owned objects without a stamp. */
  readonly stamps?: readonly string[] | undefined;
  readonly spec?: ProcedureSettings | undefined;
  readonly requests?: Requests | undefined;
  readonly facts?: DecisionFacts | undefined;
}

/** Reads `spec.procedure`; what has the wrong type is left out. Never throws. */
export function parseSettings(value: unknown): ProcedureSettings {
  if (typeof value !== 'object' || value === null) return {};
  const { version, policy, paused } = value as Readonly<Record<string, unknown>>;
  return {
    ...(typeof version === 'string' ? { version } : {}),
    ...(policy === 'Manual' || policy === 'Automatic' ? { policy } : {}),
    ...(paused === true ? { paused } : {}),
  };
}
