// The types of the built-in kinds, compiled on first use.
import { compileTables } from './type-table.ts';
import type { TypeSchema } from './type-schema.ts';
import { ADMISSION_TYPES } from './types/admission.ts';
import { APIEXTENSIONS_TYPES } from './types/apiextensions.ts';
import { CONTAINERS_TYPES } from './types/containers.ts';
import { CORE_TYPES } from './types/core.ts';
import { META_TYPES } from './types/meta.ts';
import { OTHER_TYPES } from './types/other.ts';
import { PODS_TYPES } from './types/pods.ts';
import { VOLUMES_TYPES } from './types/volumes.ts';
import { WORKLOADS_TYPES } from './types/workloads.ts';

const KINDS: Readonly<Record<string, string>> = {
  v1: 'ConfigMap Endpoints Event Namespace Node PersistentVolume PersistentVolumeClaim Pod Secret Service ServiceAccount',
  'apps/v1': 'ControllerRevision DaemonSet Deployment ReplicaSet StatefulSet',
  'batch/v1': 'CronJob Job',
  'coordination.k8s.io/v1': 'Lease',
  'events.k8s.io/v1': 'Event',
  'networking.k8s.io/v1': 'Ingress NetworkPolicy',
  'policy/v1': 'PodDisruptionBudget',
  'rbac.authorization.k8s.io/v1': 'ClusterRole ClusterRoleBinding Role RoleBinding',
  'storage.k8s.io/v1': 'StorageClass',
  'apiextensions.k8s.io/v1': 'CustomResourceDefinition',
  'admissionregistration.k8s.io/v1': 'MutatingWebhookConfiguration ValidatingWebhookConfiguration',
};

/** Kinds whose type is not declared under their own name. */
const RENAMED: Readonly<Record<string, string>> = { 'events.k8s.io/v1/Event': 'EventsEvent' };

const typeNamed = compileTables([
  META_TYPES,
  CONTAINERS_TYPES,
  VOLUMES_TYPES,
  PODS_TYPES,
  CORE_TYPES,
  WORKLOADS_TYPES,
  OTHER_TYPES,
  APIEXTENSIONS_TYPES,
  ADMISSION_TYPES,
]);

const typeNames = new Map<string, string>();
for (const [apiVersion, kinds] of Object.entries(KINDS)) {
  for (const kind of kinds.split(' ')) {
    const key = `${apiVersion}/${kind}`;
    typeNames.set(key, RENAMED[key] ?? kind);
  }
}

/** The type of a built-in kind; undefined for a kind that has no table here (treat it as open). */
export function schemaOfBuiltin(apiVersion: string, kind: string): TypeSchema | undefined {
  const name = typeNames.get(`${apiVersion}/${kind}`);
  return name === undefined ? undefined : typeNamed(name);
}

/** A declared part of the built-in kinds, such as `ObjectMeta` or `PodTemplateSpec`. Throws on an unknown name. */
export function builtinPart(name: string): TypeSchema {
  return typeNamed(name);
}
