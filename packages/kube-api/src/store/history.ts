// The window of recent changes: what watches resume from, and what older states are computed from.
import type { KubeObject } from '../json.ts';

/** One committed write. */
export interface Change {
  readonly revision: number;
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  /** The resource, such as `deployments.apps`. */
  readonly table: string;
  readonly key: string;
  /** The new state; of a deletion the last state, carrying the revision of the deletion. */
  readonly object: KubeObject;
  /** The state before; absent for a creation. */
  readonly previous: KubeObject | undefined;
}

/** An append-only list of changes, of which the newest `window` are kept. */
export class History {
  readonly #window: number;
  #changes: Change[];
  /** States at this revision and later can be computed; watches can resume from it. */
  #oldest: number;

  constructor(window: number, oldest: number, changes: Change[] = []) {
    this.#window = window;
    this.#oldest = oldest;
    this.#changes = changes;
  }

  get oldest(): number {
    return this.#oldest;
  }

  append(change: Change): void {
    this.#changes.push(change);
    // Trimming at twice the window keeps the cost of a write constant on average.
    if (this.#changes.length >= this.#window * 2) this.#drop(this.#changes.length - this.#window);
  }

  /** Forgets every change up to and including `revision`. */
  compact(revision: number): void {
    this.#drop(this.#indexAfter(revision));
    if (revision > this.#oldest) this.#oldest = revision;
  }

  /** The changes after `revision`, oldest first. Only valid for revisions at or after `oldest`. */
  since(revision: number): readonly Change[] {
    return this.#changes.slice(this.#indexAfter(revision));
  }

  fork(): History {
    return new History(this.#window, this.#oldest, this.#changes.slice());
  }

  #drop(count: number): void {
    const last = this.#changes[count - 1];
    if (last === undefined) return;
    this.#oldest = last.revision;
    this.#changes = this.#changes.slice(count);
  }

  #indexAfter(revision: number): number {
    let low = 0;
    let high = this.#changes.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#changes[middle]?.revision ?? 0) > revision) high = middle;
      else low = middle + 1;
    }
    return low;
  }
}
