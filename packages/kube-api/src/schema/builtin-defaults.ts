// The defaults of the parts of built-in kinds, by the name of their type.
import { isList, isObject } from '../json.ts';
import type { Json, JsonObject } from '../json.ts';

const WEBHOOK: JsonObject = {
  failurePolicy: 'Fail',
  matchPolicy: 'Equivalent',
  namespaceSelector: {},
  objectSelector: {},
  timeoutSeconds: 10,
};

/** Values of absent fields. */
const FIXED: Readonly<Record<string, JsonObject>> = {
  MutatingWebhook: { ...WEBHOOK, reinvocationPolicy: 'Never' },
  ValidatingWebhook: WEBHOOK,
  RuleWithOperations: { scope: '*' },
  ServiceReference: { port: 443 },
  PodSpec: {
    restartPolicy: 'Always',
    terminationGracePeriodSeconds: 30,
    dnsPolicy: 'ClusterFirst',
    securityContext: {},
    schedulerName: 'default-scheduler',
  },
  ContainerPort: { protocol: 'TCP' },
  ServicePort: { protocol: 'TCP' },
  EndpointPort: { protocol: 'TCP' },
  NetworkPolicyPort: { protocol: 'TCP' },
  Probe: { timeoutSeconds: 1, periodSeconds: 10, successThreshold: 1, failureThreshold: 3 },
  HTTPGetAction: { path: '/', scheme: 'HTTP' },
  ObjectFieldSelector: { apiVersion: 'v1' },
  FileKeySelector: { optional: false },
  SecretVolumeSource: { defaultMode: 420 },
  ConfigMapVolumeSource: { defaultMode: 420 },
  DownwardAPIVolumeSource: { defaultMode: 420 },
  ProjectedVolumeSource: { defaultMode: 420 },
  HostPathVolumeSource: { type: '' },
  ServiceAccountTokenProjection: { expirationSeconds: 3600 },
  ISCSIVolumeSource: { iscsiInterface: 'default' },
  ISCSIPersistentVolumeSource: { iscsiInterface: 'default' },
  RBDVolumeSource: { pool: 'rbd', user: 'admin', keyring: '/etc/ceph/keyring' },
  RBDPersistentVolumeSource: { pool: 'rbd', user: 'admin', keyring: '/etc/ceph/keyring' },
  AzureDiskVolumeSource: { cachingMode: 'ReadWrite', fsType: 'ext4', readOnly: false, kind: 'Shared' },
  ScaleIOVolumeSource: { storageMode: 'ThinProvisioned', fsType: 'xfs' },
  ScaleIOPersistentVolumeSource: { storageMode: 'ThinProvisioned', fsType: 'xfs' },
  PersistentVolumeClaimSpec: { volumeMode: 'Filesystem' },
  PersistentVolumeClaimStatus: { phase: 'Pending' },
  PersistentVolumeSpec: { persistentVolumeReclaimPolicy: 'Retain', volumeMode: 'Filesystem' },
  PersistentVolumeStatus: { phase: 'Pending' },
  NamespaceStatus: { phase: 'Active' },
  Secret: { type: 'Opaque' },
  StorageClass: { reclaimPolicy: 'Delete', volumeBindingMode: 'Immediate' },
  DeploymentSpec: { replicas: 1, revisionHistoryLimit: 10, progressDeadlineSeconds: 600 },
  ReplicaSetSpec: { replicas: 1 },
  DaemonSetSpec: { revisionHistoryLimit: 10 },
  StatefulSetSpec: { podManagementPolicy: 'OrderedReady', replicas: 1, revisionHistoryLimit: 10 },
  StatefulSetPersistentVolumeClaimRetentionPolicy: { whenDeleted: 'Retain', whenScaled: 'Retain' },
  CronJobSpec: { concurrencyPolicy: 'Allow', suspend: false, successfulJobsHistoryLimit: 3, failedJobsHistoryLimit: 1 },
  PodFailurePolicyOnPodConditionsPattern: { status: 'True' },
};

type Computed = (value: JsonObject) => JsonObject;

/** Defaults that depend on other fields; also fields to overwrite. */
const COMPUTED: Readonly<Record<string, Computed>> = {
  Container: containerDefaults,
  EphemeralContainer: containerDefaults,
  Volume: volumeDefaults,
  GRPCAction: ({ service }) => (service === null ? { service: '' } : {}),
  ServiceSpec: serviceDefaults,
  ServicePort: ({ targetPort, port }) => (targetPort === 0 || targetPort === '' ? { targetPort: port } : {}),
  DeploymentStrategy: (strategy) => rollingUpdate(strategy, { maxUnavailable: '25%', maxSurge: '25%' }),
  DaemonSetUpdateStrategy: (strategy) => rollingUpdate(strategy, { maxUnavailable: 1, maxSurge: 0 }),
  StatefulSetUpdateStrategy: statefulSetStrategy,
  StatefulSetSpec: statefulSetDefaults,
  PodSpec: serviceAccountNames,
  RoleRef: ({ apiGroup }) => (apiGroup === '' ? { apiGroup: 'rbac.authorization.k8s.io' } : {}),
  Subject: ({ kind, apiGroup }) =>
    apiGroup === undefined && (kind === 'User' || kind === 'Group') ? { apiGroup: 'rbac.authorization.k8s.io' } : {},
  NetworkPolicySpec: ({ policyTypes, egress }) =>
    isList(policyTypes) ? {} : { policyTypes: isList(egress) ? ['Ingress', 'Egress'] : ['Ingress'] },
  NodeStatus: ({ allocatable, capacity }) =>
    allocatable === undefined && capacity !== undefined ? { allocatable: capacity } : {},
};

