// Entry point of @pawl/kube-api.
export { startActors } from './actors/index.ts';
export type { ActorName, ActorOptions, Actors, PodBehaviour, PodOptions, VolumeOptions } from './actors/index.ts';
export { ApiRefusal, diff, startCluster } from './cluster/index.ts';
export type {
  Cluster,
  ClusterClient,
  ClusterOptions,
  ClusterSnapshot,
  DiffOptions,
  Difference,
  ListOptions,
  PatchOptions,
  State,
} from './cluster/index.ts';
export { createApiServer, type ApiServer } from './create-api-server.ts';
export type { AccessRequest, Authorize } from './discovery/access-review.ts';
export type { WebhookMessage, WebhookOptions, WebhookReply, WebhookService } from './admission/message.ts';
export { listen } from './http/listen.ts';
export type { Kubeconfig } from './http/kubeconfig.ts';
export type { Listening, ListenOptions } from './http/listen.ts';
export type { Json, JsonObject, KubeObject, ObjectMeta, OwnerReference } from './json.ts';
export type { Clock, Random } from './ports.ts';
export type { AuthenticationOptions, User } from './rbac/user.ts';
export type { ApiServerOptions, ForkOptions, ServerHooks } from './server/api-server.ts';
export type { LoggedRequest, RequestLog } from './server/request-log.ts';
export type { Change } from './store/history.ts';
export type { ApiRequest, ApiResponse, Transport, WatchEvent, WatchResponse } from './transport.ts';
