// Reading: GET of one object, and lists with selectors, pages and revisions.
import { badRequest, expired, notFound, tooLargeResourceVersion } from '../errors.ts';
import type { JsonObject, KubeObject } from '../json.ts';
import type { ResourceType } from '../kinds/resource-type.ts';
import type { Snapshot } from '../store/store.ts';
import { objectKey } from '../store/table.ts';
import { decodeContinue, encodeContinue, type ContinueToken } from './continue-token.ts';
import { subjectOf, type Call, type Core, type Result } from './core.ts';
import { parseFieldSelector, type FieldSelector } from './field-selector.ts';
import { parseLabelSelector, type Selector } from './label-selector.ts';
import { checkResourceVersion, listOptions, type ListOptions } from './list-options.ts';

/** GET of one object: the newest state, or with resourceVersion "0" whatever the cache has. */
export function get(core: Core, call: Call): Result {
  const { table, fromStorage } = call.type;
  const { namespace, name } = call.resource;
  const resourceVersion = call.info.query.get('resourceVersion') ?? '';
  checkResourceVersion(resourceVersion);
  checkNotFuture(core, resourceVersion);
  const cached = resourceVersion === '0' ? core.cachedRevision(call) : undefined;
  const key = objectKey(namespace, name);
  const object = cached === undefined ? core.store.get(table, key) : core.store.getAt(table, key, cached);
  if (object === undefined) throw notFound(subjectOf(call, name));
  return { status: 200, body: fromStorage(object) };
}

/** What a request selects; absent parts select everything. */
export interface Selection {
  readonly labels: Selector<KubeObject['metadata']['labels']> | undefined;
  readonly fields: FieldSelector | undefined;
}

/** @throws StatusError 400 for selectors that cannot be parsed or name unknown fields. */
export function selectionOf(type: ResourceType, options: ListOptions): Selection {
  return {
    labels: parseLabelSelector(options.labelSelector),
    fields: parseFieldSelector(options.fieldSelector, type.fields),
  };
}

/** Whether an object in the version of the request is selected. */
export function selects({ labels, fields }: Selection, object: KubeObject): boolean {
  return (labels?.matches(object.metadata.labels) ?? true) && (fields?.matches(object) ?? true);
}

/** GET of a collection. */
export function list(core: Core, call: Call): Result {
  return { status: 200, body: listMatching(core, call).body };
}

interface Listed {
  /** As stored. */
  readonly objects: readonly KubeObject[];
  readonly body: JsonObject;
}

/** The objects that a list request finds, and the list that it answers with. */
export function listMatching(core: Core, call: Call): Listed {
  const { type } = call;
  const options = listOptions(call.info.query, false);
  const selection = selectionOf(type, options);
  const token = options.continue === '' ? undefined : continueToken(options);
  const snapshot = snapshotFor(core, call, options, token);
  // Reads from the cache are not cut into pages.
  const limit = options.resourceVersion === '0' && token === undefined ? 0 : options.limit;
  const { keys } = snapshot;
  const objects: KubeObject[] = [];
  const items: KubeObject[] = [];
  let position = token === undefined ? 0 : firstAfter(keys, token.after);
  for (; position < keys.length && (limit <= 0 || items.length < limit); position++) {
    const object = snapshot.get(keys[position] ?? '');
    if (object === undefined) continue;
    const served = type.fromStorage(object);
    if (!selects(selection, served)) continue;
    objects.push(object);
    items.push(listItem(type, served));
  }
  const metadata: Record<string, string | number> = { resourceVersion: String(snapshot.revision) };
  const last = keys[position - 1];
  if (position < keys.length && last !== undefined) {
    metadata['continue'] = encodeContinue({ revision: snapshot.revision, after: last });
    const unselected = selection.labels === undefined && selection.fields === undefined;
    if (unselected) metadata['remainingItemCount'] = keys.length - position;
  } else if (type.custom) metadata['continue'] = '';
  const body = Object.freeze({
    kind: type.listKind,
    apiVersion: type.apiVersion,
    metadata: Object.freeze(metadata),
    items: Object.freeze(items),
  });
  return { objects, body };
}

function continueToken(options: ListOptions): ContinueToken {
  const token = decodeContinue(options.continue);
  if (options.resourceVersion !== '' && options.resourceVersion !== '0') {
    throw badRequest('specifying resource version is not allowed when using continue');
  }
  return token;
}

function snapshotFor(core: Core, call: Call, options: ListOptions, token: ContinueToken | undefined): Snapshot {
  const { store } = core;
  const { table } = call.type;
  const { namespace } = call.resource;
  if (token !== undefined) {
    if (token.revision < 0) return store.list(table, namespace);
    if (token.revision >= store.oldest) return store.listAt(table, namespace, token.revision);
    const rest = encodeContinue({ revision: -1, after: token.after });
    throw expired(
      'The continue token has expired: list again, or go on with the token of this answer, at the cost of consistency',
      rest,
    );
  }
  const { resourceVersion, match, limit } = options;
  checkNotFuture(core, resourceVersion);
  if (resourceVersion === '') return store.list(table, namespace);
  if (resourceVersion === '0') return store.listAt(table, namespace, core.cachedRevision(call) ?? store.revision);
  const exact = match === 'Exact' || (match === '' && limit > 0);
  if (!exact) return store.list(table, namespace);
  const revision = Number(resourceVersion);
  if (revision < store.oldest) throw expired('The resourceVersion for the provided list is too old.');
  return store.listAt(table, namespace, revision);
}

/** @throws StatusError 504 if the revision has not been reached. */
function checkNotFuture(core: Core, resourceVersion: string): void {
  if (resourceVersion === '' || Number(resourceVersion) <= core.store.revision) return;
  throw tooLargeResourceVersion(resourceVersion, String(core.store.revision));
}

function firstAfter(keys: readonly string[], key: string): number {
  let low = 0;
  let high = keys.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((keys[middle] ?? '') > key) high = middle;
    else low = middle + 1;
  }
  return low;
}

const bareItems = new WeakMap<KubeObject, KubeObject>();

/** Items of built-in lists carry neither apiVersion nor kind; items of custom resources carry both. */
function listItem(type: ResourceType, object: KubeObject): KubeObject {
  if (type.custom) return object;
  let bare = bareItems.get(object);
  if (bare === undefined) {
    const { apiVersion: _apiVersion, kind: _kind, ...rest } = object;
    bare = Object.freeze(rest) as KubeObject;
    bareItems.set(object, bare);
  }
  return bare;
}
