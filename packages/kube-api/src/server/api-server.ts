// The API server: takes requests, answers them from the store, and tells watchers.
import { CRD_TABLE } from '../crd/definition.ts';
import { forgetDefinition } from '../crd/controller.ts';
import type { WebhookOptions } from '../admission/message.ts';
import { Outside } from '../admission/outside.ts';
import type { Authorize } from '../discovery/access-review.ts';
import type { KubeObject } from '../json.ts';
import { BUILTIN_TYPES } from '../kinds/builtin.ts';
import { systemClock, systemRandom, type Clock, type Random } from '../ports.ts';
import { seedRoles } from '../rbac/bootstrap.ts';
import { Guard } from '../rbac/guard.ts';
import type { AuthenticationOptions, User } from '../rbac/user.ts';
import type { Change } from '../store/history.ts';
import { Store } from '../store/store.ts';
import { objectKey } from '../store/table.ts';
import type { ApiRequest, ApiResponse, Transport, WatchEvent, WatchResponse } from '../transport.ts';
import { admitted, answer, callOf, type Incoming, type Policy } from './answer.ts';
import { answerInTurns, mayWait } from './answer-in-turns.ts';
import { errorResponse, jsonResponse, type Core } from './core.ts';
import type { EventQueue } from './event-queue.ts';
import { Registry } from './registry.ts';
import { BoundedRequestLog, type RequestLog } from './request-log.ts';
import { requestInfo, type RequestInfo, type ResourceRequest } from './request-info.ts';
import { acceptedForm, shapeFor } from './shape.ts';
import { preload, seed } from './seed.ts';
import { watch } from './watch.ts';

/** Where a test kit can stand between clients and the store. */
export interface ServerHooks {
  /**
   * Around each request: `proceed` lets it reach the store and answers as the server would. What the hook returns is the
   * answer, so it can fail a request before it is committed or after.
   */
  readonly request?: (request: ApiRequest, proceed: () => ApiResponse) => ApiResponse | Promise<ApiResponse>;
  /** The same for watches; the events may be wrapped. */
  readonly watch?: (request: ApiRequest, proceed: () => WatchResponse) => WatchResponse | Promise<WatchResponse>;
  /** The revision of the view that reads with resourceVersion "0" are served from; undefined: the newest. */
  readonly cachedRevision?: (request: ApiRequest) => number | undefined;
}

/** What a server is created with; everything has a default. */
export interface ApiServerOptions {
  /** Default: the clock of the machine. */
  readonly clock?: Clock;
  /** Default: the random source of the machine. */
  readonly random?: Random;
  /** Objects to begin with, taken as they are, such as those of another server's `objects()`. */
  readonly objects?: readonly unknown[];
  /** What /version says; default v1.35.2. */
  readonly kubernetesVersion?: string;
  /** How many changes are kept for watches to resume from and lists to be continued; default 10,000. */
  readonly watchWindow?: number;
  /** How many live events a watch may fall behind before the server ends it; default 10,000. */
  readonly watchBacklog?: number;
  /** How many objects may exist; then creating more is refused as by a full etcd. Default 1,000,000. */
  readonly objectLimit?: number;
  /** How many requests the log keeps; default 100,000. */
  readonly logLimit?: number;
  /** Who may do what; default: everybody everything. Refused requests get 403, and access reviews answer by it. */
  readonly authorize?: Authorize;
  /** 'rbac': roles and bindings decide, as stored; then `authorize` is asked only about what they allow. Default: off. */
  readonly authorization?: 'rbac';
  /** How users are known. Default without `authorization`: everybody is an administrator. */
  readonly authentication?: AuthenticationOptions;
  /** How admission and conversion webhooks are reached. Default: over HTTP, by the URLs of their configurations. */
  readonly webhooks?: WebhookOptions;
  /** Default: none. */
  readonly hooks?: ServerHooks;
}

/** What a fork may have of its own; everything else is taken over. */
export type ForkOptions = Pick<ApiServerOptions, 'clock' | 'random' | 'hooks' | 'logLimit' | 'webhooks'>;

const DEFAULT_KUBERNETES_VERSION = 'v1.35.2';
const DEFAULT_WINDOW = 10_000;
const DEFAULT_BACKLOG = 10_000;
const DEFAULT_LOG_LIMIT = 100_000;
const DEFAULT_OBJECT_LIMIT = 1_000_000;

/** The server without its HTTP side. */
export class InProcessServer implements Transport {
  readonly log: RequestLog;
  readonly #log: BoundedRequestLog;
  readonly #core: Core;
  readonly #options: ApiServerOptions;
  readonly #policy: Policy;
  readonly #open = new Set<EventQueue>();

