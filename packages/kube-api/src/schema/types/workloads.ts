// The kinds of apps/v1 and batch/v1. The notation is that of `type-table.ts`.

export const WORKLOADS_TYPES = `
ControllerRevision: kind:string apiVersion:string metadata!:ObjectMeta data!:raw revision!:int64
CronJob: kind:string apiVersion:string metadata!:ObjectMeta spec!:CronJobSpec status!:CronJobStatus
CronJobSpec: schedule!:string timeZone?:string startingDeadlineSeconds?:int64 concurrencyPolicy:string suspend?:bool
  jobTemplate!:JobTemplateSpec successfulJobsHistoryLimit?:int32 failedJobsHistoryLimit?:int32
CronJobStatus: active:[ObjectReference] lastScheduleTime?:time lastSuccessfulTime?:time
DaemonSet: kind:string apiVersion:string metadata!:ObjectMeta spec!:DaemonSetSpec status!:DaemonSetStatus
DaemonSetCondition: type!:string status!:string lastTransitionTime!:time reason:string message:string
DaemonSetSpec: selector?!:LabelSelector template!:PodTemplateSpec updateStrategy!:DaemonSetUpdateStrategy
  minReadySeconds:int32 revisionHistoryLimit?:int32
DaemonSetStatus: currentNumberScheduled!:int32 numberMisscheduled!:int32 desiredNumberScheduled!:int32
  numberReady!:int32 observedGeneration:int64 updatedNumberScheduled:int32 numberAvailable:int32
  numberUnavailable:int32 collisionCount?:int32 conditions:[DaemonSetCondition|type^type]
DaemonSetUpdateStrategy: type:string rollingUpdate?:RollingUpdateDaemonSet
Deployment: kind:string apiVersion:string metadata!:ObjectMeta spec!:DeploymentSpec status!:DeploymentStatus
DeploymentCondition: type!:string status!:string lastUpdateTime!:time lastTransitionTime!:time reason:string
  message:string
DeploymentSpec: replicas?:int32 selector?!:LabelSelector template!:PodTemplateSpec strategy!:DeploymentStrategy~
  minReadySeconds:int32 revisionHistoryLimit?:int32 paused:bool progressDeadlineSeconds?:int32
DeploymentStatus: observedGeneration:int64 replicas:int32 updatedReplicas:int32 readyReplicas:int32
  availableReplicas:int32 unavailableReplicas:int32 terminatingReplicas?:int32
  conditions:[DeploymentCondition|type^type] collisionCount?:int32
DeploymentStrategy: type:string rollingUpdate?:RollingUpdateDeployment
Job: kind:string apiVersion:string metadata!:ObjectMeta spec!:JobSpec status!:JobStatus
JobCondition: type!:string status!:string lastProbeTime!:time lastTransitionTime!:time reason:string message:string
JobSpec: parallelism?:int32 completions?:int32 activeDeadlineSeconds?:int64 podFailurePolicy?:PodFailurePolicy
  successPolicy?:SuccessPolicy backoffLimit?:int32 backoffLimitPerIndex?:int32 maxFailedIndexes?:int32
  selector?:LabelSelector manualSelector?:bool template!:PodTemplateSpec ttlSecondsAfterFinished?:int32
  completionMode?:string suspend?:bool podReplacementPolicy?:string managedBy?:string
JobStatus: conditions:[JobCondition^type] startTime?:time completionTime?:time active:int32 succeeded:int32
  failed:int32 terminating?:int32 completedIndexes:string failedIndexes?:string
  uncountedTerminatedPods?:UncountedTerminatedPods ready?:int32
JobTemplateSpec: metadata!:ObjectMeta spec!:JobSpec
PodFailurePolicy: rules!:[PodFailurePolicyRule]
PodFailurePolicyOnExitCodesRequirement: containerName?:string operator!:string values!:[int32|]
PodFailurePolicyOnPodConditionsPattern: type!:string status!:string
PodFailurePolicyRule: action!:string onExitCodes?:PodFailurePolicyOnExitCodesRequirement
  onPodConditions:[PodFailurePolicyOnPodConditionsPattern]
ReplicaSet: kind:string apiVersion:string metadata!:ObjectMeta spec!:ReplicaSetSpec status!:ReplicaSetStatus
ReplicaSetCondition: type!:string status!:string lastTransitionTime!:time reason:string message:string
ReplicaSetSpec: replicas?:int32 minReadySeconds:int32 selector?!:LabelSelector template!:PodTemplateSpec
ReplicaSetStatus: replicas!:int32 fullyLabeledReplicas:int32 readyReplicas:int32 availableReplicas:int32
  terminatingReplicas?:int32 observedGeneration:int64 conditions:[ReplicaSetCondition|type^type]
RollingUpdateDaemonSet: maxUnavailable?:intOrString maxSurge?:intOrString
RollingUpdateDeployment: maxUnavailable?:intOrString maxSurge?:intOrString
RollingUpdateStatefulSetStrategy: partition?:int32 maxUnavailable?:intOrString
StatefulSet: kind:string apiVersion:string metadata!:ObjectMeta spec!:StatefulSetSpec status!:StatefulSetStatus
StatefulSetCondition: type!:string status!:string lastTransitionTime!:time reason:string message:string
StatefulSetOrdinals: start!:int32
StatefulSetPersistentVolumeClaimRetentionPolicy: whenDeleted:string whenScaled:string
StatefulSetSpec: replicas?:int32 selector?!:LabelSelector template!:PodTemplateSpec
  volumeClaimTemplates:[PersistentVolumeClaim] serviceName!:string podManagementPolicy:string
  updateStrategy!:StatefulSetUpdateStrategy revisionHistoryLimit?:int32 minReadySeconds:int32
  persistentVolumeClaimRetentionPolicy?:StatefulSetPersistentVolumeClaimRetentionPolicy ordinals?:StatefulSetOrdinals
StatefulSetStatus: observedGeneration:int64 replicas!:int32 readyReplicas:int32 currentReplicas:int32
  updatedReplicas:int32 currentRevision:string updateRevision:string collisionCount?:int32
  conditions:[StatefulSetCondition|type^type] availableReplicas!:int32
StatefulSetUpdateStrategy: type:string rollingUpdate?:RollingUpdateStatefulSetStrategy
SuccessPolicy: rules!:[SuccessPolicyRule]
SuccessPolicyRule: succeededIndexes?:string succeededCount?:int32
UncountedTerminatedPods: succeeded:[string|] failed:[string|]
`;
