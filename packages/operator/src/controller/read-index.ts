// Which objects' last cycles read what: a change of something that was read brings those objects up again.
import { isSelected, type KubernetesObject, type ObjectRef, type ResourceType, type Selector } from '@pawl/reconciler/kubernetes';

/** What one cycle read. Filled by the clients of that cycle, never declared. */
export class ReadLog {
  readonly names = new Set<string>();
  readonly lists: { readonly type: string; readonly selector: Selector }[] = [];

  /** A single object was asked for, whether or not it was there. */
  named = (type: ResourceType, ref: ObjectRef): void => {
    this.names.add(nameOf(type, ref));
  };

  /** A selection was asked for. */
  listed = (type: ResourceType, selector: Selector): void => {
    this.lists.push({ type: typeOf(type), selector });
  };
}

/** The reads of the last cycle of every key. */
export class ReadIndex {
  readonly #logs = new Map<string, ReadLog>();
  /** Invariant: holds key k under name n exactly if the log of k has n. */
  readonly #byName = new Map<string, Set<string>>();
  /** Invariant: holds key k under type t exactly if the log of k lists t. */
  readonly #byList = new Map<string, Set<string>>();

  /** Replaces what is known of a key. */
  set = (key: string, log: ReadLog): void => {
    this.forget(key);
    this.#logs.set(key, log);
    for (const name of log.names) into(this.#byName, name, key);
    for (const { type } of log.lists) into(this.#byList, type, key);
  };

  /** Drops a key whose object is gone. */
  forget = (key: string): void => {
    const log = this.#logs.get(key);
    if (log === undefined) return;
    this.#logs.delete(key);
    for (const name of log.names) outOf(this.#byName, name, key);
    for (const { type } of log.lists) outOf(this.#byList, type, key);
  };

  /** The keys whose last cycle read this object, by name or in a list that it is, or was, part of. */
  readersOf = (object: KubernetesObject, before?: KubernetesObject): ReadonlySet<string> => {
    const keys = new Set(this.#byName.get(nameOf(object, object.metadata)));
    for (const key of this.#byList.get(typeOf(object)) ?? []) {
      const lists = this.#logs.get(key)?.lists ?? [];
      const selected = ({ type, selector }: (typeof lists)[number]): boolean =>
        type === typeOf(object) &&
        (isSelected(object, selector) || (before !== undefined && isSelected(before, selector)));
      if (lists.some(selected)) keys.add(key);
    }
    return keys;
  };
}

const typeOf = ({ apiVersion, kind }: ResourceType): string => `${apiVersion}/${kind}`;
const nameOf = (type: ResourceType, { namespace = '', name }: ObjectRef): string => `${typeOf(type)}/${namespace}/${name}`;

function into(map: Map<string, Set<string>>, name: string, key: string): void {
  const keys = map.get(name);
  if (keys === undefined) map.set(name, new Set([key]));
  else keys.add(key);
}

function outOf(map: Map<string, Set<string>>, name: string, key: string): void {
  const keys = map.get(name);
  if (keys?.delete(key) === true && keys.size === 0) map.delete(name);
}
