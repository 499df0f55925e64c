// The built-in resources: names, scope, subresources. Their behaviour stands in the files of their groups.
import type { KubeObject } from '../json.ts';
import { deducedSchema } from '../schema/type-schema.ts';
import { completeBuiltin } from '../schema/builtin-codec.ts';
import { schemaOfBuiltin } from '../schema/builtin-types.ts';
import { fieldReader } from '../server/field-selector.ts';
import type { Verb } from '../server/request-info.ts';
import { apiVersionOf, tableName, type Column, type ResourceType, type Rules, type ScalePaths } from './resource-type.ts';
import * as core from './columns/core.ts';
import * as other from './columns/other.ts';
import * as workload from './columns/workloads.ts';
import { eventFromStorage, eventToStorage } from './events.ts';
import { cronJobRules, jobRules } from './rules/batch.ts';
import { configMapRules, namespaceRules, secretRules, serviceAccountRules } from './rules/core.ts';
import { definitionRules } from '../crd/definition-rules.ts';
import { bindingRules, budgetRules, ingressRules, leaseRules, networkPolicyRules, roleRules } from './rules/other.ts';
import { plainRules } from './rules/plain.ts';
import { podRules } from './rules/pods.ts';
import { serviceRules } from './rules/services.ts';
import { claimRules, storageClassRules, volumeRules } from './rules/volumes.ts';
import { daemonSetRules, deploymentRules, replicaSetRules, statefulSetRules } from './rules/workloads.ts';

export const ALL_VERBS: readonly Verb[] = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'];

interface Declaration {
  readonly group?: string;
  readonly version?: string;
  readonly kind: string;
  readonly plural: string;
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  readonly cluster?: true;
  readonly verbs?: readonly Verb[];
  readonly status?: true;
  readonly scale?: ScalePaths;
  readonly subresources?: readonly string[];
  readonly fields?: readonly string[];
  readonly columns?: readonly Column[];
  readonly rules?: Partial<Rules>;
  /** Stored as objects of another resource. */
  readonly storage?: Pick<ResourceType, 'table' | 'fromStorage' | 'toStorage'>;
}

function builtin(declaration: Declaration): ResourceType {
  const { group = '', version = 'v1', kind, plural } = declaration;
  const apiVersion = apiVersionOf(group, version);
  const schema = schemaOfBuiltin(apiVersion, kind) ?? deducedSchema;
  return {
    group,
    version,
    apiVersion,
    kind,
    listKind: `${kind}List`,
    plural,
    singular: kind.toLowerCase(),
    shortNames: declaration.shortNames ?? [],
    categories: declaration.categories ?? [],
    namespaced: declaration.cluster !== true,
    verbs: declaration.verbs ?? ALL_VERBS,
    custom: false,
    status: declaration.status === true,
    scale: declaration.scale,
    subresources: declaration.subresources ?? [],
    fields: fieldReader(declaration.fields ?? []),
    columns: declaration.columns ?? [],
    rules: { ...plainRules, decode: (object) => completeBuiltin(object, schema), ...declaration.rules },
    openapi: undefined,
    schema,
    ...(declaration.storage ?? { table: tableName(group, plural), fromStorage: same, toStorage: same }),
    deprecation: undefined,
    refusesCreate: undefined,
  };
}

const same = (object: KubeObject): KubeObject => object;

const APPS = 'apps';
const RBAC = 'rbac.authorization.k8s.io';
const NETWORKING = 'networking.k8s.io';
const SCALE: ScalePaths = { spec: ['spec', 'replicas'], status: ['status', 'replicas'], selector: ['spec', 'selector'] };
const ALL = ['all'];
const NO_COLLECTION_DELETE = ALL_VERBS.filter((verb) => verb !== 'deletecollection');
const POD_FIELDS = [
  'spec.nodeName', 'spec.restartPolicy', 'spec.schedulerName', 'spec.serviceAccountName', 'spec.hostNetwork=false',
  'status.phase', 'status.podIP', 'status.nominatedNodeName',
];
const SUBJECT_FIELDS = ['kind', 'namespace', 'name', 'uid', 'apiVersion', 'resourceVersion', 'fieldPath'];

