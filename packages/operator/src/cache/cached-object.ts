// What the cache keeps of an object: raw JSON, deeply frozen, without the bulk that no reader asks for.
import type { KubernetesObject, ObjectMeta, ResourceType } from '@pawl/reconciler/kubernetes';

type Json = Readonly<Record<string, unknown>>;

/** Names the field manager whose entry of `managedFields` is kept for this object; none if undefined. */
export type KeepManager = (object: KubernetesObject) => string | undefined;

export interface CachingRules {
  readonly keepManager?: KeepManager | undefined;
  /** Keeps only metadata, as for Secrets. */
  readonly metadataOnly?: boolean | undefined;
}

/** One entry of `managedFields`. */
export interface ManagedFieldsEntry {
  readonly manager?: string;
  readonly operation?: string;
  readonly subresource?: string;
  readonly fieldsV1?: Json;
}

/** Raw JSON from the server as an object of the cache. */
export function cachedObject(type: ResourceType, raw: unknown, rules: CachingRules = {}): KubernetesObject {
  if (!hasMetadata(raw))
    throw new Error(`the server sent a ${type.kind} without metadata.name, uid or resourceVersion`);
  const { apiVersion, kind } = type;
  const full = raw as unknown as KubernetesObject & Json;
  const { managedFields: _, ...metadata } = full.metadata as ObjectMeta & Json;
  const kept = keptManagedFields(full, rules.keepManager);
  const slim = { ...metadata, ...(kept === undefined ? {} : { managedFields: [kept] }) };
  const object = { ...(rules.metadataOnly === true ? {} : full), apiVersion, kind, metadata: slim as ObjectMeta };
  return deepFreeze(object);
}

/** The managed fields of the main resource that the kept manager applied. */
function keptManagedFields(object: KubernetesObject, keepManager?: KeepManager): ManagedFieldsEntry | undefined {
  const { managedFields } = object.metadata as ObjectMeta & { readonly managedFields?: readonly ManagedFieldsEntry[] };
  const manager = managedFields === undefined ? undefined : keepManager?.(object);
  if (manager === undefined) return undefined;
  return managedFields?.find((entry) => entry.manager === manager && entry.operation === 'Apply' && !entry.subresource);
}

function hasMetadata(raw: unknown): raw is { readonly metadata: Json } {
  const metadata = (raw as { readonly metadata?: Json } | null | undefined)?.metadata;
  return ['name', 'uid', 'resourceVersion'].every((field) => typeof metadata?.[field] === 'string');
}

/** Freezes a JSON value through and through, in place. A frozen part counts as done. */
export function deepFreeze<T>(value: T): T {
  if (isOpen(value)) freezeParts(value);
  return value;
}

/** On the way of every object of every list, hence without intermediate arrays. */
function freezeParts(value: object): void {
  if (Array.isArray(value)) {
    for (const part of value as readonly unknown[]) if (isOpen(part)) freezeParts(part);
  } else {
    const record = value as Readonly<Record<string, unknown>>;
    for (const name in record) {
      const part = record[name];
      if (isOpen(part)) freezeParts(part);
    }
  }
  Object.freeze(value);
}

function isOpen(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Object.isFrozen(value);
}

/** Key of an object among those of its kind. */
export function keyOf({ namespace, name }: { readonly namespace?: string | undefined; readonly name: string }): string {
  return namespace === undefined ? name : `${namespace}/${name}`;
}
