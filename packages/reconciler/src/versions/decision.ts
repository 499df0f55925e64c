// What a decision can say.
import type { EffectiveRecord } from './effective-record.ts';
import type { Need, Reason } from './inputs.ts';
import type { AvoidedVersion } from './record.ts';

/**
 * Why a procedure runs. `Install`: nothing is there yet. `Resume`: an open hop goes on. `Upgrade`: a new hop from a
 * complete version. `Supersede`: a new hop from a state that is partly applied. `Rollback`: back to an older version.
 * `Steady`: the recorded version keeps its state.
 */
export type RunMode = 'Install' | 'Resume' | 'Upgrade' | 'Supersede' | 'Rollback' | 'Steady';

/** A procedure acts. */
export interface RunVerdict {
  readonly kind: 'Run';
  readonly mode: RunMode;
  readonly version: string;
  /** The hops planned from here; the first is this one unless the mode is `Steady`. */
  readonly path: readonly string[];
  /** The record must say so before anything is written. */
  readonly intent: boolean;
  /** What the intent's record must exclude from becoming a target. */
  readonly avoid: readonly AvoidedVersion[];
  /** Versions that a person accepts responsibility for; recorded in the entry. */
  readonly accepted?: readonly string[];
}

/** Nothing acts for now, as somebody wished or something is awaited. */
export interface HoldVerdict {
  readonly kind: 'Hold';
  readonly reason: Reason;
  readonly need?: Need;
}

/** No procedure may act. */
export interface BlockedVerdict {
  readonly kind: 'Blocked';
  readonly reason: Reason;
  readonly need: Need;
  /** Versions of this catalog that the record permits; empty where that is not what is missing. */
  readonly permitted: readonly string[];
}

/** The object is being deleted. */
export interface TeardownVerdict {
  readonly kind: 'Teardown';
  /**
   * `procedure`: the version's teardown graph, then its inventory. `inventory`: whatever carries the owner label.
   * `nothing`: nothing was ever written. `abandon`: a person lets everything stay behind.
   */
  readonly how: 'procedure' | 'inventory' | 'nothing' | 'abandon';
  readonly version?: string;
}

export type Verdict = RunVerdict | HoldVerdict | BlockedVerdict | TeardownVerdict;

/** Why one procedure of the catalog may not act on the object, in words. No reasons: it may. */
export interface Candidate {
  readonly version: string;
  readonly reasons: readonly string[];
}

/** What accompanies every decision. */
export interface Explained {
  /** Why a newer version is not being reached, or a request is refused, next to whatever runs. */
  readonly upgradeBlocked?: Reason;
  /** The hops that would follow if no gate were closed. */
  readonly available?: readonly string[];
  /** Absent only if the record is too new to be read. */
  readonly effective?: EffectiveRecord;
  /** All procedures of the catalog, oldest first. */
  readonly candidates: readonly Candidate[];
}

/** The answer for one object: exactly one of four kinds. */
export type Decision = Verdict & Explained;
