// A list that comes as events of a watch: collected until the server marks its end.
import type { KubernetesObject } from '@pawl/reconciler/kubernetes';
import { keyOf } from './cached-object.ts';

const END_MARK = 'k8s.io/initial-events-end';

/** The objects of a list so far, by their keys. Changes that happen meanwhile come as events like the rest. */
export class StreamedList {
  readonly #objects = new Map<string, KubernetesObject>();

  get objects(): ReadonlyMap<string, KubernetesObject> {
    return this.#objects;
  }

  add(type: 'ADDED' | 'MODIFIED' | 'DELETED', object: KubernetesObject): void {
    const key = keyOf(object.metadata);
    if (type === 'DELETED') this.#objects.delete(key);
    else this.#objects.set(key, object);
  }
}

/** What a bookmark says. */
export interface Bookmark {
  readonly resourceVersion: string;
  /** Whether it ends a streamed list. */
  readonly endsList: boolean;
}

/** @throws if the bookmark has no revision */
export function parseBookmark(object: unknown): Bookmark {
  const { metadata } = object as { readonly metadata?: Readonly<Record<string, unknown>> };
  const resourceVersion = metadata?.['resourceVersion'];
  if (typeof resourceVersion !== 'string') throw new Error('the server sent a bookmark without a resourceVersion');
  const annotations = (metadata?.['annotations'] ?? {}) as Readonly<Record<string, unknown>>;
  return { resourceVersion, endsList: annotations[END_MARK] === 'true' };
}
