// The view on which all decisions are made: every known object of every kind that is watched.
import type { Kind } from './kind.ts';
import { groupOf, resourceName } from './kind.ts';
import type { KnownKind, KnownKinds, Live } from './model.ts';
import { Gone, Store } from './store.ts';

/** Typed reads over the stores of a cluster. A kind that is not served or not watched reads as empty. */
export class Cluster {
  readonly #stores = new Map<string, Store>();
  readonly #kinds = new Map<string, Kind>();
  readonly #gone = new Gone();

  /** Makes a kind known; returns its store, which is empty until something fills it. */
  add(kind: Kind): Store {
    const known = this.#stores.get(resourceName(kind));
    if (known !== undefined) return known;
    const store = new Store(kind, this.#gone);
    this.#stores.set(resourceName(kind), store);
    this.#kinds.set(`${kind.group}/${kind.kind}`, kind);
    return store;
  }

  /** Forgets a kind with all of its objects. */
  drop(kind: Kind): void {
    this.#stores.delete(resourceName(kind));
    this.#kinds.delete(`${kind.group}/${kind.kind}`);
  }

  /** The kind of an object or of an owner reference, whatever version it names. */
  kindOf({ apiVersion, kind }: { readonly apiVersion: string; readonly kind: string }): Kind | undefined {
    return this.#kinds.get(`${groupOf(apiVersion)}/${kind}`);
  }

  /** The store of a kind that is known. */
  storeOf(kind: Kind): Store | undefined {
    return this.#stores.get(resourceName(kind));
  }

  /** All kinds that are known. */
  kinds(): readonly Kind[] {
    return [...this.#kinds.values()];
  }

  /** True if the kind, or this subresource of it, is served. */
  serves(kind: KnownKind, subresource?: string): boolean {
    const store = this.#stores.get(kind);
    return store !== undefined && (subresource === undefined || store.kind.subresources.includes(subresource));
  }

  get<K extends KnownKind>(kind: K, namespace: string | undefined, name: string): KnownKinds[K] | undefined {
    return this.#stores.get(kind)?.get(`${namespace ?? ''}/${name}`) as KnownKinds[K] | undefined;
  }

  list<K extends KnownKind>(kind: K, namespace?: string): readonly KnownKinds[K][] {
    return (this.#stores.get(kind)?.list(namespace) ?? []) as readonly KnownKinds[K][];
  }

  /** The objects whose controller is the object of this uid. */
  controlledBy<K extends KnownKind>(kind: K, uid: string): readonly KnownKinds[K][] {
    const owned = (this.#stores.get(kind)?.ownedBy(uid) ?? []) as readonly KnownKinds[K][];
    return owned.filter((object) => controllerOf(object)?.uid === uid);
  }

  /** The objects of a namespace that have no controller. */
  uncontrolled<K extends KnownKind>(kind: K, namespace: string | undefined): readonly KnownKinds[K][] {
    return this.list(kind, namespace).filter((object) => controllerOf(object) === undefined);
  }

  /** The object of this uid, of whatever kind. */
  byUid(uid: string): Live | undefined {
    for (const store of this.#stores.values()) {
      const object = store.byUid(uid);
      if (object !== undefined) return object;
    }
    return undefined;
  }

  /** True if the object of this uid is known to be deleted. */
  isGone(uid: string): boolean {
    return this.#gone.has(uid);
  }

  /** All objects that name `uid` among their owners, of whatever kind. */
  dependentsOf(uid: string): readonly Live[] {
    return [...this.#stores.values()].flatMap((store) => store.ownedBy(uid));
  }
}

/** The owner reference that is the controller. */
export function controllerOf(object: Live): NonNullable<Live['metadata']['ownerReferences']>[number] | undefined {
  return object.metadata.ownerReferences?.find((owner) => owner.controller === true);
}
