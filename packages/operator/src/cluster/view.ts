// What a cycle knows of the cluster without asking: caches of watched kinds, and its own acknowledged writes before them.
import type { KubernetesObject, ObjectRef, ResourceType, Selector } from '@pawl/reconciler/kubernetes';

/** What a cache holds of a kind: all objects, those with an owner label, or nothing that could be relied on. */
export type Holding = 'all' | 'owned' | 'nothing';

/** Reads of watched kinds. What a cache does not hold is read live. */
export interface ClusterView {
  /** What the cache of a kind holds of this namespace (undefined: of all), if it is complete. */
  readonly holds: (type: ResourceType, namespace: string | undefined) => Holding;
  readonly get: (type: ResourceType, ref: ObjectRef) => KubernetesObject | undefined;
  readonly list: (type: ResourceType, selector: Selector) => readonly KubernetesObject[];
  /** The owned objects of a kind, by the value of their owner label. */
  readonly owned: (type: ResourceType, ownerHash: string) => readonly KubernetesObject[];
  /** The server acknowledged a write: later reads see it at once. */
  readonly wrote: (object: KubernetesObject) => void;
  /** The server acknowledged a deletion: the object is gone. */
  readonly removed: (object: KubernetesObject) => void;
}
