// What a cycle knows of the cluster without asking: caches of watched kinds, and its own acknowledged writes before them.
import type { KubernetesObject, ObjectRef, ResourceType, Selector } from '@pawl/reconciler/kubernetes';

/** Reads of watched kinds. A kind that is not watched is read live. */
export interface ClusterView {
  /** Whether a kind is watched, and its cache complete, in this namespace (undefined: in all). */
  readonly watches: (type: ResourceType, namespace: string | undefined) => boolean;
  readonly get: (type: ResourceType, ref: ObjectRef) => KubernetesObject | undefined;
  readonly list: (type: ResourceType, selector: Selector) => readonly KubernetesObject[];
  /** The owned objects of a kind, by the value of their owner label. */
  readonly owned: (type: ResourceType, ownerHash: string) => readonly KubernetesObject[];
  /** The server acknowledged a write: later reads see it at once. */
  readonly wrote: (object: KubernetesObject) => void;
  /** The server acknowledged a deletion: the object is gone. */
  readonly removed: (object: KubernetesObject) => void;
}