const CORE_TYPES: readonly Declaration[] = [
  {
    kind: 'Namespace', plural: 'namespaces', shortNames: ['ns'], cluster: true, status: true, verbs: NO_COLLECTION_DELETE,
    subresources: ['finalize'], fields: ['status.phase'], columns: core.namespaceColumns, rules: namespaceRules,
  },
  { kind: 'ConfigMap', plural: 'configmaps', shortNames: ['cm'], columns: core.configMapColumns, rules: configMapRules },
  { kind: 'Secret', plural: 'secrets', fields: ['type'], columns: core.secretColumns, rules: secretRules },
  {
    kind: 'Service', plural: 'services', shortNames: ['svc'], categories: ALL, status: true, fields: ['spec.clusterIP', 'spec.type'],
    columns: core.serviceColumns, rules: serviceRules,
  },
  { kind: 'ServiceAccount', plural: 'serviceaccounts', shortNames: ['sa'], columns: core.serviceAccountColumns, rules: serviceAccountRules },
  {
    kind: 'Pod', plural: 'pods', shortNames: ['po'], categories: ALL, status: true, subresources: ['eviction'], fields: POD_FIELDS,
    columns: workload.podColumns, rules: podRules,
  },
  { kind: 'PersistentVolumeClaim', plural: 'persistentvolumeclaims', shortNames: ['pvc'], status: true, columns: core.claimColumns, rules: claimRules },
  { kind: 'PersistentVolume', plural: 'persistentvolumes', shortNames: ['pv'], cluster: true, status: true, columns: core.volumeColumns, rules: volumeRules },
  {
    kind: 'Event', plural: 'events', shortNames: ['ev'], columns: core.eventColumns,
    fields: [...SUBJECT_FIELDS.map((field) => `involvedObject.${field}`), 'reason', 'type', 'reportingComponent', 'source.component'],
  },
  { kind: 'Node', plural: 'nodes', shortNames: ['no'], cluster: true, status: true, fields: ['spec.unschedulable=false'], columns: core.nodeColumns },
  { kind: 'Endpoints', plural: 'endpoints', shortNames: ['ep'], columns: core.endpointsColumns },
];

const WORKLOAD_TYPES: readonly Declaration[] = [
  {
    group: APPS, kind: 'Deployment', plural: 'deployments', shortNames: ['deploy'], categories: ALL, status: true, scale: SCALE,
    columns: workload.deploymentColumns, rules: deploymentRules,
  },
  {
    group: APPS, kind: 'ReplicaSet', plural: 'replicasets', shortNames: ['rs'], categories: ALL, status: true, scale: SCALE,
    fields: ['status.replicas=0'], columns: workload.replicaSetColumns, rules: replicaSetRules,
  },
  {
    group: APPS, kind: 'StatefulSet', plural: 'statefulsets', shortNames: ['sts'], categories: ALL, status: true, scale: SCALE,
    columns: workload.statefulSetColumns, rules: statefulSetRules,
  },
  {
    group: APPS, kind: 'DaemonSet', plural: 'daemonsets', shortNames: ['ds'], categories: ALL, status: true,
    columns: workload.daemonSetColumns, rules: daemonSetRules,
  },
  { group: APPS, kind: 'ControllerRevision', plural: 'controllerrevisions', columns: other.revisionColumns },
  { group: 'batch', kind: 'Job', plural: 'jobs', categories: ALL, status: true, columns: workload.jobColumns, rules: jobRules },
  {
    group: 'batch', kind: 'CronJob', plural: 'cronjobs', shortNames: ['cj'], categories: ALL, status: true,
    columns: workload.cronJobColumns, rules: cronJobRules,
  },
];

const OTHER_TYPES: readonly Declaration[] = [
  {
    group: 'policy', kind: 'PodDisruptionBudget', plural: 'poddisruptionbudgets', shortNames: ['pdb'], status: true,
    columns: other.budgetColumns, rules: budgetRules,
  },
  { group: 'coordination.k8s.io', kind: 'Lease', plural: 'leases', columns: other.leaseColumns, rules: leaseRules },
  {
    group: 'events.k8s.io', kind: 'Event', plural: 'events', shortNames: ['ev'], columns: core.eventColumns,
    fields: [...SUBJECT_FIELDS.map((field) => `regarding.${field}`), 'reason', 'type', 'reportingController'],
    storage: { table: 'events', fromStorage: eventFromStorage, toStorage: eventToStorage },
  },
  {
    group: 'authorization.k8s.io', kind: 'SelfSubjectAccessReview', plural: 'selfsubjectaccessreviews', cluster: true, verbs: ['create'],
  },
  { group: RBAC, kind: 'Role', plural: 'roles', columns: other.createdColumns, rules: roleRules },
  { group: RBAC, kind: 'RoleBinding', plural: 'rolebindings', columns: other.bindingColumns, rules: bindingRules },
  { group: RBAC, kind: 'ClusterRole', plural: 'clusterroles', cluster: true, columns: other.createdColumns, rules: roleRules },
  { group: RBAC, kind: 'ClusterRoleBinding', plural: 'clusterrolebindings', cluster: true, columns: other.bindingColumns, rules: bindingRules },
  { group: NETWORKING, kind: 'Ingress', plural: 'ingresses', shortNames: ['ing'], status: true, columns: other.ingressColumns, rules: ingressRules },
  { group: NETWORKING, kind: 'NetworkPolicy', plural: 'networkpolicies', shortNames: ['netpol'], columns: other.networkPolicyColumns, rules: networkPolicyRules },
  { group: 'storage.k8s.io', kind: 'StorageClass', plural: 'storageclasses', shortNames: ['sc'], cluster: true, columns: other.storageClassColumns, rules: storageClassRules },
  {
    group: 'apiextensions.k8s.io', kind: 'CustomResourceDefinition', plural: 'customresourcedefinitions', shortNames: ['crd', 'crds'],
    categories: ['api-extensions'], cluster: true, status: true, columns: other.createdColumns, rules: definitionRules,
  },
];

/** All built-in resources. */
export const BUILTIN_TYPES: readonly ResourceType[] = [...CORE_TYPES, ...WORKLOAD_TYPES, ...OTHER_TYPES].map(builtin);
