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

/** Of so many objects the cache is counted each time; of more, what was counted is kept for a second. */
const FEW = 100;
const COUNTED_MS = 1_000;
const POLL_MS = { least: 5_000, perObject: 10, most: 60_000 } as const;

/** What the cache showed. */
interface Counted {
  readonly total: number;
  readonly open: ReadonlySet<string>;
  /** Of whom a hop is known, also one that has come as far as its soak: no reservation is needed for it any more. */
  readonly shown: ReadonlySet<string>;
  readonly stalled: number;
  readonly at: number;
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
  readonly #now: () => number;
  #counted: Counted | undefined;

  /** @param now a monotonic clock, in milliseconds; absent: what was counted is never kept */
  constructor(limits: FleetLimits, objects: () => readonly KubernetesObject[], now: () => number = () => Infinity) {
    this.#limits = limits;
    this.#objects = objects;
    this.#now = now;
  }

  /** Takes a slot for a new hop of an object; the gate that is closed if there is none. */
  admit = (uid: string): GateReason | undefined => {
    const { open, shown } = this.#count();
    for (const reserved of this.#reserved) if (shown.has(reserved)) this.#reserved.delete(reserved);
    const gate = this.look(uid);
    if (gate === undefined && !open.has(uid)) this.#reserved.add(uid);
    return gate;
  };

  /** The gate that is closed, without taking a slot: it costs nothing, so it is asked before anything that does. */
  look = (uid: string): GateReason | undefined => {
    const { open, total, stalled } = this.#count();
    if (open.has(uid) || this.#reserved.has(uid)) return undefined;
    if (stalled >= this.#limits.maxStalled) return 'FleetHalted';
    const most = Math.max(1, Math.floor((total * this.#limits.maxOpenPercent) / 100));
    const reserved = [...this.#reserved].filter((each) => !open.has(each)).length;
    return open.size + reserved >= most ? 'WaitingForSlot' : undefined;
  };

  /** An object that waits for a slot looks again after so many milliseconds: the more there are, the later. */
  get pollMs(): number {
    const { least, perObject, most } = POLL_MS;
    return Math.min(most, Math.max(least, this.#count().total * perObject));
  }

  /** The hop did not begin after all, or the object is gone. */
  release = (uid: string): void => {
    this.#reserved.delete(uid);
    this.#counted = undefined;
  };

  /** What is kept shows too many on their way rather than too few: this process alone begins new ones, and reserves them. */
  #count(): Counted {
    const at = this.#now();
    const known = this.#counted;
    if (known !== undefined && known.total > FEW && at - known.at < COUNTED_MS) return known;
    const objects = this.#objects();
    const hops = objects.filter(hasHop);
    const shown = new Set(hops.map(uidOf));
    const open = new Set(hops.filter((object) => phaseOf(object) !== 'Soaking').map(uidOf));
    return (this.#counted = { total: objects.length, open, shown, stalled: objects.filter(isStalled).length, at });
  }
}

function hasHop(object: KubernetesObject): boolean {
  const { record } = objectState(object);
  return record?.target !== undefined && record.applied.length > 1;
}

const uidOf = ({ metadata }: KubernetesObject): string => metadata.uid;

const isStalled = (object: KubernetesObject): boolean => phaseOf(object) === 'Stalled';

function phaseOf(object: KubernetesObject): unknown {
  return (partsOf(object).status['procedure'] as { readonly phase?: unknown } | undefined)?.phase;
}
