// Verbs on any kind, in raw JSON: no model is applied, so fields that this program does not know survive.
import type { KubernetesObject, ResourceType } from '@pawl/reconciler/kubernetes';
import { Discovery } from '../discovery/discovery.ts';
import { KindNotServedError } from '../discovery/kind-not-served.ts';
import type { ApiRequest, WatchEvent } from '../transport/transport.ts';
import { type CallBounds, Caller, type CallerOptions } from './caller.ts';
import { KubeError } from './api-error.ts';
import { isExpired, isNotFound } from './error-kinds.ts';
import { type Page, type PageOptions, type ListOptions, parsePage, stamp } from './lists.ts';
import {
  collectionPath,
  groupOf,
  objectPath,
  type ObjectName,
  type Query,
  type ResourcePath,
  withQuery,
} from './paths.ts';
import {
  APPLY,
  type ApplyOptions,
  type CreateOptions,
  deleteOptions,
  JSON_PATCH,
  type JsonPatchOperation,
  MERGE_PATCH,
  type PatchOptions,
  type Removal,
  removalOf,
  type RemoveOptions,
} from './writes.ts';

/** A kind by name, or a handle, which spares the discovery. */
export type KindRef = ResourceType & Partial<Pick<ResourcePath, 'plural' | 'namespaced'>>;

/** A watch: see `Reflector` for one that heals itself. */
export interface WatchOptions {
  readonly namespace?: string | undefined;
  readonly query: Query;
  readonly accept?: string | undefined;
  readonly signal: AbortSignal;
}

type Json = Readonly<Record<string, unknown>>;
const PAGE_SIZE = 500;

/**
 * A client for every kind. All methods throw `KubeError` (or `KindNotServedError`) when they do not succeed, and the
 * reason of their signal when that is aborted. Writes are sent with the server's own timeout, so that none can take
 * effect long after its caller has given up.
 */
export class KubeClient {
  readonly discovery: Discovery;
  readonly #caller: Caller;

