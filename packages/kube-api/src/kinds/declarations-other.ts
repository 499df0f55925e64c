// The resources of the smaller groups.
import { webhookConfigurationRules } from '../admission/configuration-rules.ts';
import { definitionRules } from '../crd/definition-rules.ts';
import { eventColumns } from './columns/core.ts';
import * as columns from './columns/other.ts';
import type { Declaration } from './declaration.ts';
import { eventFields } from './declarations-core.ts';
import { eventFromStorage, eventToStorage } from './events.ts';
import { eventRules } from './rules/events.ts';
import { bindingRules, budgetRules, ingressRules, leaseRules, networkPolicyRules, roleRules } from './rules/other.ts';
import { storageClassRules } from './rules/volumes.ts';

const RBAC = 'rbac.authorization.k8s.io';
const NETWORKING = 'networking.k8s.io';

/** A question that is answered and not stored. */
function review(group: string, kind: string): Declaration {
  return { group, kind, plural: `${kind.toLowerCase()}s`, cluster: true, verbs: ['create'] };
}

export const OTHER_TYPES: readonly Declaration[] = [
  {
    group: 'policy',
    kind: 'PodDisruptionBudget',
    plural: 'poddisruptionbudgets',
    shortNames: ['pdb'],
    status: true,
    columns: columns.budgetColumns,
    rules: budgetRules,
  },
  { group: 'coordination.k8s.io', kind: 'Lease', plural: 'leases', columns: columns.leaseColumns, rules: leaseRules },
  {
    group: 'events.k8s.io',
    kind: 'Event',
    plural: 'events',
    shortNames: ['ev'],
    rules: eventRules('regarding'),
    columns: eventColumns,
    fields: eventFields('regarding', 'reportingController'),
    storage: { table: 'events', fromStorage: eventFromStorage, toStorage: eventToStorage },
  },
  {
    group: 'authorization.k8s.io',
    kind: 'SelfSubjectAccessReview',
    plural: 'selfsubjectaccessreviews',
    cluster: true,
    verbs: ['create'],
  },
  ...['SelfSubjectRulesReview', 'SubjectAccessReview'].map((kind) => review('authorization.k8s.io', kind)),
  {
    group: 'authorization.k8s.io',
    kind: 'LocalSubjectAccessReview',
    plural: 'localsubjectaccessreviews',
    verbs: ['create'],
  },
  review('authentication.k8s.io', 'SelfSubjectReview'),
  ...['MutatingWebhookConfiguration', 'ValidatingWebhookConfiguration'].map((kind): Declaration => ({
    group: 'admissionregistration.k8s.io',
    kind,
    plural: `${kind.toLowerCase()}s`,
    categories: ['api-extensions'],
    cluster: true,
    columns: columns.webhookColumns,
    rules: webhookConfigurationRules,
  })),
  { group: RBAC, kind: 'Role', plural: 'roles', columns: columns.createdColumns, rules: roleRules },
  { group: RBAC, kind: 'RoleBinding', plural: 'rolebindings', columns: columns.bindingColumns, rules: bindingRules },
  {
    group: RBAC,
    kind: 'ClusterRole',
    plural: 'clusterroles',
    cluster: true,
    columns: columns.createdColumns,
    rules: roleRules,
  },
  {
    group: RBAC,
    kind: 'ClusterRoleBinding',
    plural: 'clusterrolebindings',
    cluster: true,
    columns: columns.bindingColumns,
    rules: bindingRules,
  },
  {
    group: NETWORKING,
    kind: 'Ingress',
    plural: 'ingresses',
    shortNames: ['ing'],
    status: true,
    columns: columns.ingressColumns,
    rules: ingressRules,
  },
  {
    group: NETWORKING,
    kind: 'NetworkPolicy',
    plural: 'networkpolicies',
    shortNames: ['netpol'],
    columns: columns.networkPolicyColumns,
    rules: networkPolicyRules,
  },
  {
    group: 'storage.k8s.io',
    kind: 'StorageClass',
    plural: 'storageclasses',
    shortNames: ['sc'],
    cluster: true,
    columns: columns.storageClassColumns,
    rules: storageClassRules,
  },
  {
    group: 'apiextensions.k8s.io',
    kind: 'CustomResourceDefinition',
    plural: 'customresourcedefinitions',
    shortNames: ['crd', 'crds'],
    categories: ['api-extensions'],
    cluster: true,
    status: true,
    columns: columns.createdColumns,
    rules: definitionRules,
  },
];
