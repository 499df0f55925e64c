// Volumes of pods and persistent volumes. The notation is that of `type-table.ts`.

export const VOLUMES_TYPES = `
AWSElasticBlockStoreVolumeSource: volumeID!:string fsType:string partition:int32 readOnly:bool
AzureDiskVolumeSource: diskName!:string diskURI!:string cachingMode?:string=ReadWrite fsType?:string=ext4
  readOnly?:bool kind?:string=Shared
AzureFilePersistentVolumeSource: secretName!:string shareName!:string readOnly:bool secretNamespace?!:string
AzureFileVolumeSource: secretName!:string shareName!:string readOnly:bool
CSIPersistentVolumeSource: driver!:string volumeHandle!:string readOnly:bool fsType:string volumeAttributes:{string}
  controllerPublishSecretRef?:SecretReference nodeStageSecretRef?:SecretReference
  nodePublishSecretRef?:SecretReference controllerExpandSecretRef?:SecretReference
  nodeExpandSecretRef?:SecretReference
CSIVolumeSource: driver!:string readOnly?:bool fsType?:string volumeAttributes:{string}
  nodePublishSecretRef?:LocalObjectReference
CephFSPersistentVolumeSource: monitors!:[string] path:string user:string secretFile:string secretRef?:SecretReference
  readOnly:bool
CephFSVolumeSource: monitors!:[string] path:string user:string secretFile:string secretRef?:LocalObjectReference
  readOnly:bool
CinderPersistentVolumeSource: volumeID!:string fsType:string readOnly:bool secretRef?:SecretReference
CinderVolumeSource: volumeID!:string fsType:string readOnly:bool secretRef?:LocalObjectReference
ClusterTrustBundleProjection: name?:string signerName?:string labelSelector?:LabelSelector optional?:bool path!:string
ConfigMapProjection: name:string= items:[KeyToPath] optional?:bool
ConfigMapVolumeSource: name:string= items:[KeyToPath] defaultMode?:int32 optional?:bool
DownwardAPIProjection: items:[DownwardAPIVolumeFile]
DownwardAPIVolumeFile: path!:string fieldRef?:ObjectFieldSelector resourceFieldRef?:ResourceFieldSelector mode?:int32
DownwardAPIVolumeSource: items:[DownwardAPIVolumeFile] defaultMode?:int32
EmptyDirVolumeSource: medium:string sizeLimit?:quantity
EphemeralVolumeSource: volumeClaimTemplate?:PersistentVolumeClaimTemplate
FCVolumeSource: targetWWNs:[string] lun?:int32 fsType:string readOnly:bool wwids:[string]
FlexPersistentVolumeSource: driver!:string fsType:string secretRef?:SecretReference readOnly:bool options:{string}
FlexVolumeSource: driver!:string fsType:string secretRef?:LocalObjectReference readOnly:bool options:{string}
FlockerVolumeSource: datasetName:string datasetUUID:string
GCEPersistentDiskVolumeSource: pdName!:string fsType:string partition:int32 readOnly:bool
GitRepoVolumeSource: repository!:string revision:string directory:string
GlusterfsPersistentVolumeSource: endpoints!:string path!:string readOnly:bool endpointsNamespace?:string
GlusterfsVolumeSource: endpoints!:string path!:string readOnly:bool
HostPathVolumeSource: path!:string type?:string
ISCSIPersistentVolumeSource: targetPortal!:string iqn!:string lun!:int32 iscsiInterface:string=default fsType:string
  readOnly:bool portals:[string] chapAuthDiscovery:bool chapAuthSession:bool secretRef?:SecretReference
  initiatorName?:string
ISCSIVolumeSource: targetPortal!:string iqn!:string lun!:int32 iscsiInterface:string=default fsType:string
  readOnly:bool portals:[string] chapAuthDiscovery:bool chapAuthSession:bool secretRef?:LocalObjectReference
  initiatorName?:string
ImageVolumeSource: reference:string pullPolicy:string
KeyToPath: key!:string path!:string mode?:int32
LocalVolumeSource: path!:string fsType?:string
NFSVolumeSource: server!:string path!:string readOnly:bool
PersistentVolumeClaimTemplate: metadata!:ObjectMeta spec!:PersistentVolumeClaimSpec
PersistentVolumeClaimVolumeSource: claimName!:string readOnly:bool
PhotonPersistentDiskVolumeSource: pdID!:string fsType:string
PodCertificateProjection: signerName:string keyType:string maxExpirationSeconds?:int32 credentialBundlePath:string
  keyPath:string certificateChainPath:string userAnnotations:{string}
PortworxVolumeSource: volumeID!:string fsType:string readOnly:bool
ProjectedVolumeSource: sources!:[VolumeProjection] defaultMode?:int32
QuobyteVolumeSource: registry!:string volume!:string readOnly:bool user:string group:string tenant:string
RBDPersistentVolumeSource: monitors!:[string] image!:string fsType:string pool:string=rbd user:string=admin
  keyring:string=/etc/ceph/keyring secretRef?:SecretReference readOnly:bool
RBDVolumeSource: monitors!:[string] image!:string fsType:string pool:string=rbd user:string=admin
  keyring:string=/etc/ceph/keyring secretRef?:LocalObjectReference readOnly:bool
ScaleIOPersistentVolumeSource: gateway!:string system!:string secretRef?!:SecretReference sslEnabled:bool
  protectionDomain:string storagePool:string storageMode:string=ThinProvisioned volumeName:string fsType:string=xfs
  readOnly:bool
ScaleIOVolumeSource: gateway!:string system!:string secretRef?!:LocalObjectReference sslEnabled:bool
  protectionDomain:string storagePool:string storageMode:string=ThinProvisioned volumeName:string fsType:string=xfs
  readOnly:bool
SecretProjection: name:string= items:[KeyToPath] optional?:bool
SecretReference!: name:string namespace:string
SecretVolumeSource: secretName:string items:[KeyToPath] defaultMode?:int32 optional?:bool
ServiceAccountTokenProjection: audience:string expirationSeconds?:int64 path!:string
StorageOSPersistentVolumeSource: volumeName:string volumeNamespace:string fsType:string readOnly:bool
  secretRef?:ObjectReference
StorageOSVolumeSource: volumeName:string volumeNamespace:string fsType:string readOnly:bool
  secretRef?:LocalObjectReference
Volume: name!:string hostPath?:HostPathVolumeSource emptyDir?:EmptyDirVolumeSource
  gcePersistentDisk?:GCEPersistentDiskVolumeSource awsElasticBlockStore?:AWSElasticBlockStoreVolumeSource
  gitRepo?:GitRepoVolumeSource secret?:SecretVolumeSource nfs?:NFSVolumeSource iscsi?:ISCSIVolumeSource
  glusterfs?:GlusterfsVolumeSource persistentVolumeClaim?:PersistentVolumeClaimVolumeSource rbd?:RBDVolumeSource
  flexVolume?:FlexVolumeSource cinder?:CinderVolumeSource cephfs?:CephFSVolumeSource flocker?:FlockerVolumeSource
  downwardAPI?:DownwardAPIVolumeSource fc?:FCVolumeSource azureFile?:AzureFileVolumeSource
  configMap?:ConfigMapVolumeSource vsphereVolume?:VsphereVirtualDiskVolumeSource quobyte?:QuobyteVolumeSource
  azureDisk?:AzureDiskVolumeSource photonPersistentDisk?:PhotonPersistentDiskVolumeSource
  projected?:ProjectedVolumeSource portworxVolume?:PortworxVolumeSource scaleIO?:ScaleIOVolumeSource
  storageos?:StorageOSVolumeSource csi?:CSIVolumeSource ephemeral?:EphemeralVolumeSource image?:ImageVolumeSource
VolumeNodeAffinity: required?:NodeSelector
VolumeProjection: secret?:SecretProjection downwardAPI?:DownwardAPIProjection configMap?:ConfigMapProjection
  serviceAccountToken?:ServiceAccountTokenProjection clusterTrustBundle?:ClusterTrustBundleProjection
  podCertificate?:PodCertificateProjection
VsphereVirtualDiskVolumeSource: volumePath!:string fsType:string storagePolicyName:string storagePolicyID:string
`;