  constructor(options: CallerOptions) {
    this.#caller = new Caller(options);
    this.discovery = new Discovery({ caller: this.#caller, clock: options.clock });
  }

  /** The object as stored now: a read that no cache of the server may answer. */
  get = async (type: KindRef, name: ObjectName, bounds?: CallBounds): Promise<KubernetesObject> =>
    this.#object(type, { method: 'GET', path: objectPath(type, await this.#locate(type), name) }, bounds);

  /** As `get`; undefined if the object is not there. */
  find = async (type: KindRef, name: ObjectName, bounds?: CallBounds): Promise<KubernetesObject | undefined> => {
    try {
      return await this.get(type, name, bounds);
    } catch (error) {
      if (isNotFound(error) && !(error instanceof KindNotServedError)) return undefined;
      throw error;
    }
  };

  /** All objects of a kind, read in pages of 500. */
  list = async (type: KindRef, options: ListOptions = {}): Promise<Page> => {
    const items: KubernetesObject[] = [];
    const resourceVersion = await this.eachPage(type, options, (page, isFirst) => {
      if (isFirst) items.length = 0;
      items.push(...page.items);
    });
    return { items, resourceVersion };
  };

  /**
   * Reads all objects page by page; answers the revision. If the revision of the first page expires on the way,
   * everything is read again at once: a page that is the first again replaces those before it.
   */
  eachPage = async (
    type: KindRef,
    options: ListOptions,
    onPage: (page: Page, isFirst: boolean) => void,
  ): Promise<string> => {
    let page = await this.#nextPage(type, options, undefined);
    onPage(page, true);
    while (page.continueToken !== undefined) {
      page = await this.#nextPage(type, options, page.continueToken);
      onPage(page, page.isWhole);
    }
    return page.resourceVersion;
  };

  /** One page: the first, or the one that a former page's `continueToken` names. Without `limit`, all objects. */
  listPage = async (type: KindRef, options: PageOptions = {}): Promise<Page> => {
    const { namespace, labelSelector, fieldSelector, limit, continueToken, resourceVersion, accept } = options;
    const query = { labelSelector, fieldSelector, limit, continue: continueToken, resourceVersion };
    const path = withQuery(collectionPath(await this.#locate(type), namespace), query);
    const headers = accept === undefined ? {} : { headers: { accept } };
    return parsePage(type, await this.#send(type, { method: 'GET', path, ...headers }, options));
  };

  /** Creates an object, in the namespace of its metadata. */
  create = async (type: KindRef, object: Json, options: CreateOptions = {}): Promise<KubernetesObject> => {
    const { fieldManager, dryRun } = options;
    const { namespace } = (object['metadata'] ?? {}) as { readonly namespace?: string };
    const path = this.#writePath(collectionPath(await this.#locate(type), namespace), options, {
      fieldManager,
      dryRun,
    });
    return this.#object(type, { method: 'POST', path, body: stamp(type, object) }, options);
  };

  /**
   * Server-side apply: makes exactly the fields of `body` the manager's. Creates the object if it is not there, unless
   * the body holds a `metadata.uid`.
   */
  apply = async (type: KindRef, name: ObjectName, body: Json, options: ApplyOptions): Promise<KubernetesObject> => {
    const { fieldManager, force, dryRun, subresource } = options;
    const path = objectPath(type, await this.#locate(type), name, subresource);
    const metadata = { ...(body['metadata'] as Json | undefined), ...definedName(name) };
    return this.#object(
      type,
      {
        method: 'PATCH',
        path: this.#writePath(path, options, { fieldManager, force, dryRun }),
        headers: { 'content-type': APPLY },
        body: stamp(type, { ...body, metadata }),
      },
      options,
    );
  };

  /** JSON merge patch. With a `metadata.resourceVersion` in the body, an object that has changed is answered with 409. */
  mergePatch = async (
    type: KindRef,
    name: ObjectName,
    body: Json,
    options: PatchOptions = {},
  ): Promise<KubernetesObject> => this.#patch(type, name, MERGE_PATCH, body, options);

  /** RFC 6902 patch. */
  jsonPatch = async (
    type: KindRef,
    name: ObjectName,
    operations: readonly JsonPatchOperation[],
    options: PatchOptions = {},
  ): Promise<KubernetesObject> => this.#patch(type, name, JSON_PATCH, operations, options);

  /** Deletes an object; tells whether it is gone or waits for its finalizers. */
  remove = async (type: KindRef, name: ObjectName, options: RemoveOptions = {}): Promise<Removal> => {
    const path = objectPath(type, await this.#locate(type), name);
    const body = deleteOptions(options);
    return removalOf(
      type,
      await this.#send(type, { method: 'DELETE', path: this.#writePath(path, options, {}), body }, options),
    );
  };

  /**
   * Evicts a pod. A disruption budget that does not allow it now is answered with 429 and a `Status`.
   */
  evict = async (name: ObjectName, options: Omit<RemoveOptions, 'propagation'> = {}): Promise<void> => {
    const pods = { apiVersion: 'v1', kind: 'Pod', plural: 'pods', namespaced: true };
    const path = this.#writePath(objectPath(pods, pods, name, 'eviction'), options, {});
    const { dryRun: _, ...body } = deleteOptions(options);
    const eviction = {
      apiVersion: 'policy/v1',
      kind: 'Eviction',
      metadata: definedName(name),
      deleteOptions: body,
    };
    await this.#send(pods, { method: 'POST', path, body: eviction }, options);
  };

  /** Opens a watch; it ends with the server's stream, with an error, or with the signal. */
  watch = async (type: KindRef, options: WatchOptions): Promise<AsyncIterable<WatchEvent>> => {
    const { namespace, query, accept, signal } = options;
    const path = withQuery(collectionPath(await this.#locate(type), namespace), { watch: true, ...query });
    const headers = accept === undefined ? {} : { headers: { accept } };
    try {
      return (await this.#caller.open({ method: 'GET', path, ...headers }, signal)).events;
    } catch (error) {
      throw await this.#explain(type, error);
    }
  };

  /** Any request, such as `/version`; answers the body. */
  raw = async (request: ApiRequest, bounds?: CallBounds): Promise<unknown> =>
    (await this.#caller.send(request, bounds)).body;

  async #patch(type: KindRef, name: ObjectName, contentType: string, body: unknown, options: PatchOptions) {
    const { fieldManager, dryRun, subresource } = options;
    const path = objectPath(type, await this.#locate(type), name, subresource);
    return this.#object(
      type,
      {
        method: 'PATCH',
        path: this.#writePath(path, options, { fieldManager, dryRun }),
        headers: { 'content-type': contentType },
        body,
      },
      options,
    );
  }

  async #nextPage(type: KindRef, options: ListOptions, continueToken: string | undefined): Promise<ReadPage> {
    try {
      const page = await this.listPage(type, { ...options, limit: PAGE_SIZE, continueToken });
      return { ...page, isWhole: false };
    } catch (error) {
      if (continueToken === undefined || !isExpired(error)) throw error;
      return { ...(await this.listPage(type, options)), isWhole: true };
    }
  }

  #writePath(path: string, { timeoutMs }: CallBounds, query: Omit<WriteQuery, 'timeout'>): string {
    const timeout = `${Math.ceil((timeoutMs ?? this.#caller.timeoutMs) / 1000)}s`;
    return withQuery(path, { ...query, dryRun: query.dryRun === true ? 'All' : undefined, timeout });
  }

  async #locate(type: KindRef): Promise<ResourcePath> {
    const { apiVersion, plural, namespaced } = type;
    if (plural !== undefined && namespaced !== undefined) return { apiVersion, plural, namespaced };
    return this.discovery.known(type) ?? this.discovery.resolve(type);
  }

  async #object(type: KindRef, request: ApiRequest, bounds?: CallBounds): Promise<KubernetesObject> {
    return stamp(type, (await this.#send(type, request, bounds)) as Json) as unknown as KubernetesObject;
  }

  async #send(type: KindRef, request: ApiRequest, bounds?: CallBounds): Promise<unknown> {
    try {
      return (await this.#caller.send(request, bounds)).body;
    } catch (error) {
      throw await this.#explain(type, error);
    }
  }

  /** A 404 about a path, not about an object, means that the kind is not (or no longer) served. */
  async #explain(type: KindRef, error: unknown): Promise<unknown> {
    if (!(error instanceof KubeError) || error.code !== 404 || error.isAboutObject) return error;
    this.discovery.forget(type.apiVersion);
    return new KindNotServedError(type, await this.discovery.servedVersions(groupOf(type.apiVersion)));
  }
}

/** `isWhole`: it holds everything, whatever was read before it. */
type ReadPage = Page & { readonly isWhole: boolean };

interface WriteQuery {
  readonly fieldManager?: string | undefined;
  readonly force?: boolean | undefined;
  readonly dryRun?: boolean | undefined;
  readonly timeout: string;
}

function definedName({ name, namespace }: ObjectName): ObjectName {
  return namespace === undefined ? { name } : { name, namespace };
}
