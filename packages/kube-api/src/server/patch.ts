// PATCH: JSON patch, merge patch, strategic merge patch and server-side apply, on objects and their subresources.
import { badRequest, conflict, notFound, unsupportedMediaType } from '../errors.ts';
import { isObject, type Json, type JsonObject, type KubeObject } from '../json.ts';
import { applyJsonPatch } from '../patch/json-patch.ts';
import { applyMergePatch } from '../patch/merge-patch.ts';
import { applyStrategicMergePatch } from '../patch/strategic-merge-patch.ts';
import { createObject } from './create.ts';
import { stored, subjectOf, type Call, type Core, type Result } from './core.ts';
import { decodeBody, decodePatched, withRequestNamespace } from './decode-body.ts';
import { importJson, importObject, withCleanMetadata } from './decode.ts';
import { applyConfiguration } from './field-managers.ts';
import { writeOptions, type WriteOptions } from './options.ts';
import { checkName } from './update.ts';
import { replace, type Scope } from './write.ts';

const JSON_PATCH = 'application/json-patch+json';
export const MERGE_PATCH = 'application/merge-patch+json';
const STRATEGIC_MERGE_PATCH = 'application/strategic-merge-patch+json';
export const APPLY_PATCH = 'application/apply-patch+yaml';

/** The patch type of a request. Custom resources do not know strategic merge. */
export function patchType(call: Call): string {
  const given = (call.request.headers?.['content-type'] ?? '').split(';')[0]?.trim() ?? '';
  const supported = [JSON_PATCH, MERGE_PATCH, ...(call.type.custom ? [] : [STRATEGIC_MERGE_PATCH]), APPLY_PATCH];
  if (!supported.includes(given)) throw unsupportedMediaType(given, supported);
  return given;
}

/** PATCH on an object or on one of its subresources that show the whole object. */
export function patch(core: Core, call: Call, scope: Scope): Result {
  const type = patchType(call);
  const options = writeOptions(call.info.query, 'PatchOptions', type === APPLY_PATCH);
  const found = stored(core, call);
  if (type === APPLY_PATCH) return apply(core, call, scope, found, options);
  if (found === undefined) throw notFound(subjectOf(call, call.resource.name));
  const live = call.type.fromStorage(found);
  const patched = patchedObject(call, live, type, call.request.body);
  const wanted = decodePatched(call, patched, options);
  checkName(call, wanted);
  return { status: 200, body: replace(core, call, { live, wanted, scope, options, applied: false }) };
}

/** `live` with a patch other than an apply. */
export function patchedObject(call: Call, live: JsonObject, type: string, body: unknown): JsonObject {
  const change = importJson(body ?? null);
  const patched = patchedJson(call, live, type, change);
  if (!isObject(patched)) throw badRequest('the patch does not leave an object');
  return patched;
}

function patchedJson(call: Call, live: JsonObject, type: string, change: Json): Json {
  if (type === JSON_PATCH) return applyJsonPatch(live, change);
  if (!isObject(change)) throw badRequest(`a patch of type ${type} must be a JSON object`);
  return type === MERGE_PATCH
    ? applyMergePatch(live, change)
    : applyStrategicMergePatch(live, change, call.type.schema);
}

function apply(core: Core, call: Call, scope: Scope, found: KubeObject | undefined, options: WriteOptions): Result {
  if (found === undefined && scope !== '') throw notFound(subjectOf(call, call.resource.name));
  const given = withCleanMetadata(importObject(call.request.body));
  const placed = withRequestNamespace(call, given);
  // A namespace that the configuration leaves to the path is no part of what is applied.
  const body = call.type.namespaced ? given : placed;
  const live = found === undefined ? undefined : call.type.fromStorage(found);
  const { uid } = body.metadata;
  if (live === undefined && uid !== undefined) {
    const why = `uid mismatch: the provided object specified uid ${uid}, and no existing object was found`;
    throw conflict(subjectOf(call, call.resource.name), why);
  }
  const merged = applyConfiguration(core, call, live, body, options, scope);
  const wanted = merged === live ? merged : decodeBody(call, merged, options);
  checkName(call, wanted);
  if (live === undefined) return { status: 201, body: createObject(core, call, wanted, options, 'applied') };
  return { status: 200, body: replace(core, call, { live, wanted, scope, options, applied: true }) };
}
