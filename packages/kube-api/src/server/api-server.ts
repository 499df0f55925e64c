// The API server: takes requests, answers them from the store, and tells watchers.
import { CRD_TABLE } from '../crd/definition.ts';
import { forgetDefinition, settleDefinitions } from '../crd/controller.ts';
import { badRequest, forbidden } from '../errors.ts';
import { ACCESS_REVIEW_PATH, type Authorize } from '../discovery/access-review.ts';
import { BUILTIN_TYPES } from '../kinds/builtin.ts';
import { systemClock, systemRandom, type Clock, type Random } from '../ports.ts';
import type { KubeObject } from '../json.ts';
import type { Change } from '../store/history.ts';
import { Store } from '../store/store.ts';
import type { ApiRequest, ApiResponse, Transport, WatchEvent, WatchResponse } from '../transport.ts';
import { errorResponse, jsonResponse, now, type Call, type Core } from './core.ts';
import { dispatch } from './dispatch.ts';
import type { EventQueue } from './event-queue.ts';
import { Registry } from './registry.ts';
import { BoundedRequestLog, type RequestLog } from './request-log.ts';
import { requestInfo, type RequestInfo, type ResourceRequest } from './request-info.ts';
import { acceptedForm, shapeFor } from './shape.ts';
import { preload, seed } from './seed.ts';
import { watch } from './watch.ts';
import { answerOther, type ServerFacts } from '../discovery/other-paths.ts';

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
  /** How many requests the log keeps; default 100,000. */
  readonly logLimit?: number;
  /** Who may do what; default: everybody everything. Refused requests get 403, and access reviews answer by it. */
  readonly authorize?: Authorize;
  /** Default: none. */
  readonly hooks?: ServerHooks;
}

/** What a fork may have of its own; everything else is taken over. */
export type ForkOptions = Pick<ApiServerOptions, 'clock' | 'random' | 'hooks' | 'logLimit'>;

const DEFAULT_KUBERNETES_VERSION = 'v1.35.2';
const DEFAULT_WINDOW = 10_000;
const DEFAULT_BACKLOG = 10_000;
const DEFAULT_LOG_LIMIT = 100_000;

/** The server without its HTTP side. */
export class InProcessServer implements Transport {
  readonly log: RequestLog;
  readonly #log: BoundedRequestLog;
  readonly #core: Core;
  readonly #options: ApiServerOptions;
  readonly #facts: ServerFacts;
  readonly #open = new Set<EventQueue>();

