// Two fresh installs of neighbouring versions, what an upgrade between them leaves, and what is said about them.
import type { ImmutableStrategy } from '@pawl/reconciler';
import type { KubernetesObject } from '@pawl/reconciler/kubernetes';
import type { State } from '../explore/state.ts';

/** Something that an upgrade changes and that nobody sees in one version alone. */
export interface PairFinding {
  /** The hop, such as `1.0.0 → 2.0.0`. */
  readonly edge: string;
  /** `Kind namespace/name`. */
  readonly object: string;
  /** The field, such as `.spec.selector`; absent: the whole object. */
  readonly path?: string;
  readonly says: string;
  /** `error`: it breaks something. `information`: it works, and whoever releases it should know. */
  readonly severity: 'error' | 'information';
  /** What to do about it. */
  readonly action: string;
}

/** A field of an older object that the API does not let the newer version set. */
export interface Refusal {
  readonly object: string;
  readonly path: string;
  /** The server's words. */
  readonly message: string;
}

/** What of a version is compared. */
export interface Side {
  readonly version: string;
  /** What a fresh install leads to. */
  readonly state: State;
  /** The pods that it makes, which no procedure owns. */
  readonly pods: readonly KubernetesObject[];
}

export interface Pair {
  readonly edge: string;
  readonly older: Side;
  readonly newer: Side;
  /** What an upgrade with nothing in its way leaves. */
  readonly upgraded: State;
  /** Whether it came to its end. */
  readonly isUpgraded: boolean;
  /** What the API answered when the newer version's own requests were tried on the older objects. */
  readonly refusals: readonly Refusal[];
  /** What the newer version declares for an object when a field of it cannot be changed in place. */
  readonly strategyOf: (object: KubernetesObject) => ImmutableStrategy;
}

/** A finding without the hop that it is about. */
export type Remark = Omit<PairFinding, 'edge'>;

/** One look at a pair. */
export type Look = (pair: Pair) => readonly Remark[];
