// The resources of the core group.
import * as columns from './columns/core.ts';
import { podColumns } from './columns/workloads.ts';
import { ALL, ALL_VERBS, type Declaration } from './declaration.ts';
import { configMapRules, namespaceRules, secretRules, serviceAccountRules } from './rules/core.ts';
import { eventRules } from './rules/events.ts';
import { podRules } from './rules/pods.ts';
import { serviceRules } from './rules/services.ts';
import { claimRules, volumeRules } from './rules/volumes.ts';

const POD_FIELDS = [
  'spec.nodeName',
  'spec.restartPolicy',
  'spec.schedulerName',
  'spec.serviceAccountName',
  'spec.hostNetwork=false',
  'status.phase',
  'status.podIP',
  'status.nominatedNodeName',
];
const SUBJECT_FIELDS = ['kind', 'namespace', 'name', 'uid', 'apiVersion', 'resourceVersion', 'fieldPath'];

/** Selectable fields of events whose subject is called `subject`. */
export function eventFields(subject: string, reporter: string): readonly string[] {
  return [...SUBJECT_FIELDS.map((field) => `${subject}.${field}`), 'reason', 'type', reporter];
}

export const CORE_TYPES: readonly Declaration[] = [
  {
    kind: 'Namespace',
    plural: 'namespaces',
    shortNames: ['ns'],
    cluster: true,
    status: true,
    verbs: ALL_VERBS.filter((verb) => verb !== 'deletecollection'),
    subresources: ['finalize'],
    fields: ['status.phase'],
    columns: columns.namespaceColumns,
    rules: namespaceRules,
  },
  {
    kind: 'ConfigMap',
    plural: 'configmaps',
    shortNames: ['cm'],
    columns: columns.configMapColumns,
    rules: configMapRules,
  },
  { kind: 'Secret', plural: 'secrets', fields: ['type'], columns: columns.secretColumns, rules: secretRules },
  {
    kind: 'Service',
    plural: 'services',
    shortNames: ['svc'],
    categories: ALL,
    status: true,
    fields: ['spec.clusterIP', 'spec.type'],
    columns: columns.serviceColumns,
    rules: serviceRules,
  },
  {
    kind: 'ServiceAccount',
    plural: 'serviceaccounts',
    shortNames: ['sa'],
    columns: columns.serviceAccountColumns,
    rules: serviceAccountRules,
  },
  {
    kind: 'Pod',
    plural: 'pods',
    shortNames: ['po'],
    categories: ALL,
    status: true,
    subresources: ['eviction'],
    fields: POD_FIELDS,
    columns: podColumns,
    rules: podRules,
  },
  {
    kind: 'PersistentVolumeClaim',
    plural: 'persistentvolumeclaims',
    shortNames: ['pvc'],
    status: true,
    columns: columns.claimColumns,
    rules: claimRules,
  },
  {
    kind: 'PersistentVolume',
    plural: 'persistentvolumes',
    shortNames: ['pv'],
    cluster: true,
    status: true,
    columns: columns.volumeColumns,
    rules: volumeRules,
  },
  {
    kind: 'Event',
    plural: 'events',
    shortNames: ['ev'],
    rules: eventRules('involvedObject'),
    columns: columns.eventColumns,
    fields: [...eventFields('involvedObject', 'reportingComponent'), 'source.component'],
  },
  {
    kind: 'Node',
    plural: 'nodes',
    shortNames: ['no'],
    cluster: true,
    status: true,
    fields: ['spec.unschedulable=false'],
    columns: columns.nodeColumns,
  },
  {
    kind: 'Endpoints',
    plural: 'endpoints',
    shortNames: ['ep'],
    rules: { createOnUpdate: true },
    columns: columns.endpointsColumns,
  },
];
