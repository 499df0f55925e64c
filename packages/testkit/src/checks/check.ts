// A check: a pure function over what happened in a run and what is there at its end. It names objects and says what is
// wrong, for a person.
import type { KubernetesObject } from '@pawl/reconciler/kubernetes';
import type { Expectation } from '../explore/expectation.ts';
import type { Plan } from '../explore/plan.ts';
import type { Mask, State } from '../explore/state.ts';
import type { Subject } from '../explore/subject.ts';
import type { ActionName } from '../world/action-name.ts';
import type { HistoryEvent } from '../world/history.ts';
import type { UnhandledError } from '../world/unhandled.ts';

/** The checks, as reports name them. */
export type CheckName =
  | 'ends like a fresh install'
  | 'comes to rest'
  | 'stays quiet'
  | 'writes nothing when refused'
  | 'keeps the record consistent'
  | 'never goes back a version'
  | 'leaves no orphans'
  | 'deletes only what it may'
  | 'writes only its own objects'
  | 'does not churn'
  | 'lets one process write at a time'
  | 'behaves well under errors'
  | 'creates nothing twice'
  | 'is deterministic'
  | 'touches nothing outside'
  | 'fits the version before'
  | 'keeps the invariants'
  | 'differs from the simulation'
  | 'loses no error'
  | 'has an answer from every Action'
  | 'shows nothing older than before'
  | 'waits as it is asked to'
  | 'says why it does not go on'
  | 'leaves what others added'
  | 'ends cleanly';

export interface Violation {
  readonly check: CheckName;
  readonly says: string;
  /** `Kind namespace/name`. */
  readonly object?: string;
  /** Where in the history it shows. */
  readonly at?: number;
}

/** A property that the author states. */
export interface Invariant {
  /** In words, as a report would say it. */
  readonly name: string;
  /** When it is asked: after every write, or in the end. Default: `always`. */
  readonly when?: 'always' | 'in the end';
  /** Faults in words; none if it holds. `object` is one reconciled object, `owned` all other objects of the kinds touched. */
  readonly faults: (state: InvariantState) => readonly string[];
}

export interface InvariantState {
  readonly objects: readonly KubernetesObject[];
  /** The state of external systems, by key. */
  readonly externals: Readonly<Record<string, unknown>>;
}

/** What a run was. */
export interface Outcome {
  readonly subject: Subject;
  readonly plan: Plan;
  readonly expectation: Expectation;
  readonly history: readonly HistoryEvent[];
  /** Where in the history the last process starts. */
  readonly lastStart: number;
  /** Where in the history the operator had come to rest and was only watched. */
  readonly restAt: number;
  /** Whether it came to rest in time, and what was seen if not. */
  readonly isAtRest: boolean;
  /** How long it was waited for, in words. Default: hours of virtual time. */
  readonly waited?: string;
  readonly standing: readonly string[];
  readonly final: State;
  /** What a fresh install leads to; undefined for an expectation without one. */
  readonly fresh: State | undefined;
  readonly masks: readonly Mask[];
  readonly invariantFaults: readonly { readonly invariant: string; readonly says: string; readonly at: number }[];
  readonly escapes: readonly string[];
  /** Errors that nobody waited for. */
  readonly unhandled: readonly UnhandledError[];
  /** Actions of living processes that had not answered in the end, and for how long. */
  readonly unanswered: readonly (ActionName & { readonly forMs: number })[];
  /** How often an undisturbed run creates and deletes each object; undefined: unknown. */
  readonly usual: ReadonlyMap<string, number> | undefined;
}

export type Check = (outcome: Outcome) => readonly Violation[];
