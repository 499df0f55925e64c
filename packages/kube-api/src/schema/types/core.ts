// The other kinds of the core group. The notation is that of `type-table.ts`.

export const CORE_TYPES = `
AttachedVolume: name!:string devicePath!:string
ClientIPConfig: timeoutSeconds?:int32
ConfigMap: kind:string apiVersion:string metadata!:ObjectMeta immutable?:bool data:{string} binaryData:{bytes}
ConfigMapNodeConfigSource: namespace!:string name!:string uid:string resourceVersion:string kubeletConfigKey!:string
ContainerImage: names!:[string] sizeBytes:int64
DaemonEndpoint: Port!:int32
EndpointAddress!: ip!:string hostname:string nodeName?:string targetRef?:ObjectReference
EndpointPort!: name:string port!:int32 protocol:string appProtocol?:string
EndpointSubset: addresses:[EndpointAddress] notReadyAddresses:[EndpointAddress] ports:[EndpointPort]
Endpoints: kind:string apiVersion:string metadata!:ObjectMeta subsets:[EndpointSubset]
Event: kind:string apiVersion:string metadata!:ObjectMeta involvedObject!:ObjectReference reason:string message:string
  source!:EventSource firstTimestamp!:time lastTimestamp!:time count:int32 type:string eventTime!:microTime
  series?:EventSeries action:string related?:ObjectReference reportingComponent!:string reportingInstance!:string
EventSeries: count:int32 lastObservedTime!:microTime
EventSource: component:string host:string
LoadBalancerIngress: ip:string hostname:string ipMode?:string ports:[PortStatus]
LoadBalancerStatus: ingress:[LoadBalancerIngress]
LocalObjectReference!: name:string=
ModifyVolumeStatus: targetVolumeAttributesClassName:string status!:string
Namespace: kind:string apiVersion:string metadata!:ObjectMeta spec!:NamespaceSpec status!:NamespaceStatus
NamespaceCondition: type!:string status!:string lastTransitionTime!:time reason:string message:string
NamespaceSpec: finalizers:[string]
NamespaceStatus: phase:string conditions:[NamespaceCondition|type^type]
Node: kind:string apiVersion:string metadata!:ObjectMeta spec!:NodeSpec status!:NodeStatus
NodeAddress: type!:string address!:string
NodeCondition: type!:string status!:string lastHeartbeatTime!:time lastTransitionTime!:time reason:string
  message:string
NodeConfigSource: configMap?:ConfigMapNodeConfigSource
NodeConfigStatus: assigned?:NodeConfigSource active?:NodeConfigSource lastKnownGood?:NodeConfigSource error:string
NodeDaemonEndpoints: kubeletEndpoint!:DaemonEndpoint
NodeFeatures: supplementalGroupsPolicy?:bool
NodeRuntimeHandler: name!:string features?:NodeRuntimeHandlerFeatures
NodeRuntimeHandlerFeatures: recursiveReadOnlyMounts?:bool userNamespaces?:bool
NodeSpec: podCIDR:string podCIDRs:[string|^] providerID:string unschedulable:bool taints:[Taint]
  configSource?:NodeConfigSource externalID:string
NodeStatus: capacity:{quantity} allocatable:{quantity} phase:string conditions:[NodeCondition|type^type]
  addresses:[NodeAddress|type^type] daemonEndpoints!:NodeDaemonEndpoints nodeInfo!:NodeSystemInfo
  images:[ContainerImage] volumesInUse:[string] volumesAttached:[AttachedVolume] config?:NodeConfigStatus
  runtimeHandlers:[NodeRuntimeHandler] features?:NodeFeatures declaredFeatures:[string]
NodeSwapStatus: capacity?:int64
NodeSystemInfo: machineID!:string systemUUID!:string bootID!:string kernelVersion!:string osImage!:string
  containerRuntimeVersion!:string kubeletVersion!:string kubeProxyVersion!:string operatingSystem!:string
  architecture!:string swap?:NodeSwapStatus
ObjectReference!: kind:string namespace:string name:string uid:string apiVersion:string resourceVersion:string
  fieldPath:string
PersistentVolume: kind:string apiVersion:string metadata!:ObjectMeta spec!:PersistentVolumeSpec
  status!:PersistentVolumeStatus
PersistentVolumeClaim: kind:string apiVersion:string metadata!:ObjectMeta spec!:PersistentVolumeClaimSpec
  status!:PersistentVolumeClaimStatus
PersistentVolumeClaimCondition: type!:string status!:string lastProbeTime!:time lastTransitionTime!:time reason:string
  message:string
PersistentVolumeClaimSpec: accessModes:[string] selector?:LabelSelector resources!:VolumeResourceRequirements
  volumeName:string storageClassName?:string volumeMode?:string dataSource?:TypedLocalObjectReference
  dataSourceRef?:TypedObjectReference volumeAttributesClassName?:string
PersistentVolumeClaimStatus: phase:string accessModes:[string] capacity:{quantity}
  conditions:[PersistentVolumeClaimCondition|type^type] allocatedResources:{quantity}
  allocatedResourceStatuses:{string} currentVolumeAttributesClassName?:string modifyVolumeStatus?:ModifyVolumeStatus
PersistentVolumeSpec: capacity:{quantity} gcePersistentDisk?:GCEPersistentDiskVolumeSource
  awsElasticBlockStore?:AWSElasticBlockStoreVolumeSource hostPath?:HostPathVolumeSource
  glusterfs?:GlusterfsPersistentVolumeSource nfs?:NFSVolumeSource rbd?:RBDPersistentVolumeSource
  iscsi?:ISCSIPersistentVolumeSource cinder?:CinderPersistentVolumeSource cephfs?:CephFSPersistentVolumeSource
  fc?:FCVolumeSource flocker?:FlockerVolumeSource flexVolume?:FlexPersistentVolumeSource
  azureFile?:AzureFilePersistentVolumeSource vsphereVolume?:VsphereVirtualDiskVolumeSource
  quobyte?:QuobyteVolumeSource azureDisk?:AzureDiskVolumeSource photonPersistentDisk?:PhotonPersistentDiskVolumeSource
  portworxVolume?:PortworxVolumeSource scaleIO?:ScaleIOPersistentVolumeSource local?:LocalVolumeSource
  storageos?:StorageOSPersistentVolumeSource csi?:CSIPersistentVolumeSource accessModes:[string]
  claimRef?:ObjectReference+ persistentVolumeReclaimPolicy:string storageClassName:string mountOptions:[string]
  volumeMode?:string nodeAffinity?:VolumeNodeAffinity volumeAttributesClassName?:string
PersistentVolumeStatus: phase:string message:string reason:string lastPhaseTransitionTime?:time
PortStatus: port!:int32 protocol!:string error?:string
Secret: kind:string apiVersion:string metadata!:ObjectMeta immutable?:bool data:{bytes} stringData:{string}
  type:string
Service: kind:string apiVersion:string metadata!:ObjectMeta spec!:ServiceSpec status!:ServiceStatus
ServiceAccount: kind:string apiVersion:string metadata!:ObjectMeta secrets:[ObjectReference|name^name]
  imagePullSecrets:[LocalObjectReference] automountServiceAccountToken?:bool
ServicePort: name:string protocol:string=TCP appProtocol?:string port!:int32 targetPort!:intOrString nodePort:int32
ServiceSpec: ports:[ServicePort|port,protocol^port] selector:{string!} clusterIP:string clusterIPs:[string]
  type:string externalIPs:[string] sessionAffinity:string loadBalancerIP:string loadBalancerSourceRanges:[string]
  externalName:string externalTrafficPolicy:string healthCheckNodePort:int32 publishNotReadyAddresses:bool
  sessionAffinityConfig?:SessionAffinityConfig ipFamilies:[string] ipFamilyPolicy?:string
  allocateLoadBalancerNodePorts?:bool loadBalancerClass?:string internalTrafficPolicy?:string
  trafficDistribution?:string
ServiceStatus: loadBalancer!:LoadBalancerStatus conditions:[Condition|type^type]
Taint: key!:string value:string effect!:string timeAdded?:time
TopologySelectorLabelRequirement: key!:string values!:[string]
TopologySelectorTerm!: matchLabelExpressions:[TopologySelectorLabelRequirement]
TypedLocalObjectReference!: apiGroup?!:string kind!:string name!:string
TypedObjectReference: apiGroup?!:string kind!:string name!:string namespace?:string
VolumeResourceRequirements: limits:{quantity} requests:{quantity}
`;
