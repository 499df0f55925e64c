// Containers, their environment, probes and security. The notation is that of `type-table.ts`.

export const CONTAINERS_TYPES = `
AppArmorProfile: type!:string localhostProfile?:string
Capabilities: add:[string] drop:[string]
ConfigMapEnvSource: name:string= optional?:bool
ConfigMapKeySelector!: name:string= key!:string optional?:bool
Container: name!:string image:string command:[string] args:[string] workingDir:string
  ports:[ContainerPort|containerPort,protocol^containerPort] envFrom:[EnvFromSource] env:[EnvVar|name^name]
  resources!:ResourceRequirements resizePolicy:[ContainerResizePolicy] restartPolicy?:string
  restartPolicyRules:[ContainerRestartRule] volumeMounts:[VolumeMount|mountPath^mountPath]
  volumeDevices:[VolumeDevice|devicePath^devicePath] livenessProbe?:Probe readinessProbe?:Probe startupProbe?:Probe
  lifecycle?:Lifecycle terminationMessagePath:string terminationMessagePolicy:string imagePullPolicy:string
  securityContext?:SecurityContext stdin:bool stdinOnce:bool tty:bool
ContainerExtendedResourceRequest: containerName!:string resourceName!:string requestName!:string
ContainerPort: name:string hostPort:int32 containerPort!:int32 protocol:string=TCP hostIP:string
ContainerResizePolicy: resourceName!:string restartPolicy!:string
ContainerRestartRule: action:string exitCodes?:ContainerRestartRuleOnExitCodes
ContainerRestartRuleOnExitCodes: operator:string values:[int32|]
EnvFromSource: prefix:string configMapRef?:ConfigMapEnvSource secretRef?:SecretEnvSource
EnvVar: name!:string value:string valueFrom?:EnvVarSource
EnvVarSource: fieldRef?:ObjectFieldSelector resourceFieldRef?:ResourceFieldSelector
  configMapKeyRef?:ConfigMapKeySelector secretKeyRef?:SecretKeySelector fileKeyRef?:FileKeySelector
EphemeralContainer: name!:string image:string command:[string] args:[string] workingDir:string
  ports:[ContainerPort|containerPort,protocol^containerPort] envFrom:[EnvFromSource] env:[EnvVar|name^name]
  resources!:ResourceRequirements resizePolicy:[ContainerResizePolicy] restartPolicy?:string
  restartPolicyRules:[ContainerRestartRule] volumeMounts:[VolumeMount|mountPath^mountPath]
  volumeDevices:[VolumeDevice|devicePath^devicePath] livenessProbe?:Probe readinessProbe?:Probe startupProbe?:Probe
  lifecycle?:Lifecycle terminationMessagePath:string terminationMessagePolicy:string imagePullPolicy:string
  securityContext?:SecurityContext stdin:bool stdinOnce:bool tty:bool targetContainerName:string
ExecAction: command:[string]
FileKeySelector!: volumeName!:string path!:string key!:string optional?:bool
GRPCAction: port!:int32 service?!:string=
HTTPGetAction: path:string port!:intOrString host:string scheme:string httpHeaders:[HTTPHeader]
HTTPHeader: name!:string value!:string
Lifecycle: postStart?:LifecycleHandler preStop?:LifecycleHandler stopSignal?:string
LifecycleHandler: exec?:ExecAction httpGet?:HTTPGetAction tcpSocket?:TCPSocketAction sleep?:SleepAction
ObjectFieldSelector!: apiVersion:string fieldPath!:string
Probe: exec?:ExecAction httpGet?:HTTPGetAction tcpSocket?:TCPSocketAction grpc?:GRPCAction initialDelaySeconds:int32
  timeoutSeconds:int32 periodSeconds:int32 successThreshold:int32 failureThreshold:int32
  terminationGracePeriodSeconds?:int64
ResourceClaim: name!:string request:string
ResourceFieldSelector!: containerName:string resource!:string divisor!:quantity
ResourceRequirements: limits:{quantity} requests:{quantity} claims:[ResourceClaim|name]
SELinuxOptions: user:string role:string type:string level:string
SeccompProfile: type!:string localhostProfile?:string
SecretEnvSource: name:string= optional?:bool
SecretKeySelector!: name:string= key!:string optional?:bool
SecurityContext: capabilities?:Capabilities privileged?:bool seLinuxOptions?:SELinuxOptions
  windowsOptions?:WindowsSecurityContextOptions runAsUser?:int64 runAsGroup?:int64 runAsNonRoot?:bool
  readOnlyRootFilesystem?:bool allowPrivilegeEscalation?:bool procMount?:string seccompProfile?:SeccompProfile
  appArmorProfile?:AppArmorProfile
SleepAction: seconds!:int64
TCPSocketAction: port!:intOrString host:string
VolumeDevice: name!:string devicePath!:string
VolumeMount: name!:string readOnly:bool recursiveReadOnly?:string mountPath!:string subPath:string
  mountPropagation?:string subPathExpr:string
WindowsSecurityContextOptions: gmsaCredentialSpecName?:string gmsaCredentialSpec?:string runAsUserName?:string
  hostProcess?:bool
`;
