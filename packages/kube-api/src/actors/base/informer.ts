// Keeps a store equal to the server by list and watch. Whatever breaks ends in a new list.
import type { Clock } from '../../ports.ts';
import { at, isObject } from '../../json.ts';
import type { WatchEvent } from '../../transport.ts';
import type { Activity } from './activity.ts';
import type { Client } from './client.ts';
import { isLive, RequestFailed } from './client.ts';
import { apiVersionOf, collectionPath } from './kind.ts';
import { delay } from './delay.ts';
import type { Live } from './model.ts';
import type { Change, Store } from './store.ts';

const PAGE = 500;
const FIRST_RETRY_MS = 100;
const LAST_RETRY_MS = 10_000;

/** What an informer needs from outside. */
export interface InformerOptions {
  readonly store: Store;
  readonly client: Client;
  readonly clock: Clock;
  readonly activity: Activity;
  readonly signal: AbortSignal;
  readonly changed: (change: Change) => void;
  /** Called once, after the first complete list. */
  readonly synced: () => void;
}

/**
 * Lists and watches one kind until its signal aborts. Listing and opening the watch count as activity; waiting for
 * events does not. A stream that ends is resumed where it ended if it had brought something; else the kind is listed
 * again, the first time at once and then ever later, so that a server that keeps refusing is not hammered.
 */
export async function runInformer(options: InformerOptions): Promise<void> {
  let synced = false;
  let failures = 0;
  while (!options.signal.aborted) {
    try {
      let position: string | undefined = await listAll(options);
      if (!synced) options.synced();
      synced = true;
      while (position !== undefined) {
        const end: string = await watchFrom(options, position);
        const resumable: boolean = end !== position;
        if (resumable) failures = 0;
        position = resumable ? end : undefined;
      }
    } catch (error) {
      if (error instanceof RequestFailed && error.status === 410) failures = 0;
    }
    if (failures > 0)
      await delay(options.clock, options.signal, Math.min(FIRST_RETRY_MS * 2 ** (failures - 1), LAST_RETRY_MS));
    failures++;
  }
}

/** Reads all pages, takes them into the store, and returns the resource version to watch from. */
async function listAll(options: InformerOptions): Promise<string> {
  options.activity.enter();
  try {
    return await readPages(options);
  } finally {
    options.activity.leave();
  }
}

async function readPages({ store, client, changed }: InformerOptions): Promise<string> {
  const objects: Live[] = [];
  const path = collectionPath(store.kind);
  let token: string | undefined;
  for (;;) {
    const page = await client.send(
      'GET',
      `${path}?limit=${PAGE}${token === undefined ? '' : `&continue=${encodeURIComponent(token)}`}`,
    );
    if (!isObject(page)) throw new Error(`GET ${path}: the answer is not a list`);
    for (const item of Array.isArray(page['items']) ? page['items'] : []) {
      if (isLive(item)) objects.push(named(store, item));
    }
    const more = at(page, 'metadata', 'continue');
    if (typeof more === 'string' && more !== '') {
      token = more;
      continue;
    }
    const resourceVersion = positionOf(page) ?? '0';
    for (const change of store.replace(objects, resourceVersion)) changed(change);
    return resourceVersion;
  }
}

/** Follows the stream from a position until it ends, and returns the position then. */
async function watchFrom(options: InformerOptions, position: string): Promise<string> {
  const { activity, client, store } = options;
  const query = `watch=1&allowWatchBookmarks=true&resourceVersion=${encodeURIComponent(position)}`;
  activity.enter();
  const opened = client.watch(`${collectionPath(store.kind)}?${query}`).finally(() => {
    activity.leave();
  });
  let reached = position;
  for await (const event of (await opened).events) reached = take(options, event) ?? reached;
  return reached;
}

/** Takes one event into the store and returns its position. */
function take({ store, changed }: InformerOptions, { type, object }: WatchEvent): string | undefined {
  if (type === 'ERROR') {
    const code = isObject(object) && typeof object['code'] === 'number' ? object['code'] : 500;
    throw new RequestFailed({ method: 'GET', path: collectionPath(store.kind) }, code, object);
  }
  if (type === 'BOOKMARK') return positionOf(object);
  if (!isLive(object)) return undefined;
  const change = type === 'DELETED' ? store.remove(object.metadata.uid) : store.put(named(store, object));
  if (change !== undefined) changed(change);
  return object.metadata.resourceVersion;
}

function positionOf(value: unknown): string | undefined {
  const resourceVersion = isObject(value) ? at(value, 'metadata', 'resourceVersion') : undefined;
  return typeof resourceVersion === 'string' ? resourceVersion : undefined;
}

/** Items of built-in lists do not name their own kind. */
function named({ kind }: Store, object: Live): Live {
  if (object.kind !== undefined && object.apiVersion !== undefined) return object;
  return { ...object, apiVersion: apiVersionOf(kind), kind: kind.kind };
}
