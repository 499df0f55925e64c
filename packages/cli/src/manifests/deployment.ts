// The operator as a Deployment: two replicas that agree by a Lease, without any right on their node.
import { labelsOf, selectorOf, type Manifest } from './manifest.ts';
import type { ManifestOptions } from './options.ts';
import { stringify } from 'yaml';

/** Where `/healthz`, `/readyz` and `/metrics` are. */
export const HEALTH_PORT = 8080;
const CONFIG_FOLDER = '/etc/pawl';
/** A user that exists nowhere. */
const NOBODY = 65_532;
/** Time for work in flight, then for the last Events and the Lease. */
const GRACE_SECONDS = 45;
/** Settings that the Deployment itself knows better than a file. */
const DEPLOYED: ReadonlySet<string> = new Set(['operatorName', 'release', 'namespaces', 'leaseNamespace', 'podName', 'podNamespace', 'podUid', 'healthPort']);

/** Namespace, settings, Deployment and disruption budget. */
export function deploymentOf(options: ManifestOptions): readonly Manifest[] {
  const { name, namespace, replicas } = options;
  const labels = labelsOf(options);
  const metadata = { name, namespace, labels };
  const settings = ownSettings(options);
  const budget: Manifest = {
    object: {
      apiVersion: 'policy/v1',
      kind: 'PodDisruptionBudget',
      metadata,
      spec: { maxUnavailable: 1, selector: { matchLabels: selectorOf(options) } },
    },
  };
  return [
    ...(settings === undefined ? [] : [settings]),
    {
      object: {
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        metadata,
        spec: {
          replicas,
          // A replica is ready before it leads; one that would strand objects never is, and the old ones stay.
          strategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 0, maxSurge: 1 } },
          selector: { matchLabels: selectorOf(options) },
          template: { metadata: { labels }, spec: podOf(options, settings !== undefined) },
        },
      },
      comments: { 'spec.strategy': 'A release that would strand objects does not become ready: the old pods stay.' },
    },
    ...(replicas > 1 ? [budget] : []),
  ];
}

/** The namespace of the operator, unless it is one that every cluster has. */
export function namespaceOf(options: ManifestOptions): readonly Manifest[] {
  const { namespace } = options;
  if (namespace === 'default' || namespace.startsWith('kube-')) return [];
  const labels = { ...labelsOf(options), 'pod-security.kubernetes.io/enforce': 'restricted' };
  return [{ object: { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace, labels } } }];
}

/** The settings of a configuration file, but for those that follow from the Deployment. */
function ownSettings(options: ManifestOptions): Manifest | undefined {
  const settings = Object.fromEntries(Object.entries(options.settings).filter(([field]) => !DEPLOYED.has(field)));
  if (Object.keys(settings).length === 0) return undefined;
  const { name, namespace } = options;
  return {
    object: {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: `${name}-config`, namespace, labels: labelsOf(options) },
      data: { 'config.yaml': stringify(settings) },
    },
    comment: 'Settings of the operator, not of secrets: everybody who may read ConfigMaps here can read them.',
  };
}

function podOf(options: ManifestOptions, hasSettings: boolean): object {
  const { name } = options;
  const volumes = [
    { name: 'tmp', emptyDir: { sizeLimit: '64Mi' } },
    ...(hasSettings ? [{ name: 'config', configMap: { name: `${name}-config` } }] : []),
  ];
  return {
    serviceAccountName: name,
    enableServiceLinks: false,
    terminationGracePeriodSeconds: GRACE_SECONDS,
    securityContext: { runAsNonRoot: true, runAsUser: NOBODY, runAsGroup: NOBODY, seccompProfile: { type: 'RuntimeDefault' } },
    topologySpreadConstraints: [
      {
        maxSkew: 1,
        topologyKey: 'kubernetes.io/hostname',
        whenUnsatisfiable: 'ScheduleAnyway',
        labelSelector: { matchLabels: selectorOf(options) },
      },
    ],
    containers: [containerOf(options, hasSettings)],
    volumes,
  };
}

function containerOf(options: ManifestOptions, hasSettings: boolean): object {
  const probe = (path: string, failureThreshold: number): object => ({
    httpGet: { path, port: 'health' },
    periodSeconds: 10,
    timeoutSeconds: 5,
    failureThreshold,
  });
  return {
    name: 'operator',
    image: options.image,
    args: ['run'],
    env: environmentOf(options, hasSettings),
    ports: [{ name: 'health', containerPort: HEALTH_PORT }],
    livenessProbe: probe('/healthz', 6),
    readinessProbe: probe('/readyz', 3),
    resources: { requests: { cpu: '50m', memory: '192Mi' }, limits: { memory: '512Mi' } },
    terminationMessagePolicy: 'FallbackToLogsOnError',
    securityContext: { allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: { drop: ['ALL'] } },
    volumeMounts: [
      { name: 'tmp', mountPath: '/tmp' },
      ...(hasSettings ? [{ name: 'config', mountPath: CONFIG_FOLDER, readOnly: true }] : []),
    ],
  };
}

function environmentOf({ name, release, watched }: ManifestOptions, hasSettings: boolean): readonly object[] {
  const field = (path: string): object => ({ fieldRef: { fieldPath: path } });
  return [
    { name: 'POD_NAME', valueFrom: field('metadata.name') },
    { name: 'POD_NAMESPACE', valueFrom: field('metadata.namespace') },
    { name: 'POD_UID', valueFrom: field('metadata.uid') },
    { name: 'PAWL_LEASE_NAMESPACE', valueFrom: field('metadata.namespace') },
    { name: 'PAWL_OPERATOR_NAME', value: name },
    { name: 'PAWL_RELEASE', value: release },
    { name: 'PAWL_HEALTH_PORT', value: String(HEALTH_PORT) },
    ...(watched === undefined ? [] : [{ name: 'PAWL_NAMESPACES', value: watched.join(',') }]),
    ...(hasSettings ? [{ name: 'PAWL_CONFIG', value: `${CONFIG_FOLDER}/config.yaml` }] : []),
  ];
}
