// Pods: spec, status, scheduling. The notation is that of `type-table.ts`.

export const PODS_TYPES = `
Affinity: nodeAffinity?:NodeAffinity podAffinity?:PodAffinity podAntiAffinity?:PodAntiAffinity
ContainerState: waiting?:ContainerStateWaiting running?:ContainerStateRunning terminated?:ContainerStateTerminated
ContainerStateRunning: startedAt!:time
ContainerStateTerminated: exitCode!:int32 signal:int32 reason:string message:string startedAt!:time finishedAt!:time
  containerID:string
ContainerStateWaiting: reason:string message:string
ContainerStatus: name!:string state!:ContainerState lastState!:ContainerState ready!:bool restartCount!:int32
  image!:string imageID!:string containerID:string started?:bool allocatedResources:{quantity}
  resources?:ResourceRequirements volumeMounts:[VolumeMountStatus|mountPath^mountPath] user?:ContainerUser
  allocatedResourcesStatus:[ResourceStatus|name^name] stopSignal?:string
ContainerUser: linux?:LinuxContainerUser
HostAlias: ip!:string hostnames:[string]
HostIP: ip!:string
LinuxContainerUser: uid!:int64 gid!:int64 supplementalGroups:[int64]
NodeAffinity: requiredDuringSchedulingIgnoredDuringExecution?:NodeSelector
  preferredDuringSchedulingIgnoredDuringExecution:[PreferredSchedulingTerm]
NodeSelector!: nodeSelectorTerms!:[NodeSelectorTerm]
NodeSelectorRequirement: key!:string operator!:string values:[string]
NodeSelectorTerm!: matchExpressions:[NodeSelectorRequirement] matchFields:[NodeSelectorRequirement]
Pod: kind:string apiVersion:string metadata!:ObjectMeta spec!:PodSpec status!:PodStatus
PodAffinity: requiredDuringSchedulingIgnoredDuringExecution:[PodAffinityTerm]
  preferredDuringSchedulingIgnoredDuringExecution:[WeightedPodAffinityTerm]
PodAffinityTerm: labelSelector?:LabelSelector namespaces:[string] topologyKey!:string namespaceSelector?:LabelSelector
  matchLabelKeys:[string] mismatchLabelKeys:[string]
PodAntiAffinity: requiredDuringSchedulingIgnoredDuringExecution:[PodAffinityTerm]
  preferredDuringSchedulingIgnoredDuringExecution:[WeightedPodAffinityTerm]
PodCondition: type!:string observedGeneration:int64 status!:string lastProbeTime!:time lastTransitionTime!:time
  reason:string message:string
PodDNSConfig: nameservers:[string] searches:[string] options:[PodDNSConfigOption]
PodDNSConfigOption: name:string value?:string
PodExtendedResourceClaimStatus: requestMappings!:[ContainerExtendedResourceRequest] resourceClaimName!:string
PodIP: ip!:string
PodOS: name!:string
PodReadinessGate: conditionType!:string
PodResourceClaim: name!:string resourceClaimName?:string resourceClaimTemplateName?:string
PodResourceClaimStatus: name!:string resourceClaimName?:string
PodSchedulingGate: name!:string
PodSecurityContext: seLinuxOptions?:SELinuxOptions windowsOptions?:WindowsSecurityContextOptions runAsUser?:int64
  runAsGroup?:int64 runAsNonRoot?:bool supplementalGroups:[int64] supplementalGroupsPolicy?:string fsGroup?:int64
  sysctls:[Sysctl] fsGroupChangePolicy?:string seccompProfile?:SeccompProfile appArmorProfile?:AppArmorProfile
  seLinuxChangePolicy?:string
PodSpec: volumes:[Volume|name^name]~ initContainers:[Container|name^name] containers!:[Container|name^name]
  ephemeralContainers:[EphemeralContainer|name^name] restartPolicy:string terminationGracePeriodSeconds?:int64
  activeDeadlineSeconds?:int64 dnsPolicy:string nodeSelector:{string!} serviceAccountName:string serviceAccount:string
  automountServiceAccountToken?:bool nodeName:string hostNetwork:bool hostPID:bool hostIPC:bool
  shareProcessNamespace?:bool securityContext?:PodSecurityContext imagePullSecrets:[LocalObjectReference|name^name]
  hostname:string subdomain:string affinity?:Affinity schedulerName:string tolerations:[Toleration]
  hostAliases:[HostAlias|ip^ip] priorityClassName:string priority?:int32 dnsConfig?:PodDNSConfig
  readinessGates:[PodReadinessGate] runtimeClassName?:string enableServiceLinks?:bool preemptionPolicy?:string
  overhead:{quantity} topologySpreadConstraints:[TopologySpreadConstraint|topologyKey,whenUnsatisfiable^topologyKey]
  setHostnameAsFQDN?:bool os?:PodOS hostUsers?:bool schedulingGates:[PodSchedulingGate|name^name]
  resourceClaims:[PodResourceClaim|name^name]~ resources?:ResourceRequirements hostnameOverride?:string
  workloadRef?:WorkloadReference
PodStatus: observedGeneration:int64 phase:string conditions:[PodCondition|type^type] message:string reason:string
  nominatedNodeName:string hostIP:string hostIPs:[HostIP^ip] podIP:string podIPs:[PodIP|ip^ip] startTime?:time
  initContainerStatuses:[ContainerStatus] containerStatuses:[ContainerStatus] qosClass:string
  ephemeralContainerStatuses:[ContainerStatus] resize:string resourceClaimStatuses:[PodResourceClaimStatus|name^name]~
  extendedResourceClaimStatus?:PodExtendedResourceClaimStatus allocatedResources:{quantity}
  resources?:ResourceRequirements
PodTemplateSpec: metadata!:ObjectMeta spec!:PodSpec
PreferredSchedulingTerm: weight!:int32 preference!:NodeSelectorTerm
ResourceHealth: resourceID!:string health:string
ResourceStatus: name!:string resources:[ResourceHealth|resourceID]
SessionAffinityConfig: clientIP?:ClientIPConfig
Sysctl: name!:string value!:string
Toleration: key:string operator:string value:string effect:string tolerationSeconds?:int64
TopologySpreadConstraint: maxSkew!:int32 topologyKey!:string whenUnsatisfiable!:string labelSelector?:LabelSelector
  minDomains?:int32 nodeAffinityPolicy?:string nodeTaintsPolicy?:string matchLabelKeys:[string]
VolumeMountStatus: name!:string mountPath!:string readOnly:bool recursiveReadOnly?:string
WeightedPodAffinityTerm: weight!:int32 podAffinityTerm!:PodAffinityTerm
WorkloadReference: name!:string podGroup!:string podGroupReplicaKey:string
`;
