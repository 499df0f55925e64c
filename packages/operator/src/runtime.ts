// What the rest of the operator uses of the runtime: transport, client, discovery, cache, queue, clock.
export { cachedObject, deepFreeze, keyOf } from './cache/cached-object.ts';
export type { KeepManager, ManagedFieldsEntry } from './cache/cached-object.ts';
export { InformerFactory } from './cache/informer-factory.ts';
export type { InformerFactoryOptions, InformerShare } from './cache/informer-factory.ts';
export { Informer } from './cache/informer.ts';
export type { InformerEvent, InformerHandler, InformerOptions, InformerScope } from './cache/informer.ts';
export { Overlay } from './cache/overlay.ts';
export type { ReflectorReport, ReflectorState } from './cache/reflector-health.ts';
export { Reflector } from './cache/reflector.ts';
export type {
  ReflectorFailure,
  ReflectorOptions,
  ReflectorScope,
  ReflectorSink,
  ServerTraits,
} from './cache/reflector.ts';
export { compareResourceVersions, hasReached, isOlder, newerOf } from './cache/resource-version.ts';
export { byField, byLabel, byNamespace } from './cache/store-index.ts';
export type { IndexBy } from './cache/store-index.ts';
export { Store } from './cache/store.ts';
export type { StoreChange } from './cache/store.ts';
export { KubeError } from './client/api-error.ts';
export type { Failure, StatusCause } from './client/api-error.ts';
export type { CallBounds, CallerOptions } from './client/caller.ts';
export {
  isAlreadyExists,
  isConflict,
  isExpired,
  isForbidden,
  isInvalid,
  isNotFound,
  isOutcomeUnknown,
  isOverload,
  isTooManyRequests,
  isTransient,
  isUnauthorized,
} from './client/error-kinds.ts';
export { KubeClient } from './client/kube-client.ts';
export type { KindRef, WatchOptions } from './client/kube-client.ts';
export type { ListOptions, Page, PageOptions } from './client/lists.ts';
export { collectionPath, groupOf, objectPath, withQuery } from './client/paths.ts';
export type { ObjectName, ResourcePath } from './client/paths.ts';
export type {
  ApplyOptions,
  CreateOptions,
  JsonPatchOperation,
  PatchOptions,
  Removal,
  RemoveOptions as DeleteOptions,
} from './client/writes.ts';
export { systemClock } from '@pawl/reconciler';
export { systemRandom } from './random.ts';
export type { MonotonicClock } from '@pawl/reconciler';
export { Discovery } from './discovery/discovery.ts';
export { KindNotServedError } from './discovery/kind-not-served.ts';
export type { ServedResource } from './discovery/served-resource.ts';
export { WorkQueue } from './queue/work-queue.ts';
export type { Urgency, WorkQueueOptions, WorkQueueSize } from './queue/work-queue.ts';
export { chooseServer } from './transport/choose-server.ts';
export type { ServerChoice, Surroundings } from './transport/choose-server.ts';
export { anonymous } from './transport/credentials.ts';
export type { Credentials, Identity, TlsMaterial } from './transport/credentials.ts';
export { HttpTransport } from './transport/http-transport.ts';
export type { HttpTransportOptions } from './transport/http-transport.ts';
export type { ApiRequest, ApiResponse, Transport, WatchEvent, WatchResponse } from './transport/transport.ts';
export { asError, backoffMs, bounded, DeadlineError, fraction, pause } from './waiting.ts';
export type { BackoffRange, Bounds } from './waiting.ts';
