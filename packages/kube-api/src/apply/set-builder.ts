// Collects fields into a set, path by path.
import { EMPTY, isEmptySet, union } from './field-set.ts';
import type { FieldSet } from './field-set.ts';
import { SELF } from './path-element.ts';

/** A set under construction. Its nodes are its own until `set` is read. */
export class SetBuilder {
  readonly #root: Record<string, FieldSet> = {};

  /** The fields so far. */
  get set(): FieldSet {
    return this.#root;
  }

  get isEmpty(): boolean {
    return isEmptySet(this.#root);
  }

  /** Adds the place at `path`, with the fields of `node` below it. An empty path is the whole object, which nobody owns. */
  add(path: readonly string[], node: FieldSet = EMPTY): void {
    const last = path.at(-1);
    if (last === undefined) {
      for (const element in node) if (element !== SELF) this.add([element], node[element] as FieldSet);
      return;
    }
    let parent = this.#root;
    for (let i = 0; i < path.length - 1; i++) {
      const element = path[i] as string;
      const known = parent[element] as Record<string, FieldSet> | undefined;
      // A leaf that gets something below it stays a member; a shared node must not be written to.
      const next: Record<string, FieldSet> = known === undefined ? {} : isEmptySet(known) ? { [SELF]: EMPTY } : known;
      parent[element] = next;
      parent = next;
    }
    const known = parent[last];
    parent[last] = known === undefined ? node : (union({ x: known }, { x: node })['x'] as FieldSet);
  }
}