  constructor(options: ApiServerOptions, from?: InProcessServer) {
    this.#options = options;
    this.#facts = {
      kubernetesVersion: options.kubernetesVersion ?? DEFAULT_KUBERNETES_VERSION,
      authorize: options.authorize,
    };
    const { hooks } = options;
    const store =
      from === undefined ? new Store({ watchWindow: options.watchWindow ?? DEFAULT_WINDOW }) : from.#core.store.fork();
    this.#core = {
      store,
      registry: from === undefined ? new Registry(BUILTIN_TYPES) : from.#core.registry.fork(),
      clock: options.clock ?? systemClock,
      random: options.random ?? systemRandom,
      watchBacklog: options.watchBacklog ?? DEFAULT_BACKLOG,
      cachedRevision: (call) => hooks?.cachedRevision?.(call.request),
    };
    if (from === undefined) {
      seed(this.#core);
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

  readonly request = (request: ApiRequest): Promise<ApiResponse> =>
    this.#serve(request, this.#answer, this.#options.hooks?.request);

  readonly watch = (request: ApiRequest): Promise<WatchResponse> =>
    this.#serve(request, this.#openWatch, this.#options.hooks?.watch);

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

  /** Logs a request, lets the hook have it, and answers. Without a hook it is answered before this returns. */
  async #serve<Response extends ApiResponse>(
    request: ApiRequest,
    answer: (request: ApiRequest, info: RequestInfo) => Response,
    hook: ((request: ApiRequest, proceed: () => Response) => Response | Promise<Response>) | undefined,
  ): Promise<Response> {
    request.signal?.throwIfAborted();
    const info = requestInfo(request.method, request.path);
    const done = this.#enter(request, info);
    let status = 0;
    try {
      const response = hook === undefined ? answer(request, info) : await hook(request, () => answer(request, info));
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

  readonly #answer = (request: ApiRequest, info: RequestInfo): ApiResponse => {
    const warnings: string[] = [];
    try {
      const call = this.#call(request, info, warnings);
      if (call === undefined) return answerOther(this.#core, request, info, this.#facts);
      if (call.resource.verb === 'watch') throw badRequest('a watch is opened with watch(), not with request()');
      const shape = shapeFor(
        call.type,
        acceptedForm(request.headers?.['accept']),
        info.query,
        this.#core.clock.now,
        false,
      );
      const revision = this.#core.store.revision;
      const result = dispatch(this.#core, call);
      if (this.#core.store.revision !== revision) this.#settle(call);
      return jsonResponse(result.status, shape(result.body), warnings);
    } catch (error) {
      return errorResponse(error, warnings);
    }
  };

  readonly #openWatch = (request: ApiRequest, info: RequestInfo): WatchResponse => {
    const warnings: string[] = [];
    try {
      const call = this.#call(request, info, warnings);
      if (call === undefined || call.resource.verb !== 'watch')
        return { ...this.#answer(request, info), events: NO_EVENTS };
      const shape = shapeFor(
        call.type,
        acceptedForm(request.headers?.['accept']),
        info.query,
        this.#core.clock.now,
        true,
      );
      let queue: EventQueue | undefined;
      const abort = (): void => queue?.end();
      queue = watch(this.#core, call, shape, () => {
        request.signal?.removeEventListener('abort', abort);
        if (queue !== undefined) this.#open.delete(queue);
      });
      this.#open.add(queue);
      request.signal?.addEventListener('abort', abort, { once: true });
      return { ...jsonResponse(200, Object.freeze({}), warnings), body: undefined, events: queue };
    } catch (error) {
      return { ...errorResponse(error, warnings), events: NO_EVENTS };
    }
  };

  /** @throws StatusError 403 if the policy of the server forbids the request. */
  #authorize({ resource, request }: Call): void {
    const { authorize } = this.#options;
    if (authorize === undefined) return;
    const { verb, group, version, subresource, namespace, name } = resource;
    if (
      authorize({
        verb,
        group,
        version,
        resource: resource.resource,
        subresource,
        namespace,
        name,
        headers: request.headers ?? {},
      })
    )
      return;
    const plural = subresource === '' ? resource.resource : `${resource.resource}/${subresource}`;
    const where = namespace === '' ? 'at the cluster scope' : `in the namespace ${JSON.stringify(namespace)}`;
    const what = `cannot ${verb} resource ${JSON.stringify(plural)} in API group ${JSON.stringify(group)} ${where}`;
    throw forbidden({ group, kind: resource.resource, name }, `User "system:anonymous" ${what}`);
  }

  /** The request in terms of a resource; undefined if the path is not one of a resource that is served. */
  #call(request: ApiRequest, info: RequestInfo, warnings: string[]): Call | undefined {
    const { resource } = info;
    if (resource === undefined) return undefined;
    const type = this.#core.registry.find(resource.group, resource.version, resource.resource);
    // Reviews are answered, not stored.
    if (type === undefined || info.path === ACCESS_REVIEW_PATH) return undefined;
    // A cluster-scoped resource has no path below a namespace; a namespaced object has no path without one.
    if (!type.namespaced && resource.namespace !== '') return undefined;
    if (type.namespaced && resource.namespace === '' && resource.name !== '') return undefined;
    const call: Call = { request, info, resource, type, userAgent: request.headers?.['user-agent'] ?? '', warnings };
    this.#authorize(call);
    if (type.deprecation !== undefined) warnings.push(type.deprecation);
    return call;
  }

  /** What the server does itself after a write. */
  #settle(call: Call): void {
    const { store, registry } = this.#core;
    if (call.type.table === CRD_TABLE || call.type.refusesCreate !== undefined)
      settleDefinitions(store, registry, now(this.#core));
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
