// One pass over one object: what is known of it so far. It lives from one call of the queue to the end of that call.
import type { CycleReport, GateReason, ParentState, ProtocolState } from '@pawl/reconciler';
import { isSoaking, procedureOf, UNKNOWN_VERSION } from '@pawl/reconciler';
import { ANNOTATIONS, type KubernetesObject, type PrunePlan, type RefusedChange } from '@pawl/reconciler/kubernetes';
import { objectState } from './custom-object.ts';
import { wantedScope, type KindSetup } from './kind-setup.ts';
import { Spellings } from '../cluster/spellings.ts';
import { Repairs } from './repairs.ts';
import type { RunOutcome } from './run-outcome.ts';

/** The gate that a plan closes, and the first change that the server would refuse; neither if it refuses none. */
export interface Refusal {
  readonly gate?: GateReason;
  readonly refused?: RefusedChange;
}

/** What stays true for an object from one pass to the next, as long as the process lives. */
export interface ObjectMemory {
  /** When all Actions of this record were first found True, in milliseconds: the soak begins there. */
  cleanSince: { readonly epoch: number; readonly at: number } | undefined;
  /** Why the version was refused by a preflight, and until when that answer is kept. */
  preflight: (Refusal & { readonly key: string; readonly until: number }) | undefined;
  /** When the set of Actions that are True changed last, in milliseconds. */
  progress: { readonly key: string; readonly at: number } | undefined;
  /** Cycles in a row that wrote and were satisfied: something undoes what they write. */
  restless: number;
  /** What had to be applied again because somebody else had undone it; absent: nobody counts. */
  readonly repairs?: Repairs;
  /** What the server made of claims. */
  readonly spellings?: Spellings;
  /** Results of cached checks, for one generation. */
  memo: { readonly generation: number | undefined; readonly results: Map<string, unknown> } | undefined;
}

/** What is known of an object that was never seen. @param now the wall clock */
export const freshMemory = (now: () => number): ObjectMemory => ({
  cleanSince: undefined,
  preflight: undefined,
  memo: undefined,
  progress: undefined,
  restless: 0,
  repairs: new Repairs(now),
  spellings: new Spellings(),
});

export interface PassFacts {
  readonly settled: boolean;
  readonly notPersisted: boolean;
  readonly parent?: ParentState | undefined;
  /** What objects do that say nothing about it themselves. */
  readonly policy?: 'Automatic' | 'Manual';
  readonly now: number;
}

export class Pass {
  readonly #setup: KindSetup;
  readonly memory: ObjectMemory;
  /** The newest acknowledged copy. */
  object: KubernetesObject;
  /** The owned objects as a live list found them; undefined before one was made in this pass. */
  live: readonly KubernetesObject[] | undefined;
  cycle: CycleReport | undefined;
  /** Which owned objects the last cycle did not want. */
  leftovers: PrunePlan = { prune: [], keep: [] };
  run: RunOutcome | undefined;
  /** The version and the graph of it that made `run`. */
  ranVersion: string | undefined;
  ranGraph: 'actions' | 'teardown' = 'actions';
  /** The Lease of the installation that drives the object, if that is another one. */
  managedElsewhere: string | undefined;
  /** Finalize actions were all True, with nothing written, in this pass. */
  finalizeDone = false;
  /** The last clean cycle of this pass read live: its generation counts as verified. */
  verified = false;
  readonly gates: Record<string, GateReason> = {};

  constructor(setup: KindSetup, object: KubernetesObject, memory: ObjectMemory) {
    this.#setup = setup;
    this.object = object;
    this.memory = memory;
  }

  /** The state that the next step is worked out from. */
  state = ({ settled, notPersisted, now, parent, policy = 'Automatic' }: PassFacts): ProtocolState => {
    const read = objectState(this.object);
    const cr = { ...read, spec: { policy, ...read.spec } };
    const { record } = cr;
    const target = procedureOf(this.#setup.versions, record?.target);
    const { cleanSince } = this.memory;
    const { managedElsewhere } = this;
    const since = cleanSince !== undefined && cleanSince.epoch === record?.epoch ? cleanSince.at : undefined;
    const soaking =
      target === undefined ? false : isSoaking(target, { cleanSince: since, now, approve: cr.requests.approve });
    return {
      catalog: this.#setup.versions,
      cr,
      stamps: this.live?.map(stampOf) ?? [],
      facts: { settled, notPersisted, soaking, gates: this.gates, ownsData: this.#setup.owned.some(isData), parent, managedElsewhere },
      scope: wantedScope(this.#setup, this.object),
      cycle: this.cycle,
    };
  };

  /** The object is another one now: what was found under the former copy counts no longer. */
  replaced = (object: KubernetesObject): void => {
    this.object = object;
    this.cycle = undefined;
  };
}

/** The version that an owned object was last written under. */
export function stampOf({ metadata }: KubernetesObject): string {
  return metadata.annotations?.[ANNOTATIONS.version] ?? UNKNOWN_VERSION;
}

const isData = ({ kind }: { readonly kind: string }): boolean =>
  kind === 'PersistentVolumeClaim' || kind === 'StatefulSet';
