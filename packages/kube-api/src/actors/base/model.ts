// The fields of built-in kinds that the actors read. Everything is optional that the API does not guarantee.
import type { JsonObject, KubeObject, ObjectMeta } from '../../json.ts';

/** Metadata of an object that the server has stored. */
export interface LiveMeta extends ObjectMeta {
  readonly name: string;
  readonly uid: string;
  readonly resourceVersion: string;
}

/** An object that the server has stored. */
export interface Live extends KubeObject {
  readonly metadata: LiveMeta;
}

/** An entry of `status.conditions`. */
export interface Condition extends JsonObject {
  readonly type: string;
  readonly status: 'True' | 'False' | 'Unknown';
  readonly reason?: string;
  readonly message?: string;
  readonly lastTransitionTime?: string;
  readonly lastUpdateTime?: string;
  readonly lastProbeTime?: string;
  readonly observedGeneration?: number;
}

/** `metav1.LabelSelector`. */
export interface LabelSelector extends JsonObject {
  readonly matchLabels?: { readonly [key: string]: string };
  readonly matchExpressions?: readonly SelectorTerm[];
}

/** One requirement of a label selector. */
export interface SelectorTerm extends JsonObject {
  readonly key: string;
  readonly operator: string;
  readonly values?: readonly string[];
}

/** A container of a pod. */
export interface Container extends JsonObject {
  readonly name: string;
  readonly image?: string;
}

/** A node's taint, or what a pod tolerates (an absent field tolerates any). */
export interface Taint extends JsonObject {
  readonly key?: string;
  readonly operator?: string;
  readonly value?: string;
  readonly effect?: string;
}

/** A volume of a pod, as far as it names a claim. */
export interface Volume extends JsonObject {
  readonly name: string;
  readonly persistentVolumeClaim?: { readonly claimName: string };
}

/** `spec` of a pod. */
export interface PodSpec extends JsonObject {
  readonly nodeName?: string;
  readonly nodeSelector?: { readonly [key: string]: string };
  readonly tolerations?: readonly Taint[];
  readonly containers?: readonly Container[];
  readonly initContainers?: readonly Container[];
  readonly volumes?: readonly Volume[];
  readonly restartPolicy?: string;
  readonly readinessGates?: readonly { readonly conditionType: string }[];
}

/** A pod. */
export interface Pod extends Live {
  readonly spec?: PodSpec;
  readonly status?: JsonObject & {
    readonly phase?: string;
    readonly podIP?: string;
    readonly startTime?: string;
    readonly conditions?: readonly Condition[];
  };
}

/** `spec.template` of a workload. */
export interface PodTemplate extends JsonObject {
  readonly metadata?: ObjectMeta;
  readonly spec?: PodSpec;
}

/** A ReplicaSet. */
export interface ReplicaSet extends Live {
  readonly spec: JsonObject & {
    readonly replicas?: number;
    readonly minReadySeconds?: number;
    readonly selector?: LabelSelector;
    readonly template?: PodTemplate;
  };
  readonly status?: JsonObject & {
    readonly replicas?: number;
    readonly readyReplicas?: number;
    readonly availableReplicas?: number;
    readonly terminatingReplicas?: number;
    readonly observedGeneration?: number;
  };
}

/** A Deployment. */
export interface Deployment extends Live {
  readonly spec: JsonObject & {
    readonly replicas?: number;
    readonly minReadySeconds?: number;
    readonly paused?: boolean;
    readonly progressDeadlineSeconds?: number;
    readonly revisionHistoryLimit?: number;
    readonly selector?: LabelSelector;
    readonly strategy?: {
      readonly type?: string;
      readonly rollingUpdate?: { readonly maxSurge?: number | string; readonly maxUnavailable?: number | string };
    };
    readonly template?: PodTemplate;
  };
  readonly status?: JsonObject & {
    readonly collisionCount?: number;
    readonly conditions?: readonly Condition[];
    readonly observedGeneration?: number;
    readonly replicas?: number;
    readonly updatedReplicas?: number;
    readonly availableReplicas?: number;
  };
}

/** A StatefulSet. */
export interface StatefulSet extends Live {
  readonly spec: JsonObject & {
    readonly replicas?: number;
    readonly minReadySeconds?: number;
    readonly serviceName?: string;
    readonly podManagementPolicy?: string;
    readonly revisionHistoryLimit?: number;
    readonly ordinals?: { readonly start?: number };
    readonly selector?: LabelSelector;
    readonly template?: PodTemplate;
    readonly updateStrategy?: {
      readonly type?: string;
      readonly rollingUpdate?: { readonly partition?: number; readonly maxUnavailable?: number | string };
    };
    readonly volumeClaimTemplates?: readonly ClaimTemplate[];
    readonly persistentVolumeClaimRetentionPolicy?: { readonly whenDeleted?: string; readonly whenScaled?: string };
  };
  readonly status?: JsonObject & {
    readonly collisionCount?: number;
    readonly currentRevision?: string;
    readonly updateRevision?: string;
  };
}

