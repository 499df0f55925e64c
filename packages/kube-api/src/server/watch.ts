// Watches: initial events, events from the history, then live ones, with selectors, bookmarks and a deadline.
import { settle } from '../admission/settle.ts';
import { expired, internal, StatusError, tooLargeResourceVersion } from '../errors.ts';
import { freezeJson, type KubeObject } from '../json.ts';
import type { ResourceType } from '../kinds/resource-type.ts';
import type { Change } from '../store/history.ts';
import type { WatchEvent } from '../transport.ts';
import type { Call, Core } from './core.ts';
import { EventQueue } from './event-queue.ts';
import { listOptions, type ListOptions } from './list-options.ts';
import { selectionOf, selects, type Selection } from './read.ts';
import type { Shape } from './shape.ts';

const BOOKMARK_INTERVAL_MS = 60_000;
const BOOKMARK_BEFORE_END_MS = 2_000;
const MIN_TIMEOUT_MS = 1_800_000;

/** Opens a watch. The queue ends by itself; `end` on it ends it earlier. */
export function watch(core: Core, call: Call, shape: Shape, onClose: () => void): EventQueue {
  const options = listOptions(call.info.query, true);
  const selection = selectionOf(call.type, options);
  const stream = new WatchStream(core, call, options, selection, shape, onClose);
  stream.start();
  return stream.queue;
}

class WatchStream {
  readonly queue: EventQueue;
  readonly #core: Core;
  readonly #call: Call;
  readonly #options: ListOptions;
  readonly #selection: Selection;
  readonly #shape: Shape;
  readonly #cleanups: (() => void)[] = [];
  #cancelBookmark: () => void = () => undefined;
  /** The last step that waits for its turn. */
  #last = Promise.resolve();

