// An index of a store: which keys have a value. Also the ready-made ways to index.
import type { KubernetesObject } from '@pawl/reconciler/kubernetes';

/** The values under which an object is found. */
export type IndexBy = (object: KubernetesObject) => readonly string[];

/** By the value of a label, such as that of the owner. */
export function byLabel(name: string): IndexBy {
  return ({ metadata }) => {
    const value = metadata.labels?.[name];
    return value === undefined ? [] : [value];
  };
}

export const byNamespace: IndexBy = ({ metadata: { namespace } }) => (namespace === undefined ? [] : [namespace]);

/** By a field that holds a text, such as `spec.nodeName`. */
export function byField(path: string): IndexBy {
  const parts = path.split('.');
  return (object) => {
    const value = fieldAt(object, parts);
    return typeof value === 'string' ? [value] : [];
  };
}

function fieldAt(object: unknown, parts: readonly string[]): unknown {
  return parts.reduce<unknown>(
    (value, part) =>
      typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>)[part] : undefined,
    object,
  );
}

/** Invariant: a key stands under exactly the values that its present object has. */
export class StoreIndex {
  readonly #by: IndexBy;
  readonly #keys = new Map<string, Set<string>>();

  constructor(by: IndexBy) {
    this.#by = by;
  }

  add(key: string, object: KubernetesObject): void {
    for (const value of this.#by(object)) {
      const keys = this.#keys.get(value);
      if (keys === undefined) this.#keys.set(value, new Set([key]));
      else keys.add(key);
    }
  }

  remove(key: string, object: KubernetesObject): void {
    for (const value of this.#by(object)) {
      const keys = this.#keys.get(value);
      keys?.delete(key);
      if (keys?.size === 0) this.#keys.delete(value);
    }
  }

  keys(value: string): ReadonlySet<string> {
    return this.#keys.get(value) ?? NONE;
  }

  values(): readonly string[] {
    return [...this.#keys.keys()];
  }
}

const NONE: ReadonlySet<string> = new Set();