/** An entry of `spec.volumeClaimTemplates`. */
export interface ClaimTemplate extends JsonObject {
  readonly metadata?: ObjectMeta;
  readonly spec?: JsonObject;
}

/** A stored pod template of a StatefulSet or DaemonSet. */
export interface ControllerRevision extends Live {
  readonly data?: JsonObject;
  readonly revision?: number;
}

/** A DaemonSet. */
export interface DaemonSet extends Live {
  readonly spec: JsonObject & {
    readonly minReadySeconds?: number;
    readonly revisionHistoryLimit?: number;
    readonly selector?: LabelSelector;
    readonly template?: PodTemplate;
    readonly updateStrategy?: {
      readonly type?: string;
      readonly rollingUpdate?: { readonly maxUnavailable?: number | string };
    };
  };
  readonly status?: JsonObject;
}

/** A Job. */
export interface Job extends Live {
  readonly spec: JsonObject & {
    readonly completions?: number;
    readonly parallelism?: number;
    readonly backoffLimit?: number;
    readonly activeDeadlineSeconds?: number;
    readonly ttlSecondsAfterFinished?: number;
    readonly suspend?: boolean;
    readonly template?: PodTemplate;
  };
  readonly status?: JsonObject & {
    readonly conditions?: readonly Condition[];
    readonly startTime?: string;
    readonly completionTime?: string;
    readonly succeeded?: number;
    readonly failed?: number;
  };
}

/** A node. */
export interface Node extends Live {
  readonly spec?: JsonObject & { readonly unschedulable?: boolean; readonly taints?: readonly Taint[] };
  readonly status?: JsonObject & { readonly conditions?: readonly Condition[] };
}

/** A PersistentVolumeClaim. */
export interface Claim extends Live {
  readonly spec?: JsonObject & {
    readonly accessModes?: readonly string[];
    readonly resources?: { readonly requests?: { readonly storage?: string } };
    readonly storageClassName?: string;
    readonly volumeMode?: string;
    readonly volumeName?: string;
  };
  readonly status?: JsonObject & { readonly phase?: string; readonly capacity?: { readonly storage?: string } };
}

/** A PersistentVolume. */
export interface PersistentVolume extends Live {
  readonly spec?: JsonObject & {
    readonly claimRef?: { readonly uid?: string; readonly name?: string; readonly namespace?: string };
    readonly persistentVolumeReclaimPolicy?: string;
    readonly capacity?: { readonly storage?: string };
  };
  readonly status?: JsonObject & { readonly phase?: string };
}

/** A PodDisruptionBudget. */
export interface DisruptionBudget extends Live {
  readonly spec?: JsonObject & {
    readonly minAvailable?: number | string;
    readonly maxUnavailable?: number | string;
    readonly selector?: LabelSelector;
  };
  readonly status?: JsonObject & {
    readonly conditions?: readonly Condition[];
    /** Pods whose eviction was granted, and when. */
    readonly disruptedPods?: { readonly [name: string]: string };
  };
}

/** A namespace. */
export interface Namespace extends Live {
  readonly spec?: JsonObject & { readonly finalizers?: readonly string[] };
  readonly status?: JsonObject & { readonly phase?: string; readonly conditions?: readonly Condition[] };
}

/** A CustomResourceDefinition, as far as it says what is served. */
export interface CustomKind extends Live {
  readonly spec: JsonObject & {
    readonly group: string;
    readonly scope: string;
    readonly names: { readonly plural: string; readonly kind: string };
    readonly versions: readonly (JsonObject & {
      readonly name: string;
      readonly served: boolean;
      readonly storage: boolean;
      readonly subresources?: JsonObject;
    })[];
  };
  readonly status?: JsonObject & { readonly conditions?: readonly Condition[] };
}

/** The kinds that actors know by name, keyed as `plural.group`. */
export interface KnownKinds {
  readonly pods: Pod;
  readonly nodes: Node;
  readonly namespaces: Namespace;
  readonly persistentvolumeclaims: Claim;
  readonly persistentvolumes: PersistentVolume;
  readonly 'replicasets.apps': ReplicaSet;
  readonly 'deployments.apps': Deployment;
  readonly 'statefulsets.apps': StatefulSet;
  readonly 'daemonsets.apps': DaemonSet;
  readonly 'controllerrevisions.apps': ControllerRevision;
  readonly 'jobs.batch': Job;
  readonly 'poddisruptionbudgets.policy': DisruptionBudget;
  readonly 'customresourcedefinitions.apiextensions.k8s.io': CustomKind;
}

/** The name of a kind that actors know. */
export type KnownKind = keyof KnownKinds;
