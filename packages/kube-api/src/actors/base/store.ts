// What is known of one kind: the newest copy of each object, by key, by uid, by owner and by namespace.
import type { Kind } from './kind.ts';
import { keyOf } from './kind.ts';
import type { Live } from './model.ts';
import { isNewer } from './revision.ts';

/** A change of one object; a recreated object has both sides with different uids. */
export interface Change {
  readonly before: Live | undefined;
  readonly after: Live | undefined;
}

/** How many uids of deleted objects are remembered. */
const REMEMBERED = 8192;

/** The uids of deleted objects, so that a late answer cannot bring one back: a uid is never used twice. */
export class Gone {
  readonly #uids = new Set<string>();

  has(uid: string): boolean {
    return this.#uids.has(uid);
  }

  add(uid: string): void {
    this.#uids.add(uid);
    if (this.#uids.size <= REMEMBERED) return;
    for (const oldest of this.#uids) {
      this.#uids.delete(oldest);
      return;
    }
  }
}

/**
 * The objects of one kind. It takes watch events, lists and the answers to our own writes in any order: an older copy
 * never replaces a newer one, and what was deleted does not return.
 */
export class Store {
  readonly kind: Kind;
  readonly #byKey = new Map<string, Live>();
  readonly #byUid = new Map<string, Live>();
  readonly #byOwner = new Map<string, Map<string, Live>>();
  readonly #byNamespace = new Map<string, Map<string, Live>>();
  readonly #gone: Gone;

  constructor(kind: Kind, gone: Gone) {
    this.kind = kind;
    this.#gone = gone;
  }

  get(key: string): Live | undefined {
    return this.#byKey.get(key);
  }

  byUid(uid: string): Live | undefined {
    return this.#byUid.get(uid);
  }

  /** All objects, or those of one namespace, in the order in which they became known. */
  list(namespace?: string): readonly Live[] {
    const objects = namespace === undefined ? this.#byKey : this.#byNamespace.get(namespace);
    return objects === undefined ? [] : [...objects.values()];
  }

  /** The objects that name `uid` among their owners. */
  ownedBy(uid: string): readonly Live[] {
    const objects = this.#byOwner.get(uid);
    return objects === undefined ? [] : [...objects.values()];
  }

  /** Takes over a copy; undefined if it is not newer than what is known. */
  put(object: Live): Change | undefined {
    const { uid, resourceVersion } = object.metadata;
    if (this.#gone.has(uid)) return undefined;
    const before = this.#byKey.get(keyOf(object.metadata));
    if (before !== undefined && !isNewer(resourceVersion, before.metadata.resourceVersion)) return undefined;
    if (before !== undefined) this.#drop(before);
    if (before !== undefined && before.metadata.uid !== uid) this.#gone.add(before.metadata.uid);
    this.#add(object);
    return { before, after: object };
  }

  /** Notes that the object of this uid is deleted; undefined if it was not known. */
  remove(uid: string): Change | undefined {
    this.#gone.add(uid);
    const before = this.#byUid.get(uid);
    if (before === undefined) return undefined;
    this.#drop(before);
    return { before, after: undefined };
  }

  /** Takes over a complete list read at `resourceVersion`. Objects that are newer than the list stay. */
  replace(objects: readonly Live[], resourceVersion: string): readonly Change[] {
    const listed = new Set(objects.map((object) => object.metadata.uid));
    const changes: (Change | undefined)[] = [];
    for (const known of this.list()) {
      if (listed.has(known.metadata.uid) || isNewer(known.metadata.resourceVersion, resourceVersion)) continue;
      changes.push(this.remove(known.metadata.uid));
    }
    for (const object of objects) changes.push(this.put(object));
    return changes.filter((change) => change !== undefined);
  }

  #add(object: Live): void {
    const { uid, namespace, ownerReferences } = object.metadata;
    const key = keyOf(object.metadata);
    this.#byKey.set(key, object);
    this.#byUid.set(uid, object);
    if (namespace !== undefined) insert(this.#byNamespace, namespace, key, object);
    for (const owner of ownerReferences ?? []) insert(this.#byOwner, owner.uid, key, object);
  }

  #drop(object: Live): void {
    const { uid, namespace, ownerReferences } = object.metadata;
    const key = keyOf(object.metadata);
    this.#byKey.delete(key);
    this.#byUid.delete(uid);
    if (namespace !== undefined) take(this.#byNamespace, namespace, key);
    for (const owner of ownerReferences ?? []) take(this.#byOwner, owner.uid, key);
  }
}

function insert(index: Map<string, Map<string, Live>>, group: string, key: string, object: Live): void {
  const members = index.get(group);
  if (members === undefined) index.set(group, new Map([[key, object]]));
  else members.set(key, object);
}

function take(index: Map<string, Map<string, Live>>, group: string, key: string): void {
  const members = index.get(group);
  if (members === undefined) return;
  members.delete(key);
  if (members.size === 0) index.delete(group);
}
