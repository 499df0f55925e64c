// The store: immutable objects under one revision counter, a window of changes, and subscribers told in commit order.
import { freezeJson, type KubeObject } from '../json.ts';
import { History, type Change } from './history.ts';
import { Table } from './table.ts';

/** Told of each change in the moment of its commit. It must not write to the store. */
export type Subscriber = (change: Change) => void;

/** The objects of a resource at some revision. Valid until the next write. */
export interface Snapshot {
  readonly revision: number;
  /** In order. */
  readonly keys: readonly string[];
  readonly get: (key: string) => KubeObject | undefined;
}

/**
 * Invariants: stored objects are deeply frozen and carry the revision of their last write as `resourceVersion`; every
 * write, deletions too, takes the next revision; subscribers see changes in the order of revisions, none twice.
 */
export class Store {
  #revision: number;
  readonly #history: History;
  readonly #tables: Map<string, Table>;
  readonly #subscribers = new Map<string, Set<Subscriber>>();

  constructor(options: { readonly watchWindow: number } | { readonly from: Store }) {
    if ('from' in options) {
      this.#revision = options.from.#revision;
      this.#history = options.from.#history.fork();
      this.#tables = new Map();
      for (const [name, table] of options.from.#tables) this.#tables.set(name, table.fork());
    } else {
      this.#revision = 1;
      this.#history = new History(options.watchWindow, 1);
      this.#tables = new Map();
    }
  }

  /** The revision of the last write. */
  get revision(): number {
    return this.#revision;
  }

  /** The oldest revision whose state is still known. */
  get oldest(): number {
    return this.#history.oldest;
  }

  /** How many objects there are. */
  get size(): number {
    let size = 0;
    for (const table of this.#tables.values()) size += table.size;
    return size;
  }

  get(table: string, key: string): KubeObject | undefined {
    return this.#tables.get(table)?.get(key);
  }

  /** Creates or replaces; returns the object as stored. */
  put(table: string, key: string, object: KubeObject): KubeObject {
    const rows = this.#table(table);
    const previous = rows.get(key);
    const revision = ++this.#revision;
    const stored = stamped(object, revision);
    rows.set(key, stored);
    this.#publish({
      revision,
      type: previous === undefined ? 'ADDED' : 'MODIFIED',
      table,
      key,
      object: stored,
      previous,
    });
    return stored;
  }

  /** Removes; returns the last state with the revision of the deletion. */
  remove(table: string, key: string): KubeObject | undefined {
    const rows = this.#table(table);
    const previous = rows.get(key);
    if (previous === undefined) return undefined;
    const revision = ++this.#revision;
    rows.delete(key);
    const object = stamped(previous, revision);
    this.#publish({ revision, type: 'DELETED', table, key, object, previous });
    return object;
  }

  /** Whether any object of the table exists. */
  isEmpty(table: string): boolean {
    return (this.#tables.get(table)?.keys('').length ?? 0) === 0;
  }

  /** Objects of one namespace ('' for all) as they are now. */
  list(table: string, namespace: string): Snapshot {
    const rows = this.#tables.get(table);
    return { revision: this.#revision, keys: rows?.keys(namespace) ?? [], get: (key) => rows?.get(key) };
  }

  /** The same as of an earlier revision, which must not be older than `oldest`: later changes are undone. */
  listAt(table: string, namespace: string, revision: number): Snapshot {
    const current = this.list(table, namespace);
    if (revision >= this.#revision) return current;
    const undone = new Map<string, KubeObject | undefined>();
    for (const change of this.#history.since(revision)) {
      const inScope = change.table === table && (namespace === '' || change.key.startsWith(`${namespace}/`));
      if (inScope && !undone.has(change.key)) undone.set(change.key, change.previous);
    }
    if (undone.size === 0) return { ...current, revision };
    const get = (key: string): KubeObject | undefined => (undone.has(key) ? undone.get(key) : current.get(key));
    const keys = [...new Set([...current.keys, ...undone.keys()])].filter((key) => get(key) !== undefined).sort();
    return { revision, keys, get };
  }

  /** The objects of one namespace ('' for all) in the order of their keys. */
  objects(table: string, namespace: string): readonly KubeObject[] {
    const rows = this.#tables.get(table);
    const found: KubeObject[] = [];
    for (const key of rows?.keys(namespace) ?? []) {
      const object = rows?.get(key);
      if (object !== undefined) found.push(object);
    }
    return found;
  }

  /** One object as of an earlier revision. */
  getAt(table: string, key: string, revision: number): KubeObject | undefined {
    const change = this.changesSince(revision, table).find((one) => one.key === key);
    return change === undefined ? this.get(table, key) : change.previous;
  }

  /** Changes of a table after `revision`, oldest first. */
  changesSince(revision: number, table: string): readonly Change[] {
    if (revision >= this.#revision) return [];
    return this.#history.since(revision).filter((change) => change.table === table);
  }

  /** All objects, by resource and key. */
  all(): readonly KubeObject[] {
    return [...this.#tables.keys()].sort().flatMap((table) => this.objects(table, ''));
  }

  /** All changes after `revision`, oldest first. */
  changes(revision: number): readonly Change[] {
    return this.#history.since(revision);
  }

  /** Forgets history up to `revision`: older watches and continue tokens expire. */
  compact(revision: number): void {
    this.#history.compact(Math.min(revision, this.#revision));
  }

  subscribe(table: string, subscriber: Subscriber): () => void {
    let subscribers = this.#subscribers.get(table);
    if (subscribers === undefined) this.#subscribers.set(table, (subscribers = new Set()));
    const all = subscribers.add(subscriber);
    return () => {
      all.delete(subscriber);
    };
  }

  /** An independent store with the same contents and history and no subscribers. Contents are shared until written. */
  fork(): Store {
    return new Store({ from: this });
  }

  #table(name: string): Table {
    let table = this.#tables.get(name);
    if (table === undefined) this.#tables.set(name, (table = new Table()));
    return table;
  }

  #publish(change: Change): void {
    this.#history.append(change);
    const subscribers = this.#subscribers.get(change.table);
    if (subscribers !== undefined) for (const subscriber of subscribers) subscriber(change);
  }
}

function stamped(object: KubeObject, revision: number): KubeObject {
  return freezeJson({ ...object, metadata: { ...object.metadata, resourceVersion: String(revision) } });
}
