// The objects of one resource by key, with their keys in order. A fork shares the contents until one side writes.
import type { KubeObject } from '../json.ts';

/** Object keys are `namespace/name`, or `name` of cluster-scoped objects; lists come in the order of keys. */
export function objectKey(namespace: string, name: string): string {
  return namespace === '' ? name : `${namespace}/${name}`;
}

export class Table {
  #objects: Map<string, KubeObject>;
  #shared: boolean;
  #sorted: readonly string[] | undefined;

  constructor(objects = new Map<string, KubeObject>(), shared = false) {
    this.#objects = objects;
    this.#shared = shared;
  }

  get size(): number {
    return this.#objects.size;
  }

  get(key: string): KubeObject | undefined {
    return this.#objects.get(key);
  }

  set(key: string, object: KubeObject): void {
    this.#own();
    if (!this.#objects.has(key)) this.#sorted = undefined;
    this.#objects.set(key, object);
  }

  delete(key: string): void {
    this.#own();
    this.#objects.delete(key);
    this.#sorted = undefined;
  }

  /** Keys in order, of one namespace or of all (''). */
  keys(namespace: string): readonly string[] {
    const sorted = (this.#sorted ??= [...this.#objects.keys()].sort());
    if (namespace === '') return sorted;
    // '0' is the character after '/', so the two bounds enclose exactly the keys of the namespace.
    return sorted.slice(lowerBound(sorted, `${namespace}/`), lowerBound(sorted, `${namespace}0`));
  }

  fork(): Table {
    this.#shared = true;
    const copy = new Table(this.#objects, true);
    copy.#sorted = this.#sorted;
    return copy;
  }

  #own(): void {
    if (!this.#shared) return;
    this.#objects = new Map(this.#objects);
    this.#shared = false;
  }
}

function lowerBound(sorted: readonly string[], bound: string): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] ?? '') < bound) low = middle + 1;
    else high = middle;
  }
  return low;
}
