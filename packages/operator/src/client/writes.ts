// Writes: their options, their bodies, and what the answer to a deletion means.
import type { KubernetesObject, ResourceType } from '@pawl/reconciler/kubernetes';
import type { CallBounds } from './caller.ts';
import { stamp } from './lists.ts';

export const APPLY = 'application/apply-patch+yaml';
export const MERGE_PATCH = 'application/merge-patch+json';
export const JSON_PATCH = 'application/json-patch+json';

export interface CreateOptions extends CallBounds {
  readonly fieldManager?: string | undefined;
  /** Everything but the storing. */
  readonly dryRun?: boolean | undefined;
}

export interface PatchOptions extends CreateOptions {
  /** Such as `status`. */
  readonly subresource?: string | undefined;
}

export interface ApplyOptions extends PatchOptions {
  readonly fieldManager: string;
  /** Takes fields from other managers instead of failing with 409. */
  readonly force?: boolean | undefined;
}

export interface RemoveOptions extends CallBounds {
  /** The deletion fails with 409 for any other object of this name. */
  readonly uid?: string | undefined;
  /** The deletion fails with 409 if the object has changed. */
  readonly resourceVersion?: string | undefined;
  /** Default: the kind's own. */
  readonly propagation?: 'Background' | 'Foreground' | 'Orphan' | undefined;
  readonly gracePeriodSeconds?: number | undefined;
  readonly dryRun?: boolean | undefined;
}

export interface JsonPatchOperation {
  readonly op: 'add' | 'remove' | 'replace' | 'move' | 'copy' | 'test';
  readonly path: string;
  readonly from?: string;
  readonly value?: unknown;
}

/** What a deletion led to. */
export type Removal =
  | { readonly gone: true }
  /** Marked for deletion: finalizers, or a pod's grace period, keep it for now. */
  | { readonly gone: false; readonly object: KubernetesObject };

type Json = Readonly<Record<string, unknown>>;

/** The body of a deletion. */
export function deleteOptions(options: RemoveOptions): Json {
  const { uid, resourceVersion, propagation, gracePeriodSeconds, dryRun } = options;
  const preconditions = defined({ uid, resourceVersion });
  return {
    kind: 'DeleteOptions',
    apiVersion: 'v1',
    ...defined({ propagationPolicy: propagation, gracePeriodSeconds }),
    ...(Object.keys(preconditions).length === 0 ? {} : { preconditions }),
    ...(dryRun === true ? { dryRun: ['All'] } : {}),
  };
}

/** Some kinds answer a completed deletion with a `Status`, some with the object as it was. */
export function removalOf(type: ResourceType, body: unknown): Removal {
  const answer = (typeof body === 'object' && body !== null ? body : {}) as Json;
  if (answer['kind'] === 'Status') return { gone: true };
  const { deletionTimestamp, deletionGracePeriodSeconds, finalizers } = (answer['metadata'] ?? {}) as Json;
  const waits = Array.isArray(finalizers) && finalizers.length > 0;
  const graceful = typeof deletionGracePeriodSeconds === 'number' && deletionGracePeriodSeconds > 0;
  if (deletionTimestamp === undefined || (!waits && !graceful)) return { gone: true };
  return { gone: false, object: stamp(type, answer) as unknown as KubernetesObject };
}

function defined(values: Json): Json {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}