  constructor(options: ApiServerOptions, from?: InProcessServer) {
    this.#options = options;
    this.#policy = {
      facts: { kubernetesVersion: options.kubernetesVersion ?? DEFAULT_KUBERNETES_VERSION },
      authorize: options.authorize,
    };
    const { hooks } = options;
    const store =
      from === undefined ? new Store({ watchWindow: options.watchWindow ?? DEFAULT_WINDOW }) : from.#core.store.fork();
    const clock = options.clock ?? systemClock;
    const random = options.random ?? systemRandom;
    this.#core = {
      store,
      registry: from === undefined ? new Registry(BUILTIN_TYPES) : from.#core.registry.fork(),
      clock,
      random,
      guard: new Guard(options, {
        list: (table, namespace) => store.objects(table, namespace),
        get: (table, namespace, name) => store.get(table, objectKey(namespace, name)),
      }),
      outside: new Outside(options.webhooks ?? {}, clock, random, (namespace, name) =>
        Boolean(store.get('services', objectKey(namespace, name))),
      ),
      watchBacklog: options.watchBacklog ?? DEFAULT_BACKLOG,
      objectLimit: options.objectLimit ?? DEFAULT_OBJECT_LIMIT,
      cachedRevision: (call) => hooks?.cachedRevision?.(call.request),
    };
    if (from === undefined) {
      seed(this.#core);
      if (options.authorization === 'rbac') seedRoles(this.#core);
      preload(this.#core, options.objects ?? []);
    }
    store.subscribe(CRD_TABLE, (change) => {
      if (change.type === 'DELETED') forgetDefinition(this.#core.registry, change.key);
    });
    this.#log = new BoundedRequestLog(options.logLimit ?? DEFAULT_LOG_LIMIT);
    this.log = this.#log;
  }

  /** The revision of the last write. */
  get revision(): number {
    return this.#core.store.revision;
  }

  readonly request = (request: ApiRequest): Promise<ApiResponse> => this.#request(request, undefined);

  readonly watch = (request: ApiRequest): Promise<WatchResponse> => this.#watch(request, undefined);

  /** The same server for a user that the caller vouches for. */
  as(user: User): Transport {
    return { request: (request) => this.#request(request, user), watch: (request) => this.#watch(request, user) };
  }

  /** All stored objects, by resource and key. */
  objects(): readonly KubeObject[] {
    return this.#core.store.all();
  }

  /** The changes after `revision`; undefined if they are no longer known. */
  changes(revision: number): readonly Change[] | undefined {
    return revision < this.#core.store.oldest ? undefined : this.#core.store.changes(revision);
  }

  /** Forgets history up to `revision`, the newest by default: older watches and continue tokens are told 410. */
  readonly compact = (revision: number = this.revision): void => {
    this.#core.store.compact(revision);
  };

  /** Ends all watches. */
  readonly close = (): void => {
    for (const queue of this.#open) queue.end();
  };

  fork(options: ForkOptions): InProcessServer {
    return new InProcessServer({ ...this.#options, ...options }, this);
  }

  /** Logs a request, lets the hook have it, and answers. Without hook and webhooks it is answered before this returns. */
  async #request(request: ApiRequest, known: User | undefined): Promise<ApiResponse> {
    request.signal?.throwIfAborted();
    const incoming: Incoming = { request, info: requestInfo(request.method, request.path), known };
    const hook = this.#options.hooks?.request;
    const proceed = (): ApiResponse => answer(this.#core, this.#policy, incoming);
    return this.#logged(incoming, () => {
      if (mayWait(this.#core, incoming.info)) return answerInTurns(this.#core, this.#policy, incoming, hook);
      return hook === undefined ? proceed() : hook(request, proceed);
    });
  }

  async #watch(request: ApiRequest, known: User | undefined): Promise<WatchResponse> {
    request.signal?.throwIfAborted();
    const incoming: Incoming = { request, info: requestInfo(request.method, request.path), known };
    const hook = this.#options.hooks?.watch;
    const proceed = (): WatchResponse => this.#openWatch(incoming);
    return this.#logged(incoming, () => (hook === undefined ? proceed() : hook(request, proceed)));
  }

  async #logged<Response extends ApiResponse>(
    { request, info }: Incoming,
    serve: () => Response | Promise<Response>,
  ): Promise<Response> {
    const done = this.#enter(request, info);
    let status = 0;
    try {
      const served = serve();
      const response = served instanceof Promise ? await served : served;
      ({ status } = response);
      return response;
    } finally {
      done(status);
    }
  }

  #enter(request: ApiRequest, info: RequestInfo): (status: number) => void {
    const { resource } = info;
    return this.#log.open({
      at: this.#core.clock.now(),
      method: request.method,
      path: request.path,
      verb: resource?.verb ?? '',
      resource: resource === undefined ? '' : loggedResource(resource),
      namespace: resource?.namespace ?? '',
      name: resource?.name ?? '',
      userAgent: request.headers?.['user-agent'] ?? '',
      mutating: request.method !== 'GET',
      dryRun: info.query.has('dryRun') || hasDryRun(request.body),
    });
  }

  #openWatch(incoming: Incoming): WatchResponse {
    const warnings: string[] = [];
    const core = this.#core;
    const { request, info } = incoming;
    try {
      const user = admitted(core, incoming);
      const call = callOf(core, this.#policy, incoming, user, warnings);
      if (call === undefined || call.resource.verb !== 'watch')
        return { ...answer(core, this.#policy, incoming), events: NO_EVENTS };
      const shape = shapeFor(call.type, acceptedForm(request.headers?.['accept']), info.query, core.clock.now, true);
      let queue: EventQueue | undefined;
      const abort = (): void => queue?.end();
      queue = watch(core, call, shape, () => {
        request.signal?.removeEventListener('abort', abort);
        if (queue !== undefined) this.#open.delete(queue);
      });
      this.#open.add(queue);
      request.signal?.addEventListener('abort', abort, { once: true });
      return { ...jsonResponse(200, Object.freeze({}), warnings), body: undefined, events: queue };
    } catch (error) {
      return { ...errorResponse(error, warnings), events: NO_EVENTS };
    }
  }
}

const NO_EVENTS: AsyncIterable<WatchEvent> = {
  [Symbol.asyncIterator]: () => ({ next: () => Promise.resolve({ done: true, value: undefined }) }),
};

function loggedResource({ resource, group, subresource }: ResourceRequest): string {
  const name = group === '' ? resource : `${resource}.${group}`;
  return subresource === '' ? name : `${name}/${subresource}`;
}

function hasDryRun(body: unknown): boolean {
  return (
    typeof body === 'object' && body !== null && 'kind' in body && body.kind === 'DeleteOptions' && 'dryRun' in body
  );
}
