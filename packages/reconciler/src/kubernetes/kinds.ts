// Kinds that differ when something is deleted: those that are never deleted, and which go first.
import { groupOf } from './names.ts';
import type { ResourceType } from './resource.ts';

const PROTECTED: ReadonlySet<string> = new Set([
  '/Node',
  '/Namespace',
  '/PersistentVolume',
  '/PersistentVolumeClaim',
  'apiextensions.k8s.io/CustomResourceDefinition',
  'storage.k8s.io/StorageClass',
]);

/** Kinds whose loss destroys data or other people's objects: only an Action that says so deletes them. */
export function isProtectedKind({ apiVersion, kind }: ResourceType): boolean {
  return PROTECTED.has(`${groupOf(apiVersion)}/${kind}`);
}

/** In the order of deletion: what intercepts requests first, then what runs, what leads to it, what it reads, who may. */
const WAVES: readonly (readonly string[])[] = [
  [
    'admissionregistration.k8s.io/ValidatingWebhookConfiguration',
    'admissionregistration.k8s.io/MutatingWebhookConfiguration',
    'admissionregistration.k8s.io/ValidatingAdmissionPolicyBinding',
    'admissionregistration.k8s.io/MutatingAdmissionPolicyBinding',
  ],
  [
    'admissionregistration.k8s.io/ValidatingAdmissionPolicy',
    'admissionregistration.k8s.io/MutatingAdmissionPolicy',
    'networking.k8s.io/Ingress',
  ],
  // Custom kinds, before the controllers that finish their deletion.
  [],
  ['batch/CronJob', 'autoscaling/HorizontalPodAutoscaler', 'policy/PodDisruptionBudget'],
  ['apps/Deployment', 'apps/StatefulSet', 'apps/DaemonSet', 'apps/ReplicaSet', 'batch/Job'],
  ['/Pod'],
  ['/Service', '/Endpoints', 'discovery.k8s.io/EndpointSlice', 'networking.k8s.io/NetworkPolicy'],
  ['/ConfigMap', '/Secret'],
  ['rbac.authorization.k8s.io/RoleBinding', 'rbac.authorization.k8s.io/ClusterRoleBinding'],
  ['rbac.authorization.k8s.io/Role', 'rbac.authorization.k8s.io/ClusterRole', '/ServiceAccount'],
];
const CUSTOM_WAVE = WAVES.findIndex((kinds) => kinds.length === 0);
const WAVE_OF = new Map(WAVES.flatMap((kinds, wave) => kinds.map((kind) => [kind, wave] as const)));

/** In which wave a kind is deleted, counted from 0; a wave begins when the one before is gone. */
export function deletionWave({ apiVersion, kind }: ResourceType): number {
  return WAVE_OF.get(`${groupOf(apiVersion)}/${kind}`) ?? CUSTOM_WAVE;
}
