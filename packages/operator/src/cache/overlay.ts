// Reads after writes: what the server acknowledged is visible at once, until the cache has caught up. The store itself
// is left alone, since it must hold only what came through the watch, in its order.
import { isSelected, type KubernetesObject, type Selector } from '@pawl/reconciler/kubernetes';
import { keyOf } from './cached-object.ts';
import { hasReached, isOlder } from './resource-version.ts';

/** One acknowledged write of an object that the cache has not seen yet. */
interface Entry {
  readonly key: string;
  readonly namespace: string | undefined;
  readonly uid: string;
  /** Undefined: the object is gone. */
  readonly object: KubernetesObject | undefined;
  /** The newest revision that the server told us of. */
  readonly resourceVersion: string;
  /** All revisions of ours that may still come as events. */
  readonly echoes: ReadonlySet<string>;
}

/** What the overlay asks of the cache that it lies over. */
export interface OverlayBase {
  readonly stored: (key: string) => KubernetesObject | undefined;
  /** The revision up to which the cache knows a namespace. */
  readonly progress: (namespace: string | undefined) => string | undefined;
}

/** Keyed by uid: an object of the same name that came later is never hidden by what was done to an earlier one. */
export class Overlay {
  readonly #base: OverlayBase;
  readonly #entries = new Map<string, Entry>();
  /** The uids of the entries by key; more than one after a name was taken again. */
  readonly #uids = new Map<string, ReadonlySet<string>>();

  constructor(base: OverlayBase) {
    this.#base = base;
  }

  get size(): number {
    return this.#entries.size;
  }

  /** A write was acknowledged with this object. */
  wrote(object: KubernetesObject): void {
    const { uid, resourceVersion, namespace } = object.metadata;
    const former = this.#entries.get(uid);
    if (former !== undefined && (former.object === undefined || isOlder(resourceVersion, former.resourceVersion)))
      return;
    const echoes = new Set(former?.echoes).add(resourceVersion);
    this.#keep({ key: keyOf(object.metadata), namespace, uid, object, resourceVersion, echoes });
  }

  /** A deletion was acknowledged, and the object is gone. */
  removed(object: KubernetesObject): void {
    const { uid, resourceVersion, namespace } = object.metadata;
    const former = this.#entries.get(uid);
    const newest = former !== undefined && isOlder(resourceVersion, former.resourceVersion) ? former : object.metadata;
    this.#keep({
      key: keyOf(object.metadata),
      namespace,
      uid,
      object: undefined,
      resourceVersion: newest.resourceVersion,
      echoes: new Set(former?.echoes),
    });
  }

  /** Whether this state of an object is exactly what a write of ours was acknowledged with. */
  isEcho({ metadata: { uid, resourceVersion } }: KubernetesObject): boolean {
    return this.#entries.get(uid)?.echoes.has(resourceVersion) === true;
  }

  /** What a read of this key sees. */
  read(key: string): KubernetesObject | undefined {
    let seen = this.#base.stored(key);
    for (const uid of this.#uids.get(key) ?? []) {
      const entry = this.#entries.get(uid);
      if (entry !== undefined) seen = visible(seen, entry);
    }
    return seen;
  }

  /** What a read of a selection sees, where `stored` is what the cache selects. */
  select(stored: readonly KubernetesObject[], selector: Selector): readonly KubernetesObject[] {
    if (this.#entries.size === 0) return stored;
    const rest = stored.filter(({ metadata }) => !this.#uids.has(keyOf(metadata)));
    const written = [...this.#uids.keys()]
      .flatMap((key) => this.read(key) ?? [])
      .filter((object) => isSelected(object, selector));
    return [...rest, ...written].toSorted((a, b) => (keyOf(a.metadata) < keyOf(b.metadata) ? -1 : 1));
  }

  /** Drops what the cache has caught up with: of one object after an event, of all after a list or bookmark. */
  settle(uid?: string): void {
    const one = uid === undefined ? undefined : this.#entries.get(uid);
    const entries = uid === undefined ? this.#entries.values() : one === undefined ? [] : [one];
    for (const entry of entries) if (this.#isCaughtUp(entry)) this.#drop(entry);
  }

  /** Forgets everything, as when the server's data was replaced. */
  clear(): void {
    this.#entries.clear();
    this.#uids.clear();
  }

  #keep(entry: Entry): void {
    if (this.#isCaughtUp(entry)) return this.#drop(entry);
    this.#entries.set(entry.uid, entry);
    this.#uids.set(entry.key, new Set(this.#uids.get(entry.key)).add(entry.uid));
  }

  #drop({ key, uid }: Entry): void {
    this.#entries.delete(uid);
    const others = new Set(this.#uids.get(key));
    others.delete(uid);
    if (others.size === 0) this.#uids.delete(key);
    else this.#uids.set(key, others);
  }

  #isCaughtUp({ key, namespace, uid, object, resourceVersion }: Entry): boolean {
    const stored = this.#base.stored(key);
    const isStored = stored?.metadata.uid === uid;
    if (object !== undefined && isStored && hasReached(stored.metadata.resourceVersion, resourceVersion)) return true;
    if (object === undefined && isStored) return false;
    const progress = this.#base.progress(namespace);
    return progress !== undefined && hasReached(progress, resourceVersion);
  }
}

/** The later of what was seen so far and an entry, which may say that the object is gone. */
function visible(seen: KubernetesObject | undefined, entry: Entry): KubernetesObject | undefined {
  if (seen === undefined) return entry.object;
  const { uid, resourceVersion } = seen.metadata;
  if (entry.object === undefined) return uid === entry.uid ? undefined : seen;
  return isOlder(resourceVersion, entry.resourceVersion) ? entry.object : seen;
}
