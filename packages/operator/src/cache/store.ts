// The objects of one kind as the server last sent them. Written only by a reflector, never from answers to writes.
import type { KubernetesObject, Selector } from '@pawl/reconciler/kubernetes';
import type { ObjectName } from '../client/paths.ts';
import { keyOf } from './cached-object.ts';
import { isOlder } from './resource-version.ts';
import { byField, byLabel, byNamespace, type IndexBy, StoreIndex } from './store-index.ts';

/** What happened to one object. A name that was taken by a new object is `deleted` and then `added`. */
export type StoreChange =
  | { readonly type: 'added'; readonly object: KubernetesObject }
  | { readonly type: 'updated'; readonly object: KubernetesObject; readonly old: KubernetesObject }
  | { readonly type: 'deleted'; readonly object: KubernetesObject };

/** A complete list to take over. */
export interface Replacement {
  /** By their keys. */
  readonly objects: ReadonlyMap<string, KubernetesObject>;
  readonly resourceVersion: string;
  /** Only objects of this namespace are replaced; default: all. */
  readonly namespace?: string | undefined;
  /** Whether older revisions count as well, as after the server's data was restored from a backup. */
  readonly accept?: 'newer' | 'any';
}

/**
 * Invariants: every object is deeply frozen; an object is never replaced by an older revision of itself; indexes agree
 * with the objects at every moment. Lists are ordered by namespace and name.
 */
export class Store {
  readonly #objects = new Map<string, KubernetesObject>();
  readonly #indexes = new Map<string, StoreIndex>([['namespace', new StoreIndex(byNamespace)]]);
  #sortedKeys: readonly string[] | undefined;

  get size(): number {
    return this.#objects.size;
  }

  get(name: ObjectName): KubernetesObject | undefined {
    return this.#objects.get(keyOf(name));
  }

  /** As `get`, by the key that `keyOf` makes. */
  getByKey(key: string): KubernetesObject | undefined {
    return this.#objects.get(key);
  }

  list(): readonly KubernetesObject[] {
    this.#sortedKeys ??= [...this.#objects.keys()].toSorted(byCodeUnits);
    return this.#pick(this.#sortedKeys);
  }

  /** What a selector selects. Each label and field that is asked for gets an index at its first use. */
  select(selector: Selector): readonly KubernetesObject[] {
    const candidates = this.#candidates(selector).toSorted((a, b) => a.size - b.size);
    const [smallest, ...others] = candidates;
    if (smallest === undefined) return this.list();
    const keys = [...smallest].filter((key) => others.every((other) => other.has(key)));
    return this.#pick(keys.toSorted(byCodeUnits));
  }

  /** Adds an index of one's own; a second index of the same name is not made. */
  addIndex(name: string, by: IndexBy): void {
    this.#index(`custom:${name}`, by);
  }

  /** @throws if there is no index of this name */
  byIndex(name: string, value: string): readonly KubernetesObject[] {
    const index = this.#indexes.get(`custom:${name}`);
    if (index === undefined) throw new Error(`the store has no index "${name}"; add it with addIndex`);
    return this.#pick([...index.keys(value)].toSorted(byCodeUnits));
  }

  /** Takes over a new or changed object; answers what that changed. */
  put(object: KubernetesObject, accept: Replacement['accept'] = 'newer'): readonly StoreChange[] {
    const changes: StoreChange[] = [];
    this.#put(keyOf(object.metadata), object, accept, changes);
    return changes;
  }

  /** Takes over a deletion; `object` is the last state. */
  remove(object: KubernetesObject): readonly StoreChange[] {
    const old = this.get(object.metadata);
    if (old === undefined || isOlder(object.metadata.resourceVersion, old.metadata.resourceVersion)) return [];
    return [this.#remove(old, old.metadata.uid === object.metadata.uid ? object : old)];
  }

  /** Takes over a complete list: what is missing from it is gone, unless it is newer than the list. */
  replace({ objects, resourceVersion, namespace, accept = 'newer' }: Replacement): readonly StoreChange[] {
    const changes: StoreChange[] = [];
    for (const [key, object] of objects) this.#put(key, object, accept, changes);
    // Whatever is listed is held now: if nothing else is, nothing can be gone.
    const held = namespace === undefined ? this.#objects : this.#index('namespace', byNamespace).keys(namespace);
    if (held.size === objects.size) return changes;
    const known = namespace === undefined ? this.list() : this.select({ namespace });
    const gone = known.filter(
      ({ metadata }) =>
        !objects.has(keyOf(metadata)) && (accept === 'any' || !isOlder(resourceVersion, metadata.resourceVersion)),
    );
    return [...gone.map((object) => this.#remove(object, object)), ...changes];
  }

  #candidates({ namespace = '*', labels = {}, fields = {} }: Selector): readonly ReadonlySet<string>[] {
    return [
      ...(namespace === '*' ? [] : [this.#index('namespace', byNamespace).keys(namespace)]),
      ...Object.entries(labels).map(([name, value]) => this.#index(`label:${name}`, byLabel(name)).keys(value)),
      ...Object.entries(fields).map(([path, value]) => this.#index(`field:${path}`, byField(path)).keys(value)),
    ];
  }

  #index(name: string, by: IndexBy): StoreIndex {
    const known = this.#indexes.get(name);
    if (known !== undefined) return known;
    const index = new StoreIndex(by);
    for (const [key, object] of this.#objects) index.add(key, object);
    this.#indexes.set(name, index);
    return index;
  }

  #pick(keys: readonly string[]): readonly KubernetesObject[] {
    return keys.flatMap((key) => this.#objects.get(key) ?? []);
  }

  #put(key: string, object: KubernetesObject, accept: Replacement['accept'], changes: StoreChange[]): void {
    const old = this.#objects.get(key);
    if (old === undefined) {
      this.#set(key, object, undefined);
      changes.push({ type: 'added', object });
      return;
    }
    const { uid, resourceVersion } = old.metadata;
    if (accept === 'newer' && isOlder(object.metadata.resourceVersion, resourceVersion)) return;
    if (uid !== object.metadata.uid) {
      changes.push(this.#remove(old, old), { type: 'added', object });
      this.#set(key, object, undefined);
    } else if (resourceVersion !== object.metadata.resourceVersion) {
      this.#set(key, object, old);
      changes.push({ type: 'updated', object, old });
    }
  }

  #set(key: string, object: KubernetesObject, old: KubernetesObject | undefined): void {
    this.#objects.set(key, object);
    if (old === undefined) this.#sortedKeys = undefined;
    for (const index of this.#indexes.values()) {
      if (old !== undefined) index.remove(key, old);
      index.add(key, object);
    }
  }

  #remove(stored: KubernetesObject, last: KubernetesObject): StoreChange {
    const key = keyOf(stored.metadata);
    this.#objects.delete(key);
    this.#sortedKeys = undefined;
    for (const index of this.#indexes.values()) index.remove(key, stored);
    return { type: 'deleted', object: last };
  }
}

function byCodeUnits(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
