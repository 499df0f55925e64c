// The resources of apps and batch.
import * as columns from './columns/workloads.ts';
import { revisionColumns } from './columns/other.ts';
import { ALL, type Declaration } from './declaration.ts';
import type { ScalePaths } from './resource-type.ts';
import { cronJobRules, jobRules } from './rules/batch.ts';
import { daemonSetRules, deploymentRules, replicaSetRules, statefulSetRules } from './rules/workloads.ts';

const APPS = 'apps';
const SCALE: ScalePaths = {
  spec: ['spec', 'replicas'],
  status: ['status', 'replicas'],
  selector: ['spec', 'selector'],
};

export const WORKLOAD_TYPES: readonly Declaration[] = [
  {
    group: APPS,
    kind: 'Deployment',
    plural: 'deployments',
    shortNames: ['deploy'],
    categories: ALL,
    status: true,
    scale: SCALE,
    columns: columns.deploymentColumns,
    rules: deploymentRules,
  },
  {
    group: APPS,
    kind: 'ReplicaSet',
    plural: 'replicasets',
    shortNames: ['rs'],
    categories: ALL,
    status: true,
    scale: SCALE,
    fields: ['status.replicas=0'],
    columns: columns.replicaSetColumns,
    rules: replicaSetRules,
  },
  {
    group: APPS,
    kind: 'StatefulSet',
    plural: 'statefulsets',
    shortNames: ['sts'],
    categories: ALL,
    status: true,
    scale: SCALE,
    columns: columns.statefulSetColumns,
    rules: statefulSetRules,
  },
  {
    group: APPS,
    kind: 'DaemonSet',
    plural: 'daemonsets',
    shortNames: ['ds'],
    categories: ALL,
    status: true,
    columns: columns.daemonSetColumns,
    rules: daemonSetRules,
  },
  { group: APPS, kind: 'ControllerRevision', plural: 'controllerrevisions', columns: revisionColumns },
  {
    group: 'batch',
    kind: 'Job',
    plural: 'jobs',
    categories: ALL,
    status: true,
    columns: columns.jobColumns,
    rules: jobRules,
  },
  {
    group: 'batch',
    kind: 'CronJob',
    plural: 'cronjobs',
    shortNames: ['cj'],
    categories: ALL,
    status: true,
    columns: columns.cronJobColumns,
    rules: cronJobRules,
  },
];
