// Lists of objects: options, and reading an answer. Items get the kind that lists of built-in kinds leave out.
import type { KubernetesObject, ResourceType } from '@pawl/reconciler/kubernetes';
import type { CallBounds } from './caller.ts';

export interface ListOptions extends CallBounds {
  /** Default: all namespaces. */
  readonly namespace?: string | undefined;
  /** In the server's syntax, such as `app=web,tier!=db`. */
  readonly labelSelector?: string | undefined;
  readonly fieldSelector?: string | undefined;
  /** Default: none, which is a consistent read. `'0'` allows the server any old state. */
  readonly resourceVersion?: string | undefined;
  readonly accept?: string | undefined;
}

export interface PageOptions extends ListOptions {
  readonly limit?: number | undefined;
  readonly continueToken?: string | undefined;
}

/** Objects at one revision. */
export interface Page {
  readonly items: readonly KubernetesObject[];
  readonly resourceVersion: string;
  /** Of a page that is not the last. */
  readonly continueToken?: string;
}

type Json = Readonly<Record<string, unknown>>;

/** @throws if the answer is not a list */
export function parsePage(type: ResourceType, body: unknown): Page {
  const { items, metadata } = (typeof body === 'object' && body !== null ? body : {}) as Json;
  const { resourceVersion, continue: token } = (metadata ?? {}) as Json;
  if (!Array.isArray(items) || typeof resourceVersion !== 'string')
    throw new Error(`the server answered a list of ${type.kind} without items or without a resourceVersion`);
  return {
    items: items.map((item) => stamp(type, item as Json) as unknown as KubernetesObject),
    resourceVersion,
    ...(typeof token === 'string' && token !== '' ? { continueToken: token } : {}),
  };
}

/** The object with the kind's names; itself if it has them. */
export function stamp({ apiVersion, kind }: ResourceType, object: Json): Json {
  if (object['apiVersion'] === apiVersion && object['kind'] === kind) return object;
  return { ...object, apiVersion, kind };
}
