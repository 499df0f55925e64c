// What a decision may ask for: writes as plain values, and the few questions that must be asked of the live server.
import type { JsonObject, KubeObject } from '../../json.ts';
import type { Kind } from './kind.ts';
import type { Live } from './model.ts';

/** How the dependents of a deleted object are treated. */
export type Propagation = 'Background' | 'Foreground' | 'Orphan';

/** One wanted request. */
export type Step =
  /** With `once` it is fine if an object of that name is there already. */
  | { readonly step: 'create'; readonly object: KubeObject; readonly once?: true }
  /** A JSON merge patch of the object or of its status. */
  | { readonly step: 'patch'; readonly target: Live; readonly patch: JsonObject; readonly subresource?: 'status' }
  /** Deletes exactly this incarnation; with `unchanged` only if nobody has changed it since it was read. */
  | {
      readonly step: 'delete';
      readonly target: Live;
      readonly unchanged?: true;
      readonly propagation?: Propagation;
      readonly gracePeriodSeconds?: number;
    }
  /** Assigns a pod to a node. */
  | { readonly step: 'bind'; readonly target: Live; readonly node: string }
  /** Deletes all objects of a kind in a namespace. */
  | { readonly step: 'clear'; readonly kind: Kind; readonly namespace: string }
  /** Sets the finalizers in the spec of a namespace. */
  | { readonly step: 'finalize'; readonly target: Live; readonly finalizers: readonly string[] }
  /** Asks whether an owner is really absent. If it is there, the steps behind this one are dropped. */
  | {
      readonly step: 'expectAbsent';
      readonly kind: Kind;
      readonly namespace: string | undefined;
      readonly name: string;
      readonly uid: string;
    }
  /** Asks whether a namespace really holds nothing of a kind. If it does, the steps behind this one are dropped. */
  | { readonly step: 'expectEmpty'; readonly kind: Kind; readonly namespace: string };

/** What an actor wants for one key. */
export interface Decision {
  /** In order. When they are done, the key is decided again on the result. */
  readonly steps: readonly Step[];
  /** Status writes: made when nothing else is left to do, or when the steps fail. */
  readonly report?: readonly Step[];
  /** When to look again if nothing changes. */
  readonly againAfterMs?: number;
}

/** Nothing to do. */
export const NOTHING: Decision = { steps: [] };
