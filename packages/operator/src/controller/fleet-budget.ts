// How many objects of one kind may be on their way to another version at once, and when no further one is begun.
import type { GateReason } from '@pawl/reconciler';
import type { KubernetesObject } from '@pawl/reconciler/kubernetes';
import { objectState, partsOf } from './custom-object.ts';

export interface FleetLimits {
  /** Share of the objects of a kind with an open hop, in percent; at least one may have one. */
  readonly maxOpenPercent: number;
  /** So many stalled hops, and no further one is begun. */
  readonly maxStalled: number;
}

/**
 * Counts over the cache of the kind, and over what this process has begun and the cache does not show yet. Installing
 * and resuming are never counted out, and an object that soaks has no open hop.
 */
export class FleetBudget {
  readonly #limits: FleetLimits;
  readonly #objects: () => readonly KubernetesObject[];
  /** Uids of objects whose intent was admitted and may not be in the cache yet. */
  readonly #reserved = new Set<string>();

  constructor(limits: FleetLimits, objects: () => readonly KubernetesObject[]) {
    this.#limits = limits;
    this.#objects = objects;
  }

  /** Takes a slot for a new hop of an object; the gate that is closed if there is none. */
  admit = (uid: string): GateReason | undefined => {
    const objects = this.#objects();
    const open = new Set(objects.filter(isOnTheWay).map(({ metadata }) => metadata.uid));
    for (const reserved of this.#reserved) if (open.has(reserved)) this.#reserved.delete(reserved);
    if (open.has(uid) || this.#reserved.has(uid)) return undefined;
    if (objects.filter(isStalled).length >= this.#limits.maxStalled) return 'FleetHalted';
    const most = Math.max(1, Math.floor((objects.length * this.#limits.maxOpenPercent) / 100));
    if (open.size + this.#reserved.size >= most) return 'WaitingForSlot';
    this.#reserved.add(uid);
    return undefined;
  };

  /** The hop did not begin after all, or the object is gone. */
  release = (uid: string): void => {
    this.#reserved.delete(uid);
  };
}

function isOnTheWay(object: KubernetesObject): boolean {
  const { record } = objectState(object);
  return record?.target !== undefined && record.applied.length > 1 && phaseOf(object) !== 'Soaking';
}

const isStalled = (object: KubernetesObject): boolean => phaseOf(object) === 'Stalled';

function phaseOf(object: KubernetesObject): unknown {
  return (partsOf(object).status['procedure'] as { readonly phase?: unknown } | undefined)?.phase;
}
