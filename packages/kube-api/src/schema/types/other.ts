// Coordination, events, networking, policy, RBAC and storage classes. The notation is that of `type-table.ts`.

export const OTHER_TYPES = `
AggregationRule: clusterRoleSelectors:[LabelSelector]
ClusterRole: kind:string apiVersion:string metadata!:ObjectMeta rules!:[PolicyRule] aggregationRule?:AggregationRule
ClusterRoleBinding: kind:string apiVersion:string metadata!:ObjectMeta subjects:[Subject] roleRef!:RoleRef
EventsEvent: kind:string apiVersion:string metadata!:ObjectMeta eventTime!:microTime series?:EventsEventSeries
  reportingController:string reportingInstance:string action:string reason:string regarding!:ObjectReference
  related?:ObjectReference note:string type:string deprecatedSource!:EventSource deprecatedFirstTimestamp!:time
  deprecatedLastTimestamp!:time deprecatedCount:int32
EventsEventSeries: count!:int32 lastObservedTime!:microTime
HTTPIngressPath: path:string pathType?!:string backend!:IngressBackend
HTTPIngressRuleValue: paths!:[HTTPIngressPath]
IPBlock: cidr!:string except:[string]
Ingress: kind:string apiVersion:string metadata!:ObjectMeta spec!:IngressSpec status!:IngressStatus
IngressBackend: service?:IngressServiceBackend resource?:TypedLocalObjectReference
IngressLoadBalancerIngress: ip:string hostname:string ports:[IngressPortStatus]
IngressLoadBalancerStatus: ingress:[IngressLoadBalancerIngress]
IngressPortStatus: port!:int32 protocol!:string error?:string
IngressRule: host:string http?:HTTPIngressRuleValue
IngressServiceBackend: name!:string port!:ServiceBackendPort
IngressSpec: ingressClassName?:string defaultBackend?:IngressBackend tls:[IngressTLS] rules:[IngressRule]
IngressStatus: loadBalancer!:IngressLoadBalancerStatus
IngressTLS: hosts:[string] secretName:string
Lease: kind:string apiVersion:string metadata!:ObjectMeta spec!:LeaseSpec
LeaseSpec: holderIdentity?:string leaseDurationSeconds?:int32 acquireTime?:microTime renewTime?:microTime
  leaseTransitions?:int32 strategy?:string preferredHolder?:string
NetworkPolicy: kind:string apiVersion:string metadata!:ObjectMeta spec!:NetworkPolicySpec
NetworkPolicyEgressRule: ports:[NetworkPolicyPort] to:[NetworkPolicyPeer]
NetworkPolicyIngressRule: ports:[NetworkPolicyPort] from:[NetworkPolicyPeer]
NetworkPolicyPeer: podSelector?:LabelSelector namespaceSelector?:LabelSelector ipBlock?:IPBlock
NetworkPolicyPort: protocol?:string port?:intOrString endPort?:int32
NetworkPolicySpec: podSelector!:LabelSelector ingress:[NetworkPolicyIngressRule] egress:[NetworkPolicyEgressRule]
  policyTypes:[string]
PodDisruptionBudget: kind:string apiVersion:string metadata!:ObjectMeta spec!:PodDisruptionBudgetSpec
  status!:PodDisruptionBudgetStatus
PodDisruptionBudgetSpec: minAvailable?:intOrString selector?:LabelSelector maxUnavailable?:intOrString
  unhealthyPodEvictionPolicy?:string
PodDisruptionBudgetStatus: observedGeneration:int64 disruptedPods:{time} disruptionsAllowed!:int32
  currentHealthy!:int32 desiredHealthy!:int32 expectedPods!:int32 conditions:[Condition|type^type]
PolicyRule: verbs!:[string] apiGroups:[string] resources:[string] resourceNames:[string] nonResourceURLs:[string]
Role: kind:string apiVersion:string metadata!:ObjectMeta rules!:[PolicyRule]
RoleBinding: kind:string apiVersion:string metadata!:ObjectMeta subjects:[Subject] roleRef!:RoleRef
RoleRef!: apiGroup!:string kind!:string name!:string
ServiceBackendPort!: name:string number:int32
StorageClass: kind:string apiVersion:string metadata!:ObjectMeta provisioner!:string parameters:{string}
  reclaimPolicy?:string mountOptions:[string] allowVolumeExpansion?:bool volumeBindingMode?:string
  allowedTopologies:[TopologySelectorTerm]
Subject!: kind!:string apiGroup:string name!:string namespace:string
`;
