// Reads after writes: what the server acknowledged is visible at once, until the cache has caught up. The store itself
// is left alone, since it must hold only what came through the watch, in its order.
import type { KubernetesObject, Selector } from '@pawl/reconciler/kubernetes';
import { keyOf } from './cached-object.ts';
import { hasReached, isOlder } from './resource-version.ts';
import { byField } from './store-index.ts';

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
    if (former !== undefined && (former.object === undefined || isOlder(resourceVersion, former.resourceVersion))) return;
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
    const stored = this.#base.stored(key);
    return [...this.#entries.values()]
      .filter((entry) => entry.key === key)
      .reduce<KubernetesObject | undefined>(visible, stored);
  }

  /** What a read of a selection sees, where `stored` is what the cache selects. */
  select(stored: readonly KubernetesObject[], selector: Selector): readonly KubernetesObject[] {
    if (this.#entries.size === 0) return stored;
    const keys = new Set([...this.#entries.values()].map(({ key }) => key));
    const rest = stored.filter(({ metadata }) => !keys.has(keyOf(metadata)));
    const written = [...keys].flatMap((key) => this.read(key) ?? []).filter((object) => isSelected(object, selector));
    return [...rest, ...written].toSorted((a, b) => (keyOf(a.metadata) < keyOf(b.metadata) ? -1 : 1));
  }

  /** Drops what the cache has caught up with. */
  settle(): void {
    for (const entry of this.#entries.values()) if (this.#isCaughtUp(entry)) this.#entries.delete(entry.uid);
  }

  /** Forgets everything, as when the server's data was replaced. */
  clear(): void {
    this.#entries.clear();
  }

  #keep(entry: Entry): void {
    if (this.#isCaughtUp(entry)) this.#entries.delete(entry.uid);
    else this.#entries.set(entry.uid, entry);
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

/** Whether an object is selected; the namespace `'*'` is any. */
export function isSelected(object: KubernetesObject, { namespace = '*', labels = {}, fields = {} }: Selector): boolean {
  return (
    (namespace === '*' || object.metadata.namespace === namespace) &&
    Object.entries(labels).every(([name, value]) => object.metadata.labels?.[name] === value) &&
    Object.entries(fields).every(([path, value]) => byField(path)(object).includes(value))
  );
}
