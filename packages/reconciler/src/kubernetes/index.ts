// The Kubernetes side of the engine: handles, models, the port, packages, names, status. Types and pure functions only.
export {
  ConfigMaps,
  CustomResourceDefinitions,
  DaemonSets,
  Deployments,
  Jobs,
  Namespaces,
  Nodes,
  PersistentVolumeClaims,
  PersistentVolumes,
  Pods,
  Secrets,
  Services,
  StatefulSets,
} from './builtin.ts';
export type {
  ConfigMap,
  CustomResourceDefinition,
  DaemonSet,
  Deployment,
  Job,
  Namespace,
  Node,
  PersistentVolume,
  PersistentVolumeClaim,
  Pod,
  PodEditor,
  PodResource,
  Secret,
  Service,
  StatefulSet,
} from './builtin.ts';
export { actionsOf, kindsOf } from './catalog-kinds.ts';
export type { CatalogKinds } from './catalog-kinds.ts';
export type { ActionStatus, Condition, ConditionStatus } from './condition.ts';
export type { KubernetesContext } from './context.ts';
export { crdFor } from './crd.ts';
export type { CrdOptions, PrinterColumn } from './crd.ts';
export { clusterHost } from './host.ts';
export type { ClusterHost, ClusterHostParts, OpenKind } from './host.ts';
export { deletionWave, isProtectedKind } from './kinds.ts';
export { explainReason, requestCommand, subjectOf } from './messages.ts';
export type { MessageInput, PruneCount, Subject } from './messages.ts';
export type { RefusedChange } from './refusal-text.ts';
export type {
  CustomResource,
  Desired,
  DesiredMeta,
  EditableFields,
  KubernetesObject,
  Model,
  ObjectMeta,
  OwnerReference,
  Raw,
  StatusOf,
  WireNames,
} from './model.ts';
export {
  ANNOTATIONS,
  claimManager,
  DOMAIN,
  fieldManagersOf,
  FINALIZER,
  groupOf,
  LABELS,
  leaseName,
  ownerHash,
  ownerHashOf,
  requestAnnotation,
} from './names.ts';
export type { FieldManagers, OwnerRef } from './names.ts';
export { defineCatalog, definePackage } from './package.ts';
export type {
  CatalogOptions,
  ExampleObject,
  PackageSpec,
  ParentDeclaration,
  ProcedureCatalog,
  ProcedurePackage,
} from './package.ts';
export { parseStatus } from './parse-status.ts';
export type { PreviousStatus } from './parse-status.ts';
export type { Phase } from './phase.ts';
export { planProcedure } from './plan.ts';
export type { Plan } from './plan.ts';
export { ApiError } from './port.ts';
export type { Applied, ApplyRequest, ClusterPort, ObjectRef, Stamp } from './port.ts';
export { pruneCandidates } from './prune.ts';
export type { KeepReason, PruneInput, PrunePlan } from './prune.ts';
export { isSensitive, Sensitive } from './sensitive.ts';
export { defineOpenResource, defineResource, explicit, guarded, isSelected, statusOf } from './resource.ts';
export type {
  Editor,
  OpenResource,
  OwnedFlags,
  Owner,
  OwnStatus,
  Reader,
  Ref,
  RemoveOptions,
  Resource,
  ResourceInfo,
  ResourceSpec,
  ResourceType,
  Selector,
  StatusEditor,
} from './resource.ts';
export { rolloutOf } from './rollout.ts';
export type { Rollout } from './rollout.ts';
export type { Schema } from './status-schema.ts';
export { buildStatus } from './status.ts';
export type { FrameworkStatus, ProcedureStatus, StatusInput } from './status.ts';
