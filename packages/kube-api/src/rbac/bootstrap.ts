// The roles and bindings that a server with RBAC starts with.
import type { JsonObject, KubeObject } from '../json.ts';
import { now, type Core } from '../server/core.ts';

const API_VERSION = 'rbac.authorization.k8s.io/v1';
const GROUP = 'rbac.authorization.k8s.io';
const READ = ['get', 'list', 'watch'];
const WRITE = ['create', 'delete', 'deletecollection', 'patch', 'update'];
const PUBLIC = ['/healthz', '/livez', '/readyz', '/version', '/version/'];

function rule(verbs: readonly string[], apiGroups: readonly string[], resources: readonly string[]): JsonObject {
  return { verbs, apiGroups, resources };
}

function paths(nonResourceURLs: readonly string[]): JsonObject {
  return { verbs: ['get'], nonResourceURLs };
}

function withStatus(...names: readonly string[]): readonly string[] {
  return names.flatMap((name) => [name, `${name}/status`]);
}

function withScale(...names: readonly string[]): readonly string[] {
  return names.flatMap((name) => [name, `${name}/scale`]);
}

const VIEW: readonly JsonObject[] = [
  rule(READ, [''], ['configmaps', 'endpoints', 'events', 'namespaces', 'pods/log', 'serviceaccounts']),
  rule(READ, [''], withStatus('persistentvolumeclaims', 'pods', 'services')),
  rule(READ, ['events.k8s.io'], ['events']),
  rule(
    READ,
    ['apps'],
    ['controllerrevisions', ...withStatus('daemonsets', 'deployments', 'replicasets', 'statefulsets')],
  ),
  rule(READ, ['apps'], ['deployments/scale', 'replicasets/scale', 'statefulsets/scale']),
  rule(READ, ['batch'], withStatus('cronjobs', 'jobs')),
  rule(READ, ['policy'], withStatus('poddisruptionbudgets')),
  rule(READ, ['networking.k8s.io'], [...withStatus('ingresses'), 'networkpolicies']),
];

const EDIT: readonly JsonObject[] = [
  ...VIEW,
  rule(READ, [''], ['secrets']),
  rule(['create'], [''], ['pods/eviction']),
  rule(
    WRITE,
    [''],
    ['configmaps', 'events', 'persistentvolumeclaims', 'pods', 'secrets', 'serviceaccounts', 'services'],
  ),
  rule(WRITE, ['events.k8s.io'], ['events']),
  rule(WRITE, ['apps'], ['daemonsets', ...withScale('deployments', 'replicasets', 'statefulsets')]),
  rule(WRITE, ['batch'], ['cronjobs', 'jobs']),
  rule(WRITE, ['policy'], ['poddisruptionbudgets']),
  rule(WRITE, ['networking.k8s.io'], ['ingresses', 'networkpolicies']),
  rule([...READ, ...WRITE], ['coordination.k8s.io'], ['leases']),
];

const ROLES: Readonly<Record<string, readonly JsonObject[]>> = {
  'cluster-admin': [rule(['*'], ['*'], ['*']), { verbs: ['*'], nonResourceURLs: ['*'] }],
  'system:discovery': [
    paths(['/api', '/api/*', '/apis', '/apis/*', ...PUBLIC.slice(0, 2), '/openapi', '/openapi/*', ...PUBLIC.slice(2)]),
  ],
  'system:basic-user': [
    rule(['create'], ['authorization.k8s.io'], ['selfsubjectaccessreviews', 'selfsubjectrulesreviews']),
    rule(['create'], ['authentication.k8s.io'], ['selfsubjectreviews']),
  ],
  'system:public-info-viewer': [paths(PUBLIC)],
  view: VIEW,
  edit: EDIT,
  admin: [
    ...EDIT,
    rule(['create'], ['authorization.k8s.io'], ['localsubjectaccessreviews']),
    rule([...READ, ...WRITE], [GROUP], ['rolebindings', 'roles']),
  ],
};

const BINDINGS: Readonly<Record<string, readonly string[]>> = {
  'cluster-admin': ['system:masters'],
  'system:discovery': ['system:authenticated'],
  'system:basic-user': ['system:authenticated'],
  'system:public-info-viewer': ['system:authenticated', 'system:unauthenticated'],
};

/** Stores them. */
export function seedRoles(core: Core): void {
  for (const object of bootstrapObjects()) {
    const metadata = { ...object.metadata, uid: core.random.uuid(), creationTimestamp: now(core) };
    const table = object.kind === 'ClusterRole' ? 'clusterroles' : 'clusterrolebindings';
    core.store.put(`${table}.${GROUP}`, object.metadata.name ?? '', { ...object, metadata });
  }
}

/** ClusterRoles and ClusterRoleBindings, without uid and creation time. The roles for people are not aggregated. */
function bootstrapObjects(): readonly KubeObject[] {
  const labels = { 'kubernetes.io/bootstrapping': 'rbac-defaults' };
  const roles = Object.entries(ROLES).map(([name, rules]) => ({
    kind: 'ClusterRole',
    apiVersion: API_VERSION,
    metadata: { name, labels },
    rules,
  }));
  const bindings = Object.entries(BINDINGS).map(([name, groups]) => ({
    kind: 'ClusterRoleBinding',
    apiVersion: API_VERSION,
    metadata: { name, labels },
    subjects: groups.map((group) => ({ kind: 'Group', apiGroup: GROUP, name: group })),
    roleRef: { apiGroup: GROUP, kind: 'ClusterRole', name },
  }));
  return [...roles, ...bindings];
}
