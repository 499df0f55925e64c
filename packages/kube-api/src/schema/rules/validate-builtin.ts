// Validation of the built-in kinds: what manifests break in practice, in the server's words.
import type { Cause } from '../../errors.ts';
import type { KubeObject } from '../../json.ts';
import { checkBinding, checkRole } from './access.ts';
import { checkConfigMap, checkSecret } from './configs.ts';
import { Faults, objectAt } from './faults.ts';
import { checkCronJob, checkJob } from './jobs.ts';
import { checkIngress, checkNetworkPolicy } from './network.ts';
import { checkBudget, checkEvent, checkLease, checkNamespace, checkNode } from './others.ts';
import { checkPodSpec, checkPodUpdate } from './pods.ts';
import { checkEndpoints, checkService } from './services.ts';
import { checkClaim, checkStorageClass, checkVolume } from './storage.ts';
import { checkDaemonSet, checkDeployment, checkReplicaSet, checkStatefulSet } from './workloads.ts';

type Check = (before: KubeObject | undefined, after: KubeObject, faults: Faults) => void;

const checkPod: Check = (before, after, faults) => {
  checkPodSpec(objectAt(after, 'spec'), 'spec', faults);
  if (before !== undefined) checkPodUpdate(before, after, faults);
};

const CHECKS: Readonly<Record<string, Check>> = {
  'v1/ConfigMap': checkConfigMap,
  'v1/Endpoints': checkEndpoints,
  'v1/Event': checkEvent,
  'v1/Namespace': checkNamespace,
  'v1/Node': checkNode,
  'v1/PersistentVolume': checkVolume,
  'v1/PersistentVolumeClaim': checkClaim,
  'v1/Pod': checkPod,
  'v1/Secret': checkSecret,
  'v1/Service': checkService,
  'apps/v1/DaemonSet': checkDaemonSet,
  'apps/v1/Deployment': checkDeployment,
  'apps/v1/ReplicaSet': checkReplicaSet,
  'apps/v1/StatefulSet': checkStatefulSet,
  'batch/v1/CronJob': checkCronJob,
  'batch/v1/Job': checkJob,
  'coordination.k8s.io/v1/Lease': checkLease,
  'networking.k8s.io/v1/Ingress': checkIngress,
  'networking.k8s.io/v1/NetworkPolicy': checkNetworkPolicy,
  'policy/v1/PodDisruptionBudget': checkBudget,
  'rbac.authorization.k8s.io/v1/ClusterRole': checkRole,
  'rbac.authorization.k8s.io/v1/ClusterRoleBinding': checkBinding,
  'rbac.authorization.k8s.io/v1/Role': checkRole,
  'rbac.authorization.k8s.io/v1/RoleBinding': checkBinding,
  'storage.k8s.io/v1/StorageClass': checkStorageClass,
};

/**
 * What is wrong with an object of a built-in kind, its metadata aside. `before`: the stored object; then immutable fields are
 * checked as well. `after` is complete (see `completeBuiltin`). Other kinds have no faults.
 */
export function validateBuiltin(before: KubeObject | undefined, after: KubeObject): readonly Cause[] {
  const check = CHECKS[`${after.apiVersion}/${after.kind}`];
  if (check === undefined) return [];
  const faults = new Faults();
  check(before, after, faults);
  return faults.causes;
}