const NONE: JsonObject = Object.freeze({});

/** The members to set in a part of type `name`; `value` has neither empty nor unknown fields. */
export function structDefaults(name: string, value: JsonObject): JsonObject {
  const fixed = FIXED[name];
  const computed = COMPUTED[name]?.(value);
  if (fixed === undefined) return computed ?? NONE;
  let out: Record<string, Json | undefined> | undefined;
  for (const key in fixed) {
    if (value[key] !== undefined) continue;
    out ??= {};
    out[key] = fixed[key];
  }
  return computed === undefined ? (out ?? NONE) : { ...out, ...computed };
}

function containerDefaults(container: JsonObject): JsonObject {
  const { imagePullPolicy, image, terminationMessagePath, terminationMessagePolicy } = container;
  if (imagePullPolicy !== undefined && terminationMessagePath !== undefined && terminationMessagePolicy !== undefined)
    return NONE;
  return {
    terminationMessagePath: terminationMessagePath ?? '/dev/termination-log',
    terminationMessagePolicy: terminationMessagePolicy ?? 'File',
    imagePullPolicy: imagePullPolicy ?? pullPolicy(typeof image === 'string' ? image : ''),
  };
}

/** `Always` for the tag `latest`, also when it is implied. */
function pullPolicy(image: string): string {
  const [name = '', digest] = image.split('@');
  const tag = /:([^/:]+)$/.exec(name)?.[1];
  return tag === 'latest' || (tag === undefined && digest === undefined) ? 'Always' : 'IfNotPresent';
}

function volumeDefaults(volume: JsonObject): JsonObject {
  const { image } = volume;
  if (isObject(image) && image['pullPolicy'] === undefined) {
    const reference = typeof image['reference'] === 'string' ? image['reference'] : '';
    return { image: { ...image, pullPolicy: pullPolicy(reference) } };
  }
  for (const key in volume) if (key !== 'name') return NONE;
  return { emptyDir: {} };
}

function serviceDefaults(spec: JsonObject): JsonObject {
  const { type = 'ClusterIP', sessionAffinity = 'None', externalTrafficPolicy, internalTrafficPolicy } = spec;
  const out: Record<string, Json | undefined> = { type, sessionAffinity };
  const external = type === 'NodePort' || type === 'LoadBalancer';
  const accessible = external || (type === 'ClusterIP' && isList(spec['externalIPs']));
  if (accessible && externalTrafficPolicy === undefined) out['externalTrafficPolicy'] = 'Cluster';
  if (internalTrafficPolicy === undefined && (external || type === 'ClusterIP'))
    out['internalTrafficPolicy'] = 'Cluster';
  if (type === 'LoadBalancer' && spec['allocateLoadBalancerNodePorts'] === undefined)
    out['allocateLoadBalancerNodePorts'] = true;
  if (sessionAffinity === 'None') out['sessionAffinityConfig'] = undefined;
  if (sessionAffinity === 'ClientIP' && spec['sessionAffinityConfig'] === undefined) {
    out['sessionAffinityConfig'] = { clientIP: { timeoutSeconds: 10_800 } };
  }
  for (const key in out) if (out[key] === spec[key]) delete out[key];
  return out;
}

function rollingUpdate(strategy: JsonObject, defaults: JsonObject): JsonObject {
  const type = strategy['type'] ?? 'RollingUpdate';
  if (type !== 'RollingUpdate') return NONE;
  const given = isObject(strategy['rollingUpdate']) ? strategy['rollingUpdate'] : {};
  if (strategy['type'] !== undefined && Object.keys(defaults).every((key) => given[key] !== undefined)) return NONE;
  return { type, rollingUpdate: { ...defaults, ...given } };
}

function statefulSetStrategy(strategy: JsonObject): JsonObject {
  const given = isObject(strategy['rollingUpdate']) ? strategy['rollingUpdate'] : undefined;
  if (strategy['type'] === undefined) return { type: 'RollingUpdate', rollingUpdate: { partition: 0, ...given } };
  if (strategy['type'] !== 'RollingUpdate' || given === undefined || given['partition'] !== undefined) return NONE;
  return { rollingUpdate: { partition: 0, ...given } };
}

function statefulSetDefaults(spec: JsonObject): JsonObject {
  const { persistentVolumeClaimRetentionPolicy: policy, volumeClaimTemplates: templates } = spec;
  const out: Record<string, Json> = {};
  if (policy === undefined)
    out['persistentVolumeClaimRetentionPolicy'] = { whenDeleted: 'Retain', whenScaled: 'Retain' };
  if (isList(templates) && templates.some((template) => isObject(template) && template['kind'] === undefined)) {
    out['volumeClaimTemplates'] = templates.map((template) =>
      isObject(template) ? { apiVersion: 'v1', kind: 'PersistentVolumeClaim', ...template } : template,
    );
  }
  return out;
}

/** The old name of the field says the same as the new one. */
function serviceAccountNames({ serviceAccount, serviceAccountName = serviceAccount }: JsonObject): JsonObject {
  if (serviceAccountName === undefined) return NONE;
  return serviceAccount === serviceAccountName
    ? { serviceAccountName }
    : { serviceAccountName, serviceAccount: serviceAccountName };
}