  constructor(core: Core, call: Call, options: ListOptions, selection: Selection, shape: Shape, onClose: () => void) {
    this.#core = core;
    this.#call = call;
    this.#options = options;
    this.#selection = selection;
    this.#shape = shape;
    this.queue = new EventQueue(() => {
      for (const cleanup of this.#cleanups) cleanup();
      onClose();
    });
  }

  start(): void {
    const { store, clock } = this.#core;
    const { resourceVersion, sendInitialEvents } = this.#options;
    const asked = resourceVersion === '' ? 0 : Number(resourceVersion);
    const initial = sendInitialEvents ?? asked === 0;
    if (initial && asked > store.revision) {
      this.#failWith(tooLargeResourceVersion(resourceVersion, String(store.revision)));
      return;
    }
    const cached = (resourceVersion === '0' ? this.#core.cachedRevision(this.#call) : undefined) ?? store.revision;
    const from = initial || asked === 0 ? cached : asked;
    if (from < store.oldest) {
      this.#failWith(expired(`too old resource version: ${from} (${store.oldest})`));
      return;
    }
    if (initial) this.#sendInitial(from);
    if (sendInitialEvents === true && this.#options.bookmarks) this.#bookmark(from, true);
    for (const change of store.changesSince(from, this.#call.type.table)) this.#next(() => this.#offer(change));
    const limit = this.queue.backlog + this.#core.watchBacklog;
    this.#cleanups.push(
      store.subscribe(this.#call.type.table, (change) => {
        // A watch from the future is silent until it is reached.
        if (change.revision > from) this.#next(() => this.#offer(change));
        if (this.queue.backlog > limit) this.queue.end();
      }),
    );
    this.#scheduleEnd(clock.now(), from);
  }

  #sendInitial(revision: number): void {
    const { table } = this.#call.type;
    const snapshot = this.#core.store.listAt(table, this.#call.resource.namespace, revision);
    const { name } = this.#call.resource;
    const all = snapshot.keys.flatMap((key) => snapshot.get(key) ?? []);
    const objects = name === '' ? all : all.filter(({ metadata }) => metadata.name === name);
    this.#next(() => {
      const served = objects.map((object) => this.#call.type.fromStorage(object));
      for (const object of served) if (selects(this.#selection, object)) this.#send('ADDED', object);
    }, objects);
  }

  /** Does a step at once, or in its turn if a webhook has to be asked for the versions of objects. */
  #next(step: () => void, objects: readonly KubeObject[] = []): void {
    if (this.#call.type.converter === undefined) {
      step();
      return;
    }
    this.#last = this.#last
      .then(() => settle(this.#core, step, objects))
      .catch((error: unknown) => this.#failWith(error));
  }

  /** Translates a change into what this watch must see: what leaves the selection is deleted for its reader. */
  #offer(change: Change): void {
    const { namespace, name } = this.#call.resource;
    if (namespace !== '' && change.object.metadata.namespace !== namespace) return;
    if (name !== '' && change.object.metadata.name !== name) return;
    const { type } = this.#call;
    const is = change.type !== 'DELETED' && this.#selected(type, change.object);
    const was = change.previous !== undefined && this.#selected(type, change.previous);
    if (is) this.#send(was ? 'MODIFIED' : 'ADDED', type.fromStorage(change.object));
    else if (was) this.#send('DELETED', lastSeen(type, change));
  }

  #selected(type: ResourceType, object: KubeObject): boolean {
    const { labels, fields } = this.#selection;
    if (labels === undefined && fields === undefined) return true;
    return selects(this.#selection, type.fromStorage(object));
  }

  #send(type: WatchEvent['type'], object: KubeObject): void {
    this.queue.push(Object.freeze({ type, object: this.#shape(object) }));
  }

  #bookmark(revision: number, endOfInitial: boolean): void {
    const { kind, apiVersion } = this.#call.type;
    const annotations = endOfInitial ? { annotations: { 'k8s.io/initial-events-end': 'true' } } : {};
    const object: KubeObject = { kind, apiVersion, metadata: { resourceVersion: String(revision), ...annotations } };
    this.#next(() => this.#send('BOOKMARK', freezeJson(object)));
  }

  #failWith(error: unknown): void {
    const status = error instanceof StatusError ? error.status : internal(String(error)).status;
    this.queue.push(Object.freeze({ type: 'ERROR', object: freezeJson(status) }));
    this.queue.end();
  }

  #scheduleEnd(now: number, from: number): void {
    const { clock, store } = this.#core;
    const { timeoutSeconds } = this.#options;
    const chosen = (timeoutSeconds ?? 0) * 1_000;
    const lengthMs = chosen > 0 ? chosen : MIN_TIMEOUT_MS * (1 + spread(store.revision));
    this.#cleanups.push(clock.setTimer(lengthMs, () => this.queue.end()));
    if (!this.#options.bookmarks) return;
    this.#scheduleBookmark(now + lengthMs, from);
    this.#cleanups.push(() => this.#cancelBookmark());
  }

  #scheduleBookmark(endsAt: number, from: number): void {
    const { clock, store } = this.#core;
    const left = endsAt - BOOKMARK_BEFORE_END_MS - clock.now();
    if (left <= 0) return;
    this.#cancelBookmark = clock.setTimer(Math.min(BOOKMARK_INTERVAL_MS, left), () => {
      if (store.revision >= from) this.#bookmark(store.revision, false);
      this.#scheduleBookmark(endsAt, from);
    });
  }
}

/** A number in [0, 1) that differs between watches; not drawn, so that watches do not shift what objects draw. */
function spread(revision: number): number {
  return ((revision * 2_654_435_761) % 2 ** 32) / 2 ** 32;
}

const parting = new WeakMap<KubeObject, Map<string, KubeObject>>();

/** The state that the reader knew, with the revision of the change that took it away. */
function lastSeen(type: ResourceType, change: Change): KubeObject {
  if (change.type === 'DELETED') return type.fromStorage(change.object);
  const previous = type.fromStorage(change.previous ?? change.object);
  let versions = parting.get(change.object);
  if (versions === undefined) parting.set(change.object, (versions = new Map()));
  let last = versions.get(type.apiVersion);
  if (last === undefined) {
    last = freezeJson({ ...previous, metadata: { ...previous.metadata, resourceVersion: String(change.revision) } });
    versions.set(type.apiVersion, last);
  }
  return last;
}
