// The annotation of client-side `kubectl apply`: a first server-side apply by kubectl takes over what it recorded.
import type { Json, JsonObject, KubeObject } from '../json.ts';
import { isObject, sortedJson } from '../json.ts';
import type { TypeSchema } from '../schema/type-schema.ts';
import { compare } from './compare.ts';
import { difference, forEachPath } from './field-set.ts';
import { pathText } from './path-element.ts';
import { toFieldSet } from './to-set.ts';

const ANNOTATION = 'kubectl.kubernetes.io/last-applied-configuration';

/**
 * The fields, as messages show them, that client-side apply set and that still have that value: kubectl may take them from
 * any owner. Undefined if the object has no such record in this version.
 */
export function fieldsAllowedByLastApplied(
  live: KubeObject | undefined,
  apiVersion: string,
  type: TypeSchema,
): ReadonlySet<string> | undefined {
  const recorded = parse(live?.metadata.annotations?.[ANNOTATION]);
  if (live === undefined || recorded === undefined || recorded['apiVersion'] !== apiVersion) return undefined;
  const { removed, modified, added } = compare(recorded, live, type);
  const kept = difference(difference(difference(toFieldSet(recorded, type), modified), added), removed);
  const allowed = new Set<string>();
  forEachPath(kept, (path) => allowed.add(pathText(path)));
  return allowed;
}

function parse(text: string | undefined): JsonObject | undefined {
  if (text === undefined || text === '') return undefined;
  try {
    const value = JSON.parse(text) as Json;
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Brings the annotation up to date with an apply by kubectl; an object without the annotation stays as it is. */
export function syncLastApplied(object: KubeObject, patch: KubeObject): KubeObject {
  const known = object.metadata.annotations?.[ANNOTATION];
  if (known === undefined || known === '') return object;
  const { [ANNOTATION]: _, ...annotations } = (patch.metadata.annotations ?? {}) as Record<string, string>;
  const metadata = { ...patch.metadata, annotations };
  const text = `${JSON.stringify(sortedJson({ ...patch, metadata } as JsonObject))}\n`;
  if (text === known) return object;
  const updated = { ...object.metadata.annotations, [ANNOTATION]: text };
  return { ...object, metadata: { ...object.metadata, annotations: updated } } as KubeObject;
}
