// Field numbers of the built-in types in Kubernetes' protobuf encoding.
//
// A field's number is one more than that of the field before it in the type's table (`schema/types/`), beginning with 1,
// except where a line here gives it: `Name: field=number`. `2.1` is field 1 of the message in field 2: such a message is
// written without a name of its own in JSON. `kind` and `apiVersion` at the head of a type are not part of the message.
import type { MapType } from '../schema/type-schema.ts';

const EXCEPTIONS = `
ClusterTrustBundleProjection: optional=5 path=4
ConfigMap: immutable=4 data=2
ConfigMapEnvSource: name=1.1 optional=2
ConfigMapKeySelector: name=1.1 key=2
ConfigMapProjection: name=1.1 items=2 optional=4
ConfigMapVolumeSource: name=1.1 items=2
Container: envFrom=19 env=7 resizePolicy=23 volumeMounts=9 volumeDevices=21 livenessProbe=10 startupProbe=22
  lifecycle=12 terminationMessagePolicy=20 imagePullPolicy=14
CronJobSpec: timeZone=8 startingDeadlineSeconds=2
CronJobStatus: lastScheduleTime=4
DaemonSetSpec: revisionHistoryLimit=6
DeploymentCondition: lastUpdateTime=6 reason=4
DeploymentSpec: progressDeadlineSeconds=9
DeploymentStatus: readyReplicas=7 availableReplicas=4 terminatingReplicas=9 conditions=6 collisionCount=8
EndpointAddress: hostname=3 targetRef=2
EphemeralContainer: name=1.1 envFrom=1.19 env=1.7 resizePolicy=1.23 volumeMounts=1.9 volumeDevices=1.21
  livenessProbe=1.10 startupProbe=1.22 lifecycle=1.12 terminationMessagePolicy=1.20 imagePullPolicy=1.14
  targetContainerName=2
HTTPIngressPath: pathType=3 backend=2
ISCSIPersistentVolumeSource: chapAuthSession=11 secretRef=10 initiatorName=12
ISCSIVolumeSource: chapAuthSession=11 secretRef=10 initiatorName=12
IngressBackend: service=4 resource=3
IngressLoadBalancerIngress: ports=4
IngressRule: http=2.1
IngressSpec: ingressClassName=4 defaultBackend=1
JobSpec: podFailurePolicy=11 successPolicy=16 backoffLimit=7 backoffLimitPerIndex=12 selector=4
  ttlSecondsAfterFinished=8 podReplacementPolicy=14
JobStatus: terminating=11 completedIndexes=7 failedIndexes=10 uncountedTerminatedPods=8
ManagedFieldsEntry: fieldsType=6
NamespaceCondition: lastTransitionTime=4
NodeConfigSource: configMap=2
NodeSpec: podCIDRs=7 providerID=3 externalID=2
ObjectMeta: managedFields=17
OwnerReference: apiVersion=5 kind=1 name=3 controller=6
PersistentVolumeClaimSpec: selector=4 resources=2 storageClassName=5
PersistentVolumeClaimStatus: allocatedResourceStatuses=7
PersistentVolumeSpec: gcePersistentDisk=2.1 accessModes=3
PodCondition: observedGeneration=7 status=2
PodResourceClaim: resourceClaimName=3
PodSecurityContext: windowsOptions=8 runAsUser=2 runAsGroup=6 runAsNonRoot=3 supplementalGroupsPolicy=12 fsGroup=5
  sysctls=7 fsGroupChangePolicy=9 seLinuxChangePolicy=13
PodSpec: initContainers=20 containers=2 ephemeralContainers=34 restartPolicy=3 automountServiceAccountToken=21
  nodeName=10 shareProcessNamespace=27 securityContext=14 tolerations=22 readinessGates=28 setHostnameAsFQDN=35
PodStatus: observedGeneration=17 phase=1 nominatedNodeName=11 hostIP=5 hostIPs=16 podIP=6 podIPs=12 startTime=7
  initContainerStatuses=10 containerStatuses=8 ephemeralContainerStatuses=13 extendedResourceClaimStatus=18
Probe: exec=1.1 initialDelaySeconds=2
ReplicaSetSpec: minReadySeconds=4 selector=2
ReplicaSetStatus: readyReplicas=4 terminatingReplicas=7 observedGeneration=3 conditions=6
Secret: immutable=5 data=2 stringData=4 type=3
SecretEnvSource: name=1.1 optional=2
SecretKeySelector: name=1.1 key=2
SecretProjection: name=1.1 items=2 optional=4
SecurityContext: windowsOptions=10 runAsUser=4 runAsGroup=8 runAsNonRoot=5 procMount=9 seccompProfile=11
ServicePort: appProtocol=6 port=3
ServiceSpec: clusterIPs=18 type=4 sessionAffinity=7 ipFamilies=19 ipFamilyPolicy=17 allocateLoadBalancerNodePorts=20
StatefulSetStatus: collisionCount=9
Volume: hostPath=2.1 projected=2.26 portworxVolume=2.24 storageos=2.27
VolumeMount: recursiveReadOnly=7 mountPath=3
`;

const exceptions = new Map(
  EXCEPTIONS.split(/\n(?=\S)/)
    .map((lines) => lines.split(/\s+/).filter((word) => word !== ''))
    .map(([head = '', ...words]) => [
      head.slice(0, -1),
      new Map(words.map((word) => word.split('=') as [string, string])),
    ]),
);

/** The numbers of the fields of a type, by name, such as `7` or `2.1`. */
export function fieldNumbers(type: string, { fields }: MapType): ReadonlyMap<string, string> {
  const numbers = new Map<string, string>();
  const given = exceptions.get(type);
  let last = '0';
  for (const name of messageFields([...fields.keys()])) {
    last = given?.get(name) ?? successor(last);
    numbers.set(name, last);
  }
  return numbers;
}

function messageFields(names: readonly string[]): readonly string[] {
  return names[0] === 'kind' && names[1] === 'apiVersion' ? names.slice(2) : names;
}

function successor(number: string): string {
  const dot = number.lastIndexOf('.') + 1;
  return number.slice(0, dot) + String(Number(number.slice(dot)) + 1);
}
